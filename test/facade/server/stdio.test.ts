import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { serveStdio } from "../../../runtime/stdio/serve-stdio.js";
import { McpServer, REVISIONS } from "./support/server.js";

async function make() {
  const server = new McpServer();
  server.registerTool("at", {}, (ctx) => ctx.revision);
  return server;
}

describe("serving over stdio", () => {
  it("accepts a server or a factory, and supports all revisions (T26)", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const options = { input, output, exit: false, handleSignals: false, redirectConsole: false };
    await serveStdio(make, options);
    const [newest] = REVISIONS;
    const envelope = {
      "io.modelcontextprotocol/protocolVersion": newest,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const params = { name: "at", _meta: envelope };
    input.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })}\n`);
    const [line] = (await output.take(1).toArray()) as [Buffer];
    expect(JSON.parse(line.toString()).result.content[0].text).toBe(newest);
    input.end();
  });
});
