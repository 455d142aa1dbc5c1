import { revision, Server, type Tool } from "@mcp-codegen/2026-07-28";
import { Prompts, Resources, Tools } from "@mcp-codegen/2026-07-28/features";
import { afterEach, describe, expect, it } from "vitest";
import { META, RawClient } from "./support/raw-client.js";

const info = { name: "test", version: "1" };
const text = (uri: string) => ({ contents: [{ uri, text: "text" }] });

let client: RawClient;

afterEach(() => {
  expect(client.problems).toEqual([]);
});

function everything(options: object = {}): Server {
  const [tools, prompts, resources] = [new Tools({ pageSize: 2 }), new Prompts(), new Resources()];
  for (const name of ["a", "b", "c"]) {
    tools.add({ name, inputSchema: { type: "object" } }, () => ({ content: [] }));
  }
  prompts.add({ name: "p" }, () => ({ messages: [] }));
  resources.add({ uri: "a:b", name: "b" }, text);
  return new Server(info, {}, { features: [tools, prompts, resources], ...options });
}

const cacheable = [
  ["server/discover", {}],
  ["tools/list", {}],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "a:b" }],
] as const;

describe("results", () => {
  it.each(cacheable)(
    "are marked as not cacheable for %s (CACHE-01, CACHE-13)",
    async (method, params) => {
      client = await RawClient.of(everything(), revision);
      const { result } = await client.call(1, method, params);
      expect(result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "private" });
      expect(result["_meta"]).toEqual({ [META.serverInfo]: info });
    },
  );

  it.each(cacheable)(
    "have the freshness of the options for %s (CACHE-01)",
    async (method, params) => {
      const freshness = { [method]: { ttlMs: 1000, cacheScope: "public" } };
      client = await RawClient.of(everything({ freshness }), revision);
      const { result } = await client.call(1, method, params);
      expect(result).toMatchObject({ ttlMs: 1000, cacheScope: "public" });
      const other = method === "tools/list" ? "prompts/list" : "tools/list";
      expect((await client.call(2, other)).result).toMatchObject({
        ttlMs: 0,
        cacheScope: "private",
      });
    },
  );

  it("have one scope on all pages of a list (CACHE-10)", async () => {
    const freshness = { "tools/list": { cacheScope: "public" } };
    client = await RawClient.of(everything({ freshness }), revision);
    const { result: first } = await client.call(1, "tools/list");
    expect(first.tools).toHaveLength(2);
    const { result: next } = await client.call(2, "tools/list", { cursor: first.nextCursor });
    expect(next.tools).toHaveLength(1);
    expect([first.cacheScope, next.cacheScope]).toEqual(["public", "public"]);
  });

  it("keep the freshness that a handler returns (CACHE-01)", async () => {
    const handlers = {
      "tools/list": () => ({ tools: [], ttlMs: 5, cacheScope: "public" as const, _meta: { a: 1 } }),
    };
    client = await RawClient.of(new Server(info, handlers), revision);
    const { result } = await client.call(1, "tools/list");
    expect(result).toMatchObject({ ttlMs: 5, cacheScope: "public" });
    expect(result["_meta"]).toEqual({ a: 1, [META.serverInfo]: info });
  });

  it("of tools have no freshness (COMP-06)", async () => {
    client = await RawClient.of(everything(), revision);
    const { result } = await client.call(1, "tools/call", { name: "a" });
    expect(result).toEqual({
      content: [],
      resultType: "complete",
      _meta: { [META.serverInfo]: info },
    });
  });

  it("with input requests have no freshness (CACHE-02)", async () => {
    const handlers = {
      "resources/read": () => ({
        resultType: "input_required" as const,
        requestState: "s",
        ttlMs: 5,
        cacheScope: "public" as const,
      }),
    };
    client = await RawClient.of(new Server(info, handlers), revision);
    const { result } = await client.call(1, "resources/read", { uri: "a:b" });
    expect(result.resultType).toBe("input_required");
    expect(result).not.toHaveProperty("ttlMs");
    expect(result).not.toHaveProperty("cacheScope");
  });

  it("contain changed lists", async () => {
    const tools = new Tools();
    const server = new Server(info, {}, { features: [tools] });
    client = await RawClient.of(server, revision);
    const list = async (id: number): Promise<Tool[]> =>
      (await client.call(id, "tools/list")).result.tools;
    expect(await list(1)).toEqual([]);
    expect(await list(2)).toEqual([]);
    tools.add({ name: "t", inputSchema: { type: "object" } }, () => ({ content: [] }));
    expect((await list(3)).map(({ name }) => name)).toEqual(["t"]);
  });

  it("leave the object of the handler unchanged", async () => {
    const given = Object.freeze({ tools: [] });
    client = await RawClient.of(new Server(info, { "tools/list": () => given }), revision);
    await client.call(1, "tools/list");
    expect(given).toEqual({ tools: [] });
  });

  it.each([null, 7, "x", [], { tools: [], _meta: 7 }, { tools: [], ttlMs: -1 }])(
    "become -32603 for an invalid one: %j",
    async (given) => {
      const errors: Error[] = [];
      const handlers = { "tools/list": () => given } as object;
      const options = { onerror: (error: Error) => void errors.push(error) };
      client = await RawClient.of(new Server(info, handlers, options), revision);
      const { error } = await client.call(1, "tools/list");
      expect(error).toEqual({ code: -32603, message: "Internal error" });
      expect(errors).toHaveLength(1);
    },
  );

  it.each([
    [{ "tools/call": {} }, /tools\/call cannot be cached/],
    [{ "tools/list": { ttlMs: -1 } }, /ttlMs/],
    [{ "tools/list": { ttlMs: 1.5 } }, /ttlMs/],
    [{ "tools/list": { cacheScope: "shared" } }, /cacheScope/],
  ])("reject %j as freshness", async (freshness, why) => {
    client = await RawClient.of(everything(), revision);
    expect(() => everything({ freshness })).toThrow(why);
  });

  it("report a missing resource with -32602 and its URI (RES-11, RES-12)", async () => {
    client = await RawClient.of(everything(), revision);
    const { error } = await client.call(1, "resources/read", { uri: "a:nothing" });
    expect(error).toMatchObject({ code: -32602, data: { uri: "a:nothing" } });
  });
});
