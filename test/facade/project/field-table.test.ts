import { expect, it } from "vitest";
import { lowered, revisions } from "./revisions.js";

/** Parts of the newest revision's messages, with everything that this table is about. */
const META = { own: 1 };
const ICONS = [{ src: "https://example.com/i.png" }];
const ANNOTATIONS = { priority: 1, lastModified: "2025-01-01T00:00:00Z" };
const INFO = {
  name: "n",
  version: "1",
  title: "T",
  icons: ICONS,
  description: "d",
  websiteUrl: "https://a.b",
};
const NAMED = { name: "n", title: "T", icons: ICONS, _meta: META };
const CONTENTS = { uri: "a:b", text: "", _meta: META };
const BLOCK = { type: "text", text: "", annotations: ANNOTATIONS, _meta: META };
const LINK = { type: "resource_link", uri: "a:b", ...NAMED };
const HINTS = {
  title: "T",
  readOnlyHint: true,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};
const TOOL = {
  ...NAMED,
  inputSchema: { type: "object" },
  outputSchema: { type: "object" },
  annotations: HINTS,
  execution: { taskSupport: "optional" },
};
const CLIENT = {
  roots: { listChanged: true },
  sampling: { context: {}, tools: {} },
  elicitation: { form: {}, url: {} },
  experimental: { a: {} },
  extensions: { a: {} },
  tasks: {},
};
const SERVER = { completions: {}, experimental: {}, extensions: {}, tasks: {} };
const MESSAGES = {
  "tools/list": { resultType: "complete", ttlMs: 0, cacheScope: "public", tools: [TOOL] },
  "resources/list": { resources: [{ uri: "a:b", annotations: ANNOTATIONS, ...NAMED }] },
  "resources/templates/list": { resourceTemplates: [{ uriTemplate: "a:{b}", ...NAMED }] },
  "prompts/list": { prompts: [{ ...NAMED, arguments: [{ name: "a", title: "A" }] }] },
  "resources/read": { contents: [CONTENTS] },
  "tools/call": { content: [BLOCK, LINK], structuredContent: { a: 1 } },
  "roots/list": { roots: [{ uri: "file:///", _meta: META }] },
  initialize: { protocolVersion: "x", capabilities: SERVER, serverInfo: INFO, instructions: "i" },
} as const;
const REQUESTS = {
  initialize: { protocolVersion: "x", capabilities: CLIENT, clientInfo: INFO },
  "tools/call": { name: "t", inputResponses: {}, requestState: "s", _meta: META },
  "completion/complete": {
    ref: { type: "ref/prompt", name: "p", title: "T" },
    argument: { name: "a", value: "" },
    context: { arguments: { b: "c" } },
  },
  "notifications/progress": { progressToken: 1, progress: 1, message: "m" },
  "sampling/createMessage": {
    messages: [{ role: "user", content: { type: "text", text: "" }, _meta: META }],
    maxTokens: 1,
  },
} as const;

/** A member's presence in 2024-11-05, 2025-03-26, 2025-06-18 and 2025-11-25. */
type Row = readonly [method: string, part: "params" | "result", path: string, there: string];

const TABLE: readonly Row[] = [
  ["initialize", "result", "/capabilities/completions", "– ● ● ●"],
  ["initialize", "params", "/capabilities/elicitation", "– – ● ●"],
  ["initialize", "params", "/capabilities/elicitation/form", "– – – ●"],
  ["initialize", "params", "/capabilities/elicitation/url", "– – – ●"],
  ["initialize", "params", "/capabilities/sampling", "● ● ● ●"],
  ["initialize", "params", "/capabilities/sampling/context", "– – – ●"],
  ["initialize", "params", "/capabilities/sampling/tools", "– – – ●"],
  ["initialize", "params", "/capabilities/roots/listChanged", "● ● ● ●"],
  ["initialize", "params", "/capabilities/tasks", "– – – ●"],
  ["initialize", "result", "/capabilities/tasks", "– – – ●"],
  ["initialize", "params", "/capabilities/extensions/a", "● ● ● ●"],
  ["initialize", "result", "/capabilities/extensions", "● ● ● ●"],
  ["initialize", "params", "/capabilities/experimental/a", "● ● ● ●"],
  ["initialize", "result", "/instructions", "● ● ● ●"],
  ...(["params", "result"] as const).flatMap((part): Row[] => {
    const info = part === "params" ? "/clientInfo" : "/serverInfo";
    return [
      ["initialize", part, `${info}/title`, "– – ● ●"],
      ["initialize", part, `${info}/icons`, "– – – ●"],
      ["initialize", part, `${info}/description`, "– – – ●"],
      ["initialize", part, `${info}/websiteUrl`, "– – – ●"],
    ];
  }),
  ["tools/list", "result", "/tools/0/title", "– – ● ●"],
  ["resources/list", "result", "/resources/0/title", "– – ● ●"],
  ["resources/templates/list", "result", "/resourceTemplates/0/title", "– – ● ●"],
  ["prompts/list", "result", "/prompts/0/title", "– – ● ●"],
  ["prompts/list", "result", "/prompts/0/arguments/0/title", "– – ● ●"],
  ["completion/complete", "params", "/ref/title", "– – ● ●"],
  ["tools/list", "result", "/tools/0/icons", "– – – ●"],
  ["resources/list", "result", "/resources/0/icons", "– – – ●"],
  ["resources/templates/list", "result", "/resourceTemplates/0/icons", "– – – ●"],
  ["prompts/list", "result", "/prompts/0/icons", "– – – ●"],
  ["tools/call", "result", "/content/1/icons", "– – – ●"],
  ["tools/list", "result", "/tools/0/_meta", "– – ● ●"],
  ["resources/list", "result", "/resources/0/_meta", "– – ● ●"],
  ["resources/templates/list", "result", "/resourceTemplates/0/_meta", "– – ● ●"],
  ["prompts/list", "result", "/prompts/0/_meta", "– – ● ●"],
  ["resources/read", "result", "/contents/0/_meta", "– – ● ●"],
  ["tools/call", "result", "/content/0/_meta", "– – ● ●"],
  ["roots/list", "result", "/roots/0/_meta", "– – ● ●"],
  ["sampling/createMessage", "params", "/messages/0/_meta", "– – – ●"],
  ["tools/list", "result", "/tools/0/annotations/title", "– ● ● ●"],
  ["tools/list", "result", "/tools/0/annotations/readOnlyHint", "– ● ● ●"],
  ["tools/list", "result", "/tools/0/annotations/openWorldHint", "– ● ● ●"],
  ["tools/list", "result", "/tools/0/outputSchema", "– – ● ●"],
  ["tools/call", "result", "/structuredContent", "– – ● ●"],
  ["tools/list", "result", "/tools/0/execution", "– – – ●"],
  ["tools/call", "result", "/content/1/uri", "– – ● ●"],
  ["tools/call", "result", "/content/0/annotations/lastModified", "– – ● ●"],
  ["resources/list", "result", "/resources/0/annotations/lastModified", "– – ● ●"],
  ["resources/list", "result", "/resources/0/annotations/priority", "● ● ● ●"],
  ["notifications/progress", "params", "/message", "– ● ● ●"],
  ["completion/complete", "params", "/context/arguments", "– – ● ●"],
  ["tools/list", "result", "/resultType", "– – – –"],
  ["tools/list", "result", "/ttlMs", "– – – –"],
  ["tools/list", "result", "/cacheScope", "– – – –"],
  ["tools/call", "params", "/inputResponses", "– – – –"],
  ["tools/call", "params", "/requestState", "– – – –"],
  ["tools/call", "params", "/_meta/own", "● ● ● ●"],
];

it.each(TABLE)("%s %s %s is %s", (method, part, path, there) => {
  const messages: Record<string, unknown> = part === "params" ? REQUESTS : MESSAGES;
  expect(valueAt(messages[method], path)).toBeDefined();
  const found = revisions.slice(0, 4).map((revision) => {
    const message = lowered(revision, method, part, messages[method]);
    return valueAt(message, path) === undefined ? "–" : "●";
  });
  expect(found.join(" ")).toBe(there);
});

function valueAt(value: unknown, path: string): unknown {
  const steps = path.slice(1).split("/");
  return steps.reduce(
    (inner, step) => (inner as Record<string, unknown> | undefined)?.[step],
    value,
  );
}
