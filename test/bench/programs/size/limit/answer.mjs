const results = {
  initialize: {
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "dice", version: "1.0.0" },
  },
  "tools/list": { tools: [{ name: "roll", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "4" }] },
};

export const answerTo = ({ id, method }) =>
  JSON.stringify({ jsonrpc: "2.0", id, result: results[method] });
