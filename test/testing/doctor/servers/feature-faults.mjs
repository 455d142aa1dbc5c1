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

export const featureFaults = {
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
