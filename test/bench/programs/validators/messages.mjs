// The messages to validate, as texts: variants from different peers, with other values and other optional members.

const cycle = (values, index) => values[index % values.length];
const range = (length, make) => Array.from({ length }, (_, index) => make(index));
const meta = (index) => (index % 4 === 3 ? { _meta: { progressToken: index } } : {});

const info = (index) => ({
  name: `peer-${index}`,
  version: `1.${index}.0`,
  ...(index % 2 === 1 && { title: `Peer ${index}` }),
});

const callToolRequest = (index) => ({
  jsonrpc: "2.0",
  id: index % 8 === 7 ? `call-${index}` : index,
  method: "tools/call",
  params: {
    name: cycle(["search", "fetch", "write", "list"], index),
    ...(index % 16 !== 15 && {
      arguments: { query: `words ${index}`, limit: index, ...(index % 2 === 1 && { exact: true }) },
    }),
    ...meta(index),
  },
});

const property = (index) => ({
  type: cycle(["string", "integer", "boolean"], index),
  description: `What to do with ${index}`,
  ...(index % 3 === 1 && { minimum: index }),
});

const tool = (index) => ({
  name: `tool-${index}`,
  ...(index % 3 === 0 && { title: `Tool ${index}` }),
  ...(index % 10 !== 9 && { description: `Does what number ${index} of the tools is there for` }),
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(
      range(1 + (index % 5), (name) => [`argument${name}`, property(index + name)]),
    ),
    ...(index % 4 !== 0 && { required: ["argument0"] }),
  },
  ...(index % 5 === 2 && { annotations: { readOnlyHint: true, openWorldHint: index % 2 === 0 } }),
  ...(index % 7 === 3 && {
    outputSchema: { type: "object", properties: { answer: { type: "string" } } },
  }),
});

const listToolsResult = (index) => ({
  tools: range(100, (number) => tool(index + number)),
  ...(index % 2 === 1 && { nextCursor: `page-${index}` }),
});

const kinds = [
  (index) => ({ type: "text", text: `Line ${index} of what was found` }),
  (index) => ({
    type: "text",
    text: `Line ${index}, for users`,
    annotations: { audience: ["user"], priority: 0.5 },
  }),
  (index) => ({ type: "image", data: "aGVsbG8h".repeat(1 + (index % 4)), mimeType: "image/png" }),
  (index) => ({ type: "resource_link", uri: `file:///notes/${index}.md`, name: `note ${index}` }),
  (index) => ({
    type: "resource",
    resource: { uri: `file:///notes/${index}.md`, text: `Note ${index}`, mimeType: "text/plain" },
  }),
];

const callToolResult = (index) => ({
  content: range(20, (number) => cycle(kinds, index + number)(index + number)),
  ...(index % 2 === 1 && { isError: false }),
  ...(index % 4 === 2 && { structuredContent: { answer: index } }),
});

const initializeRequest = (index) => ({
  jsonrpc: "2.0",
  id: index,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {
      ...(index % 2 === 0 && { roots: { listChanged: true } }),
      ...(index % 3 === 0 && { sampling: {} }),
      elicitation: index % 4 === 1 ? { form: {}, url: {} } : {},
    },
    clientInfo: info(index),
  },
});

const prefix = "io.modelcontextprotocol/";
const discoverRequest = (index) => ({
  jsonrpc: "2.0",
  id: index,
  method: "server/discover",
  params: {
    _meta: {
      [`${prefix}protocolVersion`]: "2026-07-28",
      [`${prefix}clientInfo`]: info(index),
      [`${prefix}clientCapabilities`]: {
        ...(index % 2 === 0 && { roots: {} }),
        elicitation: index % 4 === 1 ? { form: {}, url: {} } : {},
        ...(index % 3 === 0 && {
          extensions: { "com.example/maps": { zoom: [1, 2], dark: true } },
        }),
      },
    },
  },
});

/** Returns a copy with another value at the end of the path. JSON omits a value of undefined. */
function changed(whole, path, value) {
  const [name, ...rest] = path;
  const copy = Array.isArray(whole) ? [...whole] : { ...whole };
  copy[name] = rest.length === 0 ? value : changed(whole[name], rest, value);
  return copy;
}

function message(revision, make, count, faults) {
  const valid = range(count, make);
  const broken = Object.entries(faults).map(([name, { path, value }]) => [
    name,
    valid.map((one) => changed(one, path, value)),
  ]);
  const texts = Object.entries({ valid, ...Object.fromEntries(broken) }).map(([kind, values]) => [
    kind,
    values.map((value) => JSON.stringify(value)),
  ]);
  return { revision, texts: Object.fromEntries(texts) };
}

/** The revision of each type, with texts that are valid or broken in one of several ways. */
export const messages = {
  CallToolRequest: message("2025-11-25", callToolRequest, 64, {
    "name is a number": { path: ["params", "name"], value: 7 },
    "no parameters": { path: ["params"], value: undefined },
  }),
  ListToolsResult: message("2025-11-25", listToolsResult, 8, {
    "last tool has no name": { path: ["tools", 99, "name"], value: undefined },
    "tools is an object": { path: ["tools"], value: {} },
  }),
  CallToolResult: message("2025-11-25", callToolResult, 64, {
    "last block is of no known type": { path: ["content", 19, "type"], value: "smell" },
    "isError is a text": { path: ["isError"], value: "no" },
  }),
  InitializeRequest: message("2025-11-25", initializeRequest, 64, {
    "client has no version": { path: ["params", "clientInfo", "version"], value: undefined },
    "capabilities are a text": { path: ["params", "capabilities"], value: "all" },
  }),
  DiscoverRequest: message("2026-07-28", discoverRequest, 64, {
    "token is an object": { path: ["params", "_meta", "progressToken"], value: {} },
    "parameters are a text": { path: ["params"], value: "none" },
  }),
};
