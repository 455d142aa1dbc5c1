import { describe, expect, it, onTestFinished } from "vitest";
import { bridge, type BridgeOptions } from "@mcp-codegen/bridge";
import { connectInMemory } from "@mcp-codegen/universal";
import { clientAt, IDS, upstreamAt } from "./support/stage.js";

async function stage(down: string, up: string, options: BridgeOptions = {}) {
  const [one, two] = [upstreamAt(up, "one"), upstreamAt(up, "two")];
  const server = await bridge(
    { one: () => connectInMemory(one.server), two: () => connectInMemory(two.server) },
    { catalog: "search", onerror: () => {}, ...options },
  );
  onTestFinished(() => server.close());
  const { client, requested } = await clientAt(down, server);
  const search = async (args: Record<string, unknown>) => {
    const { content } = await client.callTool("search_tools", args);
    return (JSON.parse(textOf({ content })) as { name: string }[]).map(({ name }) => name);
  };
  return { client, requested, search, one, two };
}

const textOf = (result: object) => (result as { content: { text: string }[] }).content[0]!.text;

describe("a catalogue to search", () => {
  it("has two tools in place of all", async () => {
    const { client } = await stage("2026-07-28", "2025-11-25");
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["search_tools", "call_tool"]);
    expect((await client.listPrompts()).prompts).toHaveLength(4);
  });

  it("finds tools by words of their names and descriptions, the best first", async () => {
    const { search } = await stage("2025-06-18", "2026-07-28");
    expect(await search({ query: "pays" })).toEqual(["one_pay", "two_pay"]);
    expect(await search({ query: "two ECHO", limit: 1 })).toEqual(["two_echo"]);
    expect(await search({ query: "no-such-word" })).toEqual([]);
    expect(await search({ query: "", limit: 50 })).toHaveLength(28);
  });

  it.each(IDS)("calls a tool that asks once, for a client of %s", async (down) => {
    if (down < "2025-06-18") return;
    const { client, requested, two } = await stage(down, "2025-11-25");
    const result = await client.callTool("call_tool", { name: "two_pay" });
    expect(textOf(result)).toBe("accept 42");
    expect(requested).toEqual(["Pay two?"]);
    expect(two.effects).toEqual({ pay: 1 });
    const echo = { name: "two_echo", arguments: { text: "hi" } };
    expect(textOf(await client.callTool("call_tool", echo))).toBe("two: hi");
  });

  it("applies the policy of the tool that it finds", async () => {
    const decisions: string[] = [];
    const { client, search } = await stage("2026-07-28", "2025-11-25", {
      policy: { two: { deny: ["pay"] } },
      ondecision: ({ server, name }, verdict) => decisions.push(`${server} ${name} ${verdict}`),
    });
    expect(await search({ query: "pays" })).toEqual(["one_pay"]);
    await expect(client.callTool("call_tool", { name: "two_pay" })).rejects.toThrow("unknown tool");
    expect(decisions).toEqual(["two pay deny"]);
  });

  it.each([
    ["search_tools", { limit: 1 }, "query must be a string"],
    ["search_tools", { query: "x", limit: 0 }, "limit must be a whole number from 1 to 50"],
    ["call_tool", {}, "name must be the name of a tool"],
    ["one_echo", { text: "hi" }, "Find tools with search_tools"],
  ])("refuses %s with %j", async (name, args, problem) => {
    const { client } = await stage("2026-07-28", "2026-07-28");
    const result = await client.callTool(name, args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(problem);
  });

  it("is the only other kind", async () => {
    const behind = upstreamAt("2025-11-25");
    const options = { catalog: "find" } as never;
    await expect(bridge(() => connectInMemory(behind.server), options)).rejects.toThrow(
      "catalog must be all or search",
    );
  });
});
