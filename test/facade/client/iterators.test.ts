import { expect, test } from "vitest";
import { connect, connectInMemory, McpServer } from "@mcp-codegen/universal";
import { scripted, scriptedSession } from "./support/connecting.js";

test.each([
  ["without a handshake", scripted],
  ["with a handshake", scriptedSession],
])("loops over lists that a server %s does not have end at once (LIFE-12)", async (_, script) => {
  const { client, server, errors } = await script({}, { capabilities: { prompts: {} } });
  for (const items of [client.tools(), client.resources(), client.resourceTemplates()]) {
    expect(await items.next()).toEqual({ done: true, value: undefined });
  }
  const lists = [client.listTools(), client.listResources(), client.listResourceTemplates()];
  for (const list of lists) await expect(list).rejects.toMatchObject({ code: "CAPABILITY" });
  const prompt = client.prompts().next();
  const messages = [await server.next()];
  while (messages.at(-1).method !== "prompts/list") messages.push(await server.next());
  const result = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
  server.answer(messages.at(-1).id, { ...result, prompts: [{ name: "one" }] });
  expect(await prompt).toMatchObject({ value: { name: "one" } });
  expect(messages.map(({ method }) => method)).not.toContain("tools/list");
  expect(errors).toEqual([]);
});

test("lists and iterators accept parameters, then options, and refuse options in their place", async () => {
  const server = new McpServer({ name: "lists", version: "1" }, { pageSize: 1 });
  for (const name of ["a", "b", "c"]) server.registerTool(name, {}, () => "");
  const client = await connect(await connectInMemory(server));
  const names = async (...given: Parameters<typeof client.tools>): Promise<string[]> => {
    const found: string[] = [];
    for await (const { name } of client.tools(...given)) found.push(name);
    return found;
  };
  expect(await names()).toEqual(["a", "b", "c"]);
  expect(await names(undefined, { cache: "reload" })).toEqual(["a", "b", "c"]);
  const { nextCursor } = (await client.request("tools/list")) as { nextCursor: string };
  expect(await names({ cursor: nextCursor })).toEqual(["b", "c"]);
  const { tools } = await client.listTools({ cursor: nextCursor, _meta: {} }, { cache: "reload" });
  expect(tools.map(({ name }) => name)).toEqual(["b"]);
  const options = { cache: "reload" } as object;
  for (const list of [() => client.tools(options), () => client.listTools(options)]) {
    expect(list).toThrow(`"cache" is not a parameter of tools/list: options follow the parameters`);
  }
  await client.close();
});
