import { createRequire } from "node:module";
import { Client } from "@mcp-codegen/sdk/client";
import { InMemoryTransport, type StandardSchemaWithJSON } from "@mcp-codegen/sdk/core";
import { McpServer as McpServerOfVersion2 } from "@mcp-codegen/sdk/server";
import { McpServer } from "@mcp-codegen/sdk/server/mcp.js";
import { describe, expect, it, vi } from "vitest";
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

/**
 * Loads the conversion as in a process in which `zod` is the module with this name; without a name, `zod` is absent.
 */
async function conversionWith(zod?: string) {
  const resolve = createRequire(import.meta.url);
  const load = (id: string): unknown => resolve(zod ? id.replace(/^zod/, zod) : `absent/${id}`);
  const builtin = vi.spyOn(process, "getBuiltinModule").mockReturnValue({
    createRequire: () => load,
  } as never);
  vi.resetModules();
  const { withZod4JsonSchema } = await import("../../runtime/sdk/server/schemas/zod-4.js");
  const convert = (schema: unknown, io: "input" | "output") => {
    const { "~standard": standard } = withZod4JsonSchema(schema) as StandardSchemaWithJSON;
    return standard.jsonSchema[io]({ target: "draft-2020-12" });
  };
  return { convert, restore: () => builtin.mockRestore() };
}

describe("schemas of an early zod", () => {
  const schema = early.object({ city: early.string(), days: early.number().default(1) });

  it("are converted alike by their own zod and by the newest", async () => {
    for (const io of ["input", "output"] as const) {
      const own = await conversionWith("zod-4.1");
      const converted = own.convert(schema, io);
      own.restore();
      const latest = await conversionWith("zod");
      expect(latest.convert(schema, io)).toEqual(converted);
      latest.restore();
      expect(converted).toMatchObject({ properties: { city: { type: "string" } } });
      expect(converted["required"]).toEqual(io === "input" ? ["city"] : ["city", "days"]);
    }
  });

  it("are refused where no zod can be loaded, such as in a bundle", async () => {
    const { convert, restore } = await conversionWith();
    expect(() => convert(schema, "input")).toThrow("use zod 4.2 or later");
    restore();
  });
});
