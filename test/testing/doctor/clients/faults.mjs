// Faults of a client, by name.
export const faults = {
  none: {},
  "early-request": { first: ({ request }) => void request("tools/list") },
  "not-initialized": { quiet: true },
  "id-null": { after: ({ write }) => write({ id: null, method: "ping" }) },
  "id-again": {
    after: async ({ request }) => {
      await request("ping", undefined, 77);
      await request("ping", undefined, 77);
    },
  },
  "info-without-version": { opening: (params) => ({ ...params, clientInfo: { name: "faulty" } }) },
  "version-number": { opening: (params) => ({ ...params, protocolVersion: 20251125 }) },
  "no-jsonrpc": {
    after: ({ write }) => write({ jsonrpc: undefined, method: "notifications/initialized" }),
  },
  "ping-refused": { answers: { ping: () => undefined } },
  "ping-silent": { answers: { ping: () => "silence" } },
  "unknown-silent": {
    answers: { "mcp-codegen-doctor-nothing/method": () => "silence" },
  },
  "form-wrong": {
    answers: {
      "elicitation/create": ({ mode }) =>
        mode === "url"
          ? { error: { code: -32602, message: "no" } }
          : { result: { action: "accept", content: { text: 7 } } },
    },
  },
  "roots-object": { answers: { "roots/list": () => ({ result: { roots: {} } }) } },
  "roots-refused": { answers: { "roots/list": () => undefined } },
  "cursor-changed": { cursor: (cursor) => encodeURIComponent(cursor) },
  "one-page": { onePage: true },
  "answers-notification": {
    received: ({ id }, { write }) => {
      if (id === undefined)
        write({ id: null, error: { code: -32601, message: "Method not found" } });
    },
  },
  "dies-of-notification": {
    received: ({ method }) => {
      if (method === "notifications/mcp-codegen-doctor-nothing") process.exit(3);
    },
  },
  "call-without-name": { call: { arguments: {} } },
  "token-boolean": { call: { name: "echo", _meta: { progressToken: true } } },
  "stdout-line": { first: () => console.log("Client started!") },
  "any-version": { anyVersion: true },
  "cancels-unknown": {
    after: ({ write }) => write({ method: "notifications/cancelled", params: { requestId: 999 } }),
  },
  "initialize-twice": {
    after: ({ request }) =>
      request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "faulty", version: "1.0.0" },
      }),
  },
  "undeclared-answer": {
    answers: {
      "sampling/createMessage": () => ({
        result: { role: "assistant", model: "m", content: { type: "text", text: "yes" } },
      }),
    },
  },
};
