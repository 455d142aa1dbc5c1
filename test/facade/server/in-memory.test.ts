import { describe, expect, it } from "vitest";
import { Client as Newest } from "@mcp-codegen/2026-07-28";
import { Client as Oldest } from "@mcp-codegen/2024-11-05";
import { connect, connectInMemory } from "@mcp-codegen/universal";
import { McpServer } from "./support/server.js";

function serverOfRevisions() {
  const server = new McpServer();
  server.registerTool("at", {}, (ctx) => ctx.revision);
  return server;
}

describe("a server in memory", () => {
  it("serves pinned clients of different revisions at the same time (T26)", async () => {
    const server = serverOfRevisions();
    const info = { name: "pinned", version: "1" };
    const [oldest, newest] = [new Oldest(info), new Newest(info)];
    await Promise.all([
      oldest.connect(await connectInMemory(server)),
      newest.connect(await connectInMemory(server)),
    ]);
    const answers = await Promise.all([
      oldest.callTool({ name: "at" }),
      newest.callTool({ name: "at" }),
    ]);
    expect(answers.map(({ content }) => content)).toEqual([
      [{ type: "text", text: "2024-11-05" }],
      [{ type: "text", text: "2026-07-28" }],
    ]);
    await Promise.all([oldest.close(), newest.close()]);
  });

  it("serves the universal client", async () => {
    const server = serverOfRevisions();
    const client = await connect(await connectInMemory(server));
    const { content } = await client.callTool({ name: "at" });
    expect(content).toEqual([{ type: "text", text: "2026-07-28" }]);
    await client.close();
  });
});
