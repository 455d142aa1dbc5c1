// A server over stdio with 10,000 tools, names of inherited members, and a description of 10 MiB.
import { createInterface } from "node:readline";

const inputSchema = { type: "object" };
const tools = [
  ...Array.from({ length: 10_000 }, (_, index) => ({ name: `tool-${index}`, inputSchema })),
  ...["__proto__", "constructor", "toString"].map((name) => ({ name, inputSchema })),
  { name: "large", description: "x".repeat(10 * 1024 * 1024), inputSchema },
];
const results = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "hostile", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name }) => ({ content: [{ type: "text", text: name }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = Object.hasOwn(results, method) ? results[method](params) : undefined;
  const error = { code: -32_601, message: "Method not found" };
  const answer = { jsonrpc: "2.0", id, ...(result ? { result } : { error }) };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
});
