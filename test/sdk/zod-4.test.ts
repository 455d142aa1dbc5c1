import { Client } from "@mcp-codegen/sdk/client";
import { InMemoryTransport } from "@mcp-codegen/sdk/core";
import { McpServer as McpServerOfVersion2 } from "@mcp-codegen/sdk/server";
import { McpServer } from "@mcp-codegen/sdk/server/mcp.js";
import { describe, expect, it } from "vitest";
import * as mini from "zod/mini";
import * as newest from "zod";
import * as early from "zod-4.1";

const libraries: [string, typeof newest][] = [
  ["zod 4.1", early as never],
  ["zod/mini", mini as never],
  ["the newest zod", newest],
];
const servers: [string, typeof McpServer][] = [
  ["version 1", McpServer],
  ["version 2", McpServerOfVersion2 as never],
];

function echo(args: object): never {
  return { content: [{ type: "text", text: JSON.stringify(args) }] } as never;
}

describe.each(libraries)("schemas of %s", (_, z) => {
  it.each(servers)("are listed and checked by servers of %s", async (__, Server) => {
    const server = new Server({ name: "towns", version: "1.0.0" });
    const members = { city: z.string(), days: z.number(), unit: z._default(z.string(), "C") };
    server.registerTool("members", { inputSchema: members }, echo);
    server.registerTool("object", { inputSchema: z.object(members) }, echo);
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    const client = new Client({ name: "visitor", version: "1.0.0" });
    await client.connect(near);
    const { tools } = await client.listTools();
    for (const { inputSchema } of tools)
      expect(inputSchema).toMatchObject({
        type: "object",
        properties: { city: { type: "string" }, unit: { type: "string", default: "C" } },
        required: ["city", "days"],
      });
    for (const { name } of tools) {
      const right = await client.callTool({ name, arguments: { city: "Ulm", days: 2 } });
      expect(right).toMatchObject({ content: [{ text: '{"city":"Ulm","days":2,"unit":"C"}' }] });
      const wrong = client.callTool({ name, arguments: { city: 1, days: 2 } });
      await expect(wrong).resolves.toMatchObject({ isError: true });
    }
    await client.close();
  });
});
