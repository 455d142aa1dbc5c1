import type { StdioTarget } from "@mcp-codegen/runtime/facade/client";

const INITIALIZED = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "raw", version: "0" },
};
const UNKNOWN = { error: { code: -32601, message: "Method not found" } };

/**
 * Creates a process that handles each request with the given function body. The body can use `request`, the methods
 * `seen` before it, and `answer`.
 */
export function program(body: string): StdioTarget {
  const script = `
    const INITIALIZED = ${JSON.stringify(INITIALIZED)}, UNKNOWN = ${JSON.stringify(UNKNOWN)};
    const seen = [];
    const answer = (id, what) =>
      process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...what }) + "\\n");
    require("node:readline").createInterface(process.stdin).on("line", (line) => {
      const request = JSON.parse(line);
      if (request.id === undefined) return;
      ((request, seen) => { ${body} })(request, seen);
      seen.push(request.method);
    });`;
  return { command: process.execPath, args: ["-e", script], stderr: "keep", closeGrace: 100 };
}
