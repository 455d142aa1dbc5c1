import { describe, expect, it } from "vitest";
import { createHttpHandler } from "@mcp-codegen/universal";
import { factsOf, McpServer, REVISIONS } from "./support/server.js";

const clientInfo = { name: "raw", version: "1" };

function serve() {
  const server = new McpServer();
  server.registerTool("at", {}, (ctx) => `${ctx.revision} ${String(ctx.header("x-test"))}`);
  const handler = createHttpHandler(server);
  const post = (message: object, headers: Record<string, string>) =>
    handler(
      new Request("http://localhost/mcp", {
        method: "POST",
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          host: "localhost",
          "x-test": "yes",
          ...headers,
        },
      }),
    );
  return { post };
}

/** The last message of an answer, whether it is JSON or a stream of events. */
async function messageOf(response: Response) {
  const text = await response.text();
  const data = [...text.matchAll(/^data: (.+)$/gm)].map(([, line]) => line!);
  return JSON.parse(data.at(-1) ?? text);
}

describe("one URL for all revisions", () => {
  const { post } = serve();

  it.each(REVISIONS.filter((id) => id >= "2025-03-26"))("serves %s", async (revision) => {
    const call = { id: 2, method: "tools/call" };
    let response: Response;
    if (factsOf(revision).isAlone) {
      const envelope = {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": clientInfo,
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      response = await post(
        { ...call, params: { name: "at", _meta: envelope } },
        {
          "mcp-protocol-version": revision,
          "mcp-method": "tools/call",
          "mcp-name": "at",
        },
      );
    } else {
      const params = { protocolVersion: revision, capabilities: {}, clientInfo };
      const opened = await post({ id: 1, method: "initialize", params }, {});
      const session = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
      await opened.text();
      const headers = { ...session, "mcp-protocol-version": revision };
      await post({ method: "notifications/initialized" }, headers);
      response = await post({ ...call, params: { name: "at" } }, headers);
    }
    expect(response.status).toBe(200);
    expect((await messageOf(response)).result.content[0].text).toBe(`${revision} yes`);
  });
});
