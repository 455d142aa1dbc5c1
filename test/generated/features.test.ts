import { describe, expect, it } from "vitest";
import type { Revision } from "../../runtime/wire/revision/revision.js";
import { memoryPair } from "../../runtime/memory/memory-pair.js";
import { bundled } from "../generator/bundled-protocols.js";

interface Context {
  readonly request: (method: string) => Promise<{ roots: [{ uri: string }] }>;
}

const info = { name: "x", version: "1" };
const packages = await Promise.all(
  bundled.map(async (name) => ({
    name,
    core: await import(`@mcp-codegen/${name}`),
    features: await import(`@mcp-codegen/${name}/features`),
  })),
);

/** The revisions that open a conversation with a handshake. The runtime cannot open others yet. */
const connectable = packages.filter(
  ({ core }) => (core.revision as Revision).traits.lifecycle === "initialize",
);

describe.each(connectable)("features of $name", ({ core, features }) => {
  it("work in a server, and a client works with its own", async () => {
    const tools = new features.Tools({ schemas: "unchecked" });
    tools.add({ name: "place", inputSchema: { type: "object" } }, async (_args: object, { request }: Context) => {
      const { roots } = await request("roots/list");
      return { content: [{ type: "text", text: roots[0].uri }] };
    });
    const prompts = new features.Prompts();
    prompts.add({ name: "hello" }, () => ({ messages: [] }));
    const server = new core.Server(info, {}, { features: [tools, prompts] });
    const roots = new features.Roots([{ uri: "file:///here" }]);
    const client = new core.Client(info, {}, { features: [roots] });
    const [near, far] = memoryPair();
    await server.connect(far);
    await client.connect(near);
    const { content } = await client.callTool({ name: "place" });
    expect(content).toEqual([{ type: "text", text: "file:///here" }]);
    const names: string[] = [];
    for await (const { name } of client.allPrompts()) names.push(name);
    expect(names).toEqual(["hello"]);
    expect(client.server.capabilities).toMatchObject({ tools: {}, prompts: {} });
    await client.close();
  });
});
