// Faults of a server, by name: replacements of handlers, changes of responses, and what is written besides.

/** Changes the only tool of the list. */
const tool = (change) => ({
  handlers: {
    "tools/list": (params, { handlers }) => {
      const list = handlers["tools/list"](params);
      return { tools: list.tools.flatMap((one) => change(one)) };
    },
  },
});

/** Replaces the result of the tool. */
const call = (result) => ({
  handlers: {
    "tools/call": (params, { handlers, state, write }) => {
      handlers["tools/call"](params);
      return typeof result === "function" ? result(params, { state, write }) : result;
    },
  },
});

/** Writes messages before the response to a call. */
const before = (...messages) =>
  call((params, { state, write }) => {
    for (const message of messages.map((create) => create(state)))
      if (message !== undefined) write(message);
    return { content: [{ type: "text", text: "done" }] };
  });

const notification = (method, params) => ({ jsonrpc: "2.0", method, params });
const progress = (params) => notification("notifications/progress", params);

/** Changes the answer to the opening request. */
const opening = (change) => ({
  handlers: {
    initialize: (params, { handlers }) => change(handlers.initialize(params)),
  },
});

const schema = (inputSchema) => tool((one) => ({ ...one, inputSchema }));

const structured = (outputSchema, result) => ({
  handlers: {
    ...tool((one) => ({ ...one, outputSchema })).handlers,
    ...call(result).handlers,
  },
});

const numbers = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };

export const faults = {
  none: {},
  "hint-text": tool((one) => ({ ...one, annotations: { readOnlyHint: "yes" } })),
  "no-input-schema": tool((one) => ({ ...one, inputSchema: undefined })),
  "schema-of-array": schema({ type: "array" }),
  "icon-number": tool((one) => ({ ...one, icons: [{ src: 7 }] })),
  "two-of-a-name": tool((one) => [one, { ...one, description: "Another one" }]),
  "schema-nomber": schema({ type: "object", properties: { n: { type: "nomber" } } }),
  "ref-to-nowhere": schema({ type: "object", properties: { n: { $ref: "#/$defs/none" } } }),
  "no-content": call({}),
  "unknown-content": call({ content: [{ type: "smell", text: "rose" }] }),
  "image-not-base64": call({
    content: [{ type: "image", data: "not base64!", mimeType: "image/png" }],
  }),
  "no-structured-content": structured(numbers, { content: [{ type: "text", text: "1" }] }),
  "wrong-structured-content": structured(numbers, {
    content: [{ type: "text", text: "{}" }],
    structuredContent: { n: "one" },
  }),
  "progress-without-token": before(() => progress({ progress: 1 })),
  "progress-foreign-token": before(() => progress({ progressToken: "never-given", progress: 1 })),
  "progress-down": before(
    ({ token }) => token && progress({ progressToken: token, progress: 2 }),
    ({ token }) => token && progress({ progressToken: token, progress: 1 }),
  ),
  "params-number": before(() => notification("notifications/mine", 7)),
  "answered-twice": {
    respond: (response, { method }, { write }) => {
      if (method === "tools/call" && response.result) write(response);
      return response;
    },
  },
  "id-as-text": {
    respond: (response, { method }) =>
      method === "tools/list" ? { ...response, id: String(response.id) } : response,
  },
  "stdout-line": { start: () => console.log("Server started!") },
  "undeclared-tools": opening((result) => ({ ...result, capabilities: {} })),
  "version-2099": opening((result) => ({ ...result, protocolVersion: "2099-01-01" })),
  "info-without-version": opening((result) => ({ ...result, serverInfo: { name: "faulty" } })),
  "tools-object": {
    handlers: {
      "tools/list": (params, { handlers }) => ({ tools: handlers["tools/list"](params).tools[0] }),
    },
  },
  "cursor-for-ever": {
    handlers: {
      "tools/list": (_, { handlers }) => ({ ...handlers["tools/list"]({}), nextCursor: "again" }),
    },
  },
  "error-code-text": {
    respond: (response, { method }) =>
      method === "tools/call"
        ? { ...response, result: undefined, error: { code: "E1", message: "no" } }
        : response,
  },
};
