// What the full server answers, without a fault.

/** Returns true if a client supports forms, which `elicitation: {}` includes. */
const hasForms = ({ elicitation }) =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);

export const invalid = (message) => ({ code: -32602, message });
export const notFound = () => ({ code: -32601, message: "Method not found" });

const SESSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
const KEY = "io.modelcontextprotocol/";

const capabilities = (version) => ({
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
  ...(version > "2025" && { completions: {} }),
});

const toolsOf = (version) => [
  {
    name: "echo",
    description: "Returns its text",
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    ...(version > "2025" && { annotations: { readOnlyHint: true } }),
    ...(version >= "2025-11" && {
      icons: [{ src: "https://example.com/a.png", mimeType: "image/png", sizes: ["48x48"] }],
    }),
  },
  {
    name: "sum",
    description: "Adds numbers",
    inputSchema: {
      type: "object",
      properties: {
        a: { type: "number" },
        b: { type: "number" },
        ...(version > "2026" && {
          region: { type: "string", "x-mcp-header": "Region" },
          zone: { type: "integer", "x-mcp-header": "Zone" },
        }),
      },
    },
    ...(version >= "2025-06" && {
      outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    }),
  },
  { name: "ask", description: "Asks for a name", inputSchema: { type: "object" } },
];

const form = {
  message: "Your name?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
};

const content = (text) => ({ content: [{ type: "text", text }] });

const page =
  (name, items) =>
  ({ cursor }) => {
    if (cursor === undefined) return { [name]: items.slice(0, 1), nextCursor: "page-2" };
    if (cursor !== "page-2") throw invalid("Invalid cursor");
    return { [name]: items.slice(1) };
  };

const resource = (uri) => ({
  contents: [{ uri, mimeType: "text/plain", text: `Contents of ${uri}` }],
});

/** Handlers of a request, by method. */
export function handlersOf(context) {
  const { version, isStateless, session, send, token, level, client, fault } = context;
  const calls = {
    echo: ({ text }) => {
      if (typeof text !== "string") {
        if (fault.serves?.includes("any-arguments")) return content("");
        return { ...content("text is missing"), isError: true };
      }
      if (token !== undefined) {
        for (const progress of [1, 2]) {
          send({
            jsonrpc: "2.0",
            method: "notifications/progress",
            params: { progressToken: token, progress, total: 2 },
          });
        }
      }
      const least = isStateless ? level : (level ?? "debug");
      if (least !== undefined && LEVELS.indexOf("error") >= LEVELS.indexOf(least)) {
        send({
          jsonrpc: "2.0",
          method: "notifications/message",
          params: { level: "error", logger: "echo", data: { text } },
        });
      }
      return content(text);
    },
    sum: ({ a = 0, b = 0 }) => ({
      ...content(JSON.stringify({ sum: a + b })),
      ...(version >= "2025-06" && { structuredContent: { sum: a + b } }),
    }),
    ask: async (_, params) => {
      if (version < "2025-06" || !hasForms(client)) return content("No user to ask");
      if (!isStateless) {
        const { result } = await context.ask("elicitation/create", form);
        return content(result?.action ?? "none");
      }
      if (params.inputResponses?.name === undefined) {
        return {
          resultType: "input_required",
          requestState: "sealed-state",
          inputRequests: {
            name: { method: "elicitation/create", params: { mode: "form", ...form } },
          },
        };
      }
      if (typeof params.inputResponses.name !== "object" && !fault.serves?.includes("any-answer"))
        throw invalid("Malformed inputResponses");
      if (params.requestState !== "sealed-state") throw invalid("Unknown requestState");
      return content(params.inputResponses.name.action ?? "none");
    },
  };
  const handlers = {
    "tools/list": page("tools", toolsOf(version)),
    "tools/call": async (params) => {
      const { name, arguments: given = {} } = params;
      if (typeof name !== "string" || typeof given !== "object" || Array.isArray(given))
        throw invalid("Invalid parameters");
      if (!Object.hasOwn(calls, name)) throw invalid("Unknown tool");
      return calls[name](given, params);
    },
    "resources/list": page("resources", [
      { uri: "test://one", name: "one", mimeType: "text/plain" },
      { uri: "test://two", name: "two", size: 3 },
    ]),
    "resources/templates/list": ({ cursor }) => {
      if (cursor !== undefined && !fault.ignoresTemplateCursor) throw invalid("Unknown cursor");
      return { resourceTemplates: [{ uriTemplate: "test://items/{id}", name: "item" }] };
    },
    "resources/read": ({ uri }) => {
      if (!["test://one", "test://two"].includes(uri)) {
        throw {
          code: version < "2026" ? -32002 : -32602,
          message: "Resource not found",
          data: { uri },
        };
      }
      return resource(uri);
    },
    "prompts/list": page("prompts", [
      { name: "hello", description: "Greets" },
      {
        name: "greet",
        description: "Greets one",
        arguments: [{ name: "who", required: true }, { name: "style" }],
      },
    ]),
    "prompts/get": ({ name, arguments: given = {} }) => {
      if (name === "greet" && typeof given.who !== "string") throw invalid("who is missing");
      if (!["hello", "greet"].includes(name)) throw invalid("Unknown prompt");
      return {
        messages: [{ role: "user", content: { type: "text", text: `Hello ${given.who ?? ""}` } }],
      };
    },
    "completion/complete": ({ ref, argument }) => {
      if (typeof argument?.value !== "string") throw invalid("argument is missing");
      const known =
        ref.type === "ref/prompt"
          ? ["hello", "greet"].includes(ref.name)
          : ref.uri === "test://items/{id}";
      if (!known) throw invalid("Unknown reference");
      return { completion: { values: ["a", "b"], total: 2, hasMore: false } };
    },
  };
  if (isStateless) {
    return {
      ...handlers,
      "server/discover": () => ({
        supportedVersions: ["2026-07-28"],
        capabilities: capabilities(version),
      }),
      "subscriptions/listen": ({ notifications = {} }, { id }) => {
        session.listening = id;
        send({
          jsonrpc: "2.0",
          method: "notifications/subscriptions/acknowledged",
          params: { notifications, _meta: { [`${KEY}subscriptionId`]: id } },
        });
        return undefined;
      },
    };
  }
  return {
    ...handlers,
    initialize: ({ protocolVersion, capabilities: declared = {} }) => {
      session.version = SESSIONS.includes(protocolVersion) ? protocolVersion : SESSIONS[0];
      session.client = declared;
      return {
        protocolVersion: session.version,
        capabilities: capabilities(session.version),
        serverInfo: { name: "full", version: "1.0.0" },
      };
    },
    ping: () => ({}),
    "logging/setLevel": (params) => {
      if (!LEVELS.includes(params.level)) throw invalid("Unknown level");
      session.level = params.level;
      return {};
    },
    "resources/subscribe": () => ({}),
    "resources/unsubscribe": () => ({}),
  };
}
