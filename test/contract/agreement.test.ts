import { contractGuard, implementContract, type ServerContract } from "@mcp-codegen/contract";
import {
  connect,
  connectInMemory,
  type McpClient,
  McpServer,
  ResourceTemplate,
  revisions,
} from "@mcp-codegen/universal";
import { serverTasks } from "@mcp-codegen/universal/tasks";
import { Diagnostics } from "mcp-codegen";
import { describe, expect, it } from "vitest";
import { contractDiff } from "../../runtime/contract/diff/contract-diff.js";
import { type LockedServer, readingOf } from "../../runtime/contract/lock/lock-file.js";
import { lockServer } from "../../runtime/contract/lock/lock-server.js";
import { mockServer } from "../../runtime/contract/mock/mock-server.js";
import { program } from "./generated-code.js";

const ids = revisions.map(({ id }) => id);
const icons = [{ src: "https://example.com/icon.png", mimeType: "image/png" }];
const object = { type: "object" } as const;
const done = (): never => ({ content: [], structuredContent: {} }) as never;

/** Servers that use all members of definitions, each in its own way. */
const servers: Readonly<Record<string, () => McpServer>> = {
  "with every member of a definition": () => {
    const server = new McpServer({ name: "all", version: "1" }, { instructions: "Be careful" });
    const tool = {
      title: "A tool",
      description: "Does something",
      icons,
      annotations: { readOnlyHint: true, openWorldHint: false },
      _meta: { "example.com/kind": "test" },
      inputSchema: { ...object, properties: { q: { type: "string", enum: ["b", "a"] } } },
      outputSchema: { ...object, properties: { n: { type: "integer" } }, required: ["n"] },
    };
    server.registerTool("all", tool as never, () => ({ n: 1 }) as never);
    server.registerTool("titled", { title: "T", annotations: { title: "Other" } }, () => "x");
    const meta = { icons, title: "Titled", description: "Text", _meta: { a: 1 } };
    const prompt = { ...meta, arguments: [{ name: "n", title: "N", required: true }] };
    server.registerPrompt("prompt", prompt as never, () => "x");
    const annotations = { audience: ["user"], priority: 0.5, lastModified: "2026-01-01T00:00:00Z" };
    const resource = { ...meta, mimeType: "text/plain", size: 4, annotations };
    server.registerResource("resource", "all://it", resource as never, () => "x");
    const template = new ResourceTemplate("all://{id}");
    server.registerResource("template", template, { ...meta, annotations } as never, () => "x");
    return server;
  },
  "with tasks": () => {
    const extensions = [serverTasks()];
    const server = new McpServer({ name: "tasks", version: "1" }, { extensions });
    for (const task of ["never", "optional", "required"] as const) {
      server.registerTool(task, { task }, () => "x");
    }
    return server;
  },
  "with results that are not objects": () => {
    const server = new McpServer({ name: "lists", version: "1" });
    const list = { type: "array", items: { $ref: "#/$defs/n" }, $defs: { n: { type: "number" } } };
    server.registerTool("list", { outputSchema: list as never }, () => [1] as never);
    const any = { anyOf: [{ type: "string" }, { type: "object" }] };
    server.registerTool("any", { outputSchema: any as never }, () => "x" as never);
    return server;
  },
  "whose result has a member of whole results": () => {
    const server = new McpServer({ name: "files", version: "1" });
    const outputSchema = { ...object, properties: { content: { type: "string" } } };
    server.registerTool("read", { outputSchema } as never, done);
    return server;
  },
  "with nothing": () => new McpServer({ name: "empty", version: "1" }),
};

const open = async (
  server: McpServer,
  id: string,
  plugins: ReturnType<typeof contractGuard>[] = [],
): Promise<McpClient> =>
  connect(await connectInMemory(server), {
    revisions: revisions.filter((revision) => revision.id === id),
    plugins,
  });

async function lock(server: McpServer, id: string): Promise<LockedServer> {
  const client = await open(server, id);
  const locked = await lockOf(client);
  await client.close();
  return locked;
}

async function all(items: AsyncIterable<object>): Promise<never[]> {
  const found: object[] = [];
  for await (const item of items) found.push(item);
  return found as never[];
}

async function lockOf(client: McpClient): Promise<LockedServer> {
  const { instructions } = client.server;
  const reading = {
    revision: client.revision,
    ...(instructions !== undefined && { instructions }),
    tools: await all(client.tools()),
    prompts: await all(client.prompts()),
    resources: await all(client.resources()),
    resourceTemplates: await all(client.resourceTemplates()),
  };
  return lockServer(reading, { manifest: "x" }, "it", new Diagnostics())!;
}

function stubOf(contract: LockedServer): McpServer {
  const { instructions } = contract;
  const server = new McpServer(
    { name: "stub", version: "1" },
    { extensions: [serverTasks()], ...(instructions !== undefined && { instructions }) },
  );
  const handlers = Object.fromEntries(
    (["tools", "prompts", "resources", "resourceTemplates"] as const).map((list) => [
      list,
      Object.fromEntries(
        contract[list].map(({ definition: { name, uri, uriTemplate } }) => [
          String(uri ?? uriTemplate ?? name),
          () => "x",
        ]),
      ),
    ]),
  );
  implementContract(server, contract, handlers, (template) => new ResourceTemplate(template));
  return server;
}

describe.each(Object.entries(servers))("a server %s", (_, create) => {
  const pairs = ids.flatMap((locked) => ids.map((spoken) => [locked, spoken] as const));

  it.each(pairs)(
    "locked at %s keeps its contract at %s, and so do its mock and stub",
    async (locked, spoken) => {
      const contract = await lock(create(), locked);
      const guard = contractGuard(contract as ServerContract, { failOn: "any" });
      for (const server of [create(), mockServer("it", contract, "1"), stubOf(contract)]) {
        await (await open(server, spoken, [guard])).close();
      }
    },
  );

  it.each(pairs)(
    "locked at %s and %s has no changes except that of the revision",
    async (one, other) => {
      const readings = [await lock(create(), one), await lock(create(), other)].map(readingOf);
      const changes = contractDiff("it", readings[0]!, readings[1]!);
      expect(changes.map(({ pointer }) => pointer)).toEqual(one === other ? [] : ["/revision"]);
    },
  );
});

it("an SDK server, which lists the same members at every revision, keeps its contract", async () => {
  const target = { command: process.execPath, args: [program("sdk-server")], stderr: "ignore" };
  const at = async (id: string, plugins: ReturnType<typeof contractGuard>[] = []) =>
    connect(target as never, { revisions: revisions.filter((one) => one.id === id), plugins });
  const spoken = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
  const contracts: LockedServer[] = [];
  for (const { id } of spoken) {
    const client = await at(id);
    contracts.push(await lockOf(client));
    await client.close();
  }
  const plugins = contracts.map((one) => contractGuard(one as ServerContract, { failOn: "any" }));
  for (const { id } of spoken) await (await at(id, plugins)).close();
  for (const id of ids) {
    for (const [index, contract] of contracts.entries()) {
      await (await open(mockServer("it", contract, "1"), id, [plugins[index]!])).close();
    }
  }
}, 60_000);

it("a change that both revisions can express is found, and none that one of them lacks", async () => {
  const contract = await lock(servers["with every member of a definition"]!(), "2025-11-25");
  const changed = structuredClone(contract) as LockedServer;
  const { definition } = changed.tools[0]! as { definition: Record<string, unknown> };
  definition["icons"] = [{ src: "https://example.com/other.png" }];
  const guard = contractGuard(changed as ServerContract, { failOn: "any" });
  const server = (): McpServer => servers["with every member of a definition"]!();
  await (await open(server(), "2025-06-18", [guard])).close();
  await expect(open(server(), "2025-11-25", [guard])).rejects.toMatchObject({
    changes: [{ list: "tools", name: "all", parts: ["safety"] }],
  });
  definition["description"] = "Does something else";
  const strict = contractGuard(changed as ServerContract);
  await expect(open(server(), "2024-11-05", [strict])).rejects.toMatchObject({
    changes: [{ list: "tools", name: "all", parts: ["prose"] }],
  });
});
