// Faults of the features of the full server by name, in the terms of full-faults.mjs.

const result = (method, change) => ({ results: { [method]: change } });
const called = (name, change) =>
  result("tools/call", (found, params) => (params.name === name ? { ...found, ...change } : found));
const discovered = (change) =>
  result("server/discover", (found) => ({
    ...found,
    capabilities: { ...found.capabilities, ...change },
  }));
const withoutResources = (found) => {
  const { resources: _, ...capabilities } = found.capabilities;
  return { ...found, capabilities };
};
const embedded = {
  content: [
    { type: "resource", resource: { uri: "test://one", mimeType: "text/plain", text: "a" } },
  ],
};
const prompted = (resource) =>
  result("prompts/get", (found) => ({
    ...found,
    messages: [{ role: "user", content: { type: "resource", resource } }],
  }));
const visiting = (url) => ({
  before: ({ method, params }, { ask, client }) => {
    if (method !== "tools/call" || params.name !== "ask" || client.elicitation?.url === undefined)
      return undefined;
    return ask("elicitation/create", { mode: "url", message: "Connect", elicitationId: "v", url });
  },
});
const unserved = () => {
  throw { code: -32601, message: "Method not found" };
};

/** Acknowledges the topics of a subscription that are declared. */
export const listeningTo =
  (isDeclared) =>
  ({ isStateless, send, session, id }) =>
    isStateless && {
      "subscriptions/listen": ({ notifications }) => {
        session.listening = id;
        const own = Object.entries(notifications).filter(([topic]) => isDeclared(topic));
        const meta = { "io.modelcontextprotocol/subscriptionId": id };
        const params = { notifications: Object.fromEntries(own), _meta: meta };
        send({ jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params });
      },
    };

/** A list of tools that grows when one of them is called. */
let extra = [];
const growing = ({ announces = false, declares = true } = {}) => ({
  results: {
    "tools/call": (found) => {
      extra = [{ name: "extra", description: "d", inputSchema: { type: "object" } }];
      return found;
    },
    "tools/list": (found, { cursor }) =>
      cursor === undefined ? found : { ...found, tools: [...found.tools, ...extra] },
    "server/discover": (found) => ({
      ...found,
      capabilities: { ...found.capabilities, tools: { listChanged: declares } },
    }),
  },
  handlers: listeningTo((topic) => declares || !topic.startsWith("tools")),
  before: ({ method }, { send }) => {
    const isChange = method === "tools/call" && extra.length > 0;
    if (isChange && announces) send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  },
});
const without = (name, code) => {
  const change = (found) => {
    const capabilities = { ...found.capabilities };
    delete capabilities[name];
    return { ...found, capabilities };
  };
  return {
    results: { initialize: change, "server/discover": change },
    handlers: listeningTo((topic) => !topic.startsWith(name)),
    respond: (response, { method, id }) =>
      method.startsWith(name.replace(/s$/, ""))
        ? { jsonrpc: "2.0", id, error: { code, message: "no" } }
        : response,
  };
};
let used = 0;

export const featureFaults = {
  // Lists
  "list-grows-silently": growing(),
  "list-grows-announced": growing({ announces: true }),
  "list-grows-in-a-connection": growing({ declares: false }),
  "cursor-once": result("resources/list", (found, { cursor }) => {
    if (cursor !== undefined && ++used > 1) throw { code: -32602, message: "Invalid cursor" };
    return found;
  }),
  "prompts-invalid": without("prompts", -32602),
  "prompts-absent": without("prompts", -32601),
  "completions-internal": without("completions", -32603),
  "completions-absent": without("completions", -32601),
  "subscribe-content": result("resources/subscribe", () => ({ subscribed: true })),
  "prompt-in-rounds": {
    handlers: ({ isStateless, client }) =>
      isStateless && {
        "prompts/get": ({ name, inputResponses }) => {
          if (name !== "hello") throw { code: -32602, message: "Unknown prompt" };
          if (client.elicitation === undefined) return { messages: [] };
          const messages = [{ role: "model", content: { type: "text", text: "Hello" } }];
          if (inputResponses !== undefined) return { messages };
          const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
          const params = { message: "Your name?", requestedSchema };
          const inputRequests = { name: { method: "elicitation/create", params } };
          return { resultType: "input_required", inputRequests };
        },
      },
  },
  // Results
  "embedded-undeclared": {
    results: { initialize: withoutResources, ...called("echo", embedded).results },
    handlers: () => ({
      "resources/list": unserved,
      "resources/templates/list": unserved,
      "resources/read": unserved,
    }),
  },
  "embedded-untyped": prompted({ uri: "test://one", text: "a" }),
  "embedded-typed": prompted({ uri: "test://one", mimeType: "text/plain", text: "a" }),
  "structured-list-alone": called("echo", { structuredContent: [1, 2] }),
  "structured-pretty": result("tools/call", (found, { name }) => {
    const { structuredContent: data } = found;
    const text = `{\n  "more": [1.0, "ä"],\n  "sum": ${data?.sum}.0\n}`;
    const content = [
      { type: "text", text: "Here it is:" },
      { type: "text", text },
    ];
    return name === "sum" ? { content, structuredContent: { ...data, more: [1, "ä"] } } : found;
  }),
  "completion-of-more": result("completion/complete", (found) => ({
    ...found,
    completion: { values: ["a"], total: 2, hasMore: false },
  })),
  // Questions
  "visit-insecure": visiting("http://example.com/connect"),
  "visit-local": visiting("http://localhost:3000/connect"),
  // Capabilities
  "extension-without-prefix": discovered({ extensions: { tasks: {} } }),
  extensions: discovered({ extensions: { "com.example/some-thing.v1": {} } }),
};
