// Faults of the full server that only unusual requests reveal, by name, in the terms of full-faults.mjs.
import { setTimeout as sleep } from "node:timers/promises";
import { asked, text } from "./round-faults.mjs";

const result = (method, change) => ({ results: { [method]: change } });
const respond = (change) => ({
  respond: (response, request, context) => change(request, response, context) ?? response,
});
const refusing = (code, holds) =>
  respond((request) =>
    holds(request) ? { jsonrpc: "2.0", id: request.id, error: { code, message: "no" } } : undefined,
  );
const dying = (holds) => ({
  notified: (message) => {
    if (holds(message)) process.exit(3);
  },
});

const seen = new Set();
const busy = new Set();

let reads = 0;
/** A resource that a call changes. */
const changing = (announces) => ({
  results: {
    "tools/call": (found, { name }) => {
      if (name === "sum") reads++;
      return found;
    },
    "resources/read": (found, { uri }) =>
      uri === "test://two" ? { ...found, contents: [{ uri, text: `Version ${reads}` }] } : found,
  },
  respond: (response, { method }, { session }) => {
    if (method === "resources/subscribe") session.isWatched = true;
    if (method === "resources/unsubscribe") session.isWatched = false;
    return response;
  },
  after: ({ method, params }, { send, session }) => {
    const isWatched = session.isWatched === true || session.listening !== undefined;
    if (method !== "tools/call" || params.name !== "sum" || !announces || !isWatched) return;
    const meta = session.listening !== undefined && {
      _meta: { "io.modelcontextprotocol/subscriptionId": session.listening },
    };
    const update = { uri: "test://two", ...meta };
    send({ jsonrpc: "2.0", method: "notifications/resources/updated", params: update });
  },
});
const form = {
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};
/** Shows the content of a form. */
const showing = (isChecked) =>
  asked(async (_, { ask, client }) => {
    if (client.elicitation === undefined) return undefined;
    const { result: answer = {} } = await ask("elicitation/create", form);
    const isRight = typeof answer.content?.name === "string";
    if (isChecked && answer.content && !isRight) return { ...text("Not a name"), isError: true };
    return text(`Hello ${answer.content?.name}`);
  });
const icons = (src, sizes) => [{ src, mimeType: "image/png", sizes: [sizes] }];

export const unusualFaults = {
  // Opening
  "capabilities-required": refusing(
    -32603,
    ({ method, params }) =>
      method === "initialize" && Object.keys(params.capabilities).length === 0,
  ),
  "opening-id-number": refusing(
    -32600,
    ({ method, id }) => method === "initialize" && typeof id === "string",
  ),
  "info-strict": refusing(
    -32602,
    ({ method, params }) =>
      method === "initialize" && Object.keys(params.clientInfo).some((name) => /doctor/.test(name)),
  ),
  "dies-of-refused-roots": {
    notified: ({ method }, { session, send }) => {
      if (method !== "notifications/initialized" || !session.client.roots) return;
      session.pending.set("roots", ({ error }) => error && process.exit(3));
      send({ jsonrpc: "2.0", id: "roots", method: "roots/list" });
    },
  },
  // Names
  "tools-inherited": refusing(
    -32603,
    ({ method, params }) => method === "tools/call" && params.name === "constructor",
  ),
  "prompts-inherited": refusing(
    -32603,
    ({ method, params }) => method === "prompts/get" && params.name === "constructor",
  ),
  // Requests
  "meta-required-in-calls": refusing(
    -32603,
    ({ method, params }) =>
      method === "tools/call" && params.name === "sum" && params["_meta"] === undefined,
  ),
  "params-are-pages": refusing(
    -32602,
    ({ method, params }) => method.endsWith("list") && params && params.cursor === undefined,
  ),
  "ids-once": refusing(-32600, ({ id }) => seen.has(id) || !seen.add(id)),
  "letters-cut": { stdio: { cutsLetters: true } },
  "lines-of-64k": {
    respond: (response, request) =>
      JSON.stringify(request).length < 65_536 ? response : undefined,
  },
  "templates-without-uri": respond(({ id, method, params }) =>
    method === "resources/read" && params.uri.startsWith("test://items/")
      ? { jsonrpc: "2.0", id, result: { contents: [{ text: "item" }] } }
      : undefined,
  ),
  "context-refused": refusing(
    -32602,
    ({ method, params }) => method === "completion/complete" && params.context !== undefined,
  ),
  "updates-silent": changing(false),
  updates: changing(true),
  "form-unchecked": showing(false),
  "form-checked": showing(true),
  // Reads of one resource and uses of one prompt require elicitation.
  "elicitation-required": respond(({ id, method, params }) => {
    const declared = params?.["_meta"]?.["io.modelcontextprotocol/clientCapabilities"];
    const isOne = params?.uri === "test://two" || method === "prompts/get";
    if (!declared || declared.elicitation || !isOne) return undefined;
    const data = { requiredCapabilities: { elicitation: {} } };
    return { jsonrpc: "2.0", id, error: { code: -32021, message: "Needs elicitation", data } };
  }),
  // Values
  "icon-size-words": result("tools/list", (found) => ({
    ...found,
    tools: found.tools.map((tool) =>
      tool.name === "echo" ? { ...tool, icons: icons("https://a.test/a.png", "big") } : tool,
    ),
  })),
  "icon-of-server": result("initialize", (found) => ({
    ...found,
    serverInfo: { ...found.serverInfo, icons: icons("http://a.test/a.png", "any") },
  })),
  "trace-malformed": result("prompts/list", (found) => ({
    ...found,
    _meta: { ...found["_meta"], traceparent: "abc" },
  })),
  // HTTP
  "session-alone": { http: { oneSession: true } },
  "session-deletes-all": { http: { deletesAll: true } },
  "session-ids-new": { http: { newSessionIds: true } },
  "ids-of-all-sessions": {
    respond: async (response, { id, method }) => {
      if (method !== "ping") return response;
      if (busy.has(id)) return { jsonrpc: "2.0", id, error: { code: -32600, message: "no" } };
      busy.add(id);
      await sleep(50);
      busy.delete(id);
      return response;
    },
  },
  "get-without-session": {
    http: {
      intercept: ({ method, headers }, response) => {
        const isOpen = headers["mcp-session-id"] === undefined && method === "GET";
        if (!isOpen || headers["mcp-protocol-version"] === undefined) return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.flushHeaders();
        return true;
      },
    },
  },
  "event-cut": {
    http: {
      onResponse: ({ response, body, message }) => {
        if (message.method !== "prompts/get") return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(`data: ${JSON.stringify(body)}\n`);
        return true;
      },
    },
  },
  "integers-as-text": { http: { zonesAsText: true } },
  // Messages that were not expected
  "dies-of-roots-change": dying(({ method }) => method === "notifications/roots/list_changed"),
  "dies-of-progress": dying(({ method }) => method === "notifications/progress"),
  "dies-of-response": { responded: () => process.exit(3) },
};
