import {
  type CacheKey,
  Client,
  InMemoryResponseCacheStore,
  MAX_CACHE_TTL_MS,
  StreamableHTTPClientTransport,
} from "@mcp-codegen/sdk/client";
import { createMcpHandler, McpServer } from "@mcp-codegen/sdk/server";
import {
  InMemoryResponseCacheStore as OfficialStore,
  MAX_CACHE_TTL_MS as OFFICIAL_MAX,
} from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";

const url = new URL("http://cached.example/mcp");

function serving(scope: "public" | "private" | undefined) {
  const cacheHints = scope && {
    "tools/list": { ttlMs: 60_000, cacheScope: scope },
    "resources/read": { ttlMs: 60_000, cacheScope: scope },
  };
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "catalog", version: "1.0.0" }, { cacheHints });
    server.registerTool("search", { description: "Searches" }, () => ({ content: [] }));
    server.registerResource("config", "config://app", {}, (uri) => ({
      contents: [{ uri: uri.href, text: "dark" }],
    }));
    return server;
  });
  const reached: string[] = [];
  const fetch = async (to: string | URL, init?: RequestInit): Promise<Response> => {
    const { method } = JSON.parse(String(init?.body)) as { method: string };
    if (method !== "server/discover") reached.push(method);
    return handler.fetch(new Request(to, init));
  };
  return { reached, fetch };
}

type Options = NonNullable<ConstructorParameters<typeof Client>[1]>;

async function connected(
  fetch: ReturnType<typeof serving>["fetch"],
  options: Options,
): Promise<Client> {
  const versionNegotiation = { mode: "auto" } as const;
  const client = new Client(
    { name: "cached", version: "1.0.0" },
    { versionNegotiation, ...options },
  );
  await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
  return client;
}

describe("a store of cached results", () => {
  it.each([
    ["of this package", () => new InMemoryResponseCacheStore()],
    ["of the official SDK", () => new OfficialStore()],
  ])("%s serves several clients", async (_, newStore) => {
    const { fetch, reached } = serving("private");
    const responseCacheStore = newStore();
    const [one, other] = [
      await connected(fetch, { responseCacheStore }),
      await connected(fetch, { responseCacheStore }),
    ];
    const listed = await one.listTools();
    expect(await other.listTools()).toEqual(listed);
    await one.readResource({ uri: "config://app" });
    await other.readResource({ uri: "config://app" });
    expect(reached).toEqual(["tools/list", "resources/read"]);
    await other.readResource({ uri: "config://app" }, { cacheMode: "bypass" });
    await other.listTools(undefined, { cacheMode: "refresh" });
    expect(reached).toHaveLength(4);
    expect(responseCacheStore.size).toBe(2);
  });

  it("keeps private results of accounts separate, and shares public ones", async () => {
    for (const [scope, times] of [
      ["private", 2],
      ["public", 1],
    ] as const) {
      const { fetch, reached } = serving(scope);
      const responseCacheStore = new InMemoryResponseCacheStore();
      for (const cachePartition of ["alice", "bob"]) {
        const client = await connected(fetch, { responseCacheStore, cachePartition });
        await client.readResource({ uri: "config://app" });
      }
      expect(reached, scope).toHaveLength(times);
    }
  });

  it("has addresses in the form of the SDK's stores", async () => {
    const { fetch } = serving("public");
    const keys: CacheKey[] = [];
    const store = new InMemoryResponseCacheStore();
    const responseCacheStore = {
      get: (key: CacheKey) => store.get(key),
      set: async (key: CacheKey, entry: { value: string }) => {
        keys.push(key);
        return store.set(key, entry);
      },
      delete: (key: CacheKey) => store.delete(key),
      evict: (method: string) => store.evict(method),
      clear: () => store.clear(),
    };
    const client = await connected(fetch, { responseCacheStore, cachePartition: "alice" });
    await client.listTools();
    await client.readResource({ uri: "config://app" });
    const partition = JSON.stringify([url.href, ""]);
    expect(keys).toEqual([
      { method: "tools/list", params: "", partition },
      { method: "resources/read", params: "config://app", partition },
    ]);
  });

  it("keeps a result without freshness for defaultCacheTtlMs, at most for a day", async () => {
    const { fetch, reached } = serving(undefined);
    const client = await connected(fetch, {
      defaultCacheTtlMs: 60_000,
      versionNegotiation: { mode: "legacy" },
    });
    reached.length = 0;
    await client.listTools();
    await client.listTools();
    expect(reached).toEqual(["tools/list"]);
    expect(MAX_CACHE_TTL_MS).toBe(OFFICIAL_MAX);
  });
});

const read = (params: string) => ({ method: "resources/read", params, partition: "p" });

describe("InMemoryResponseCacheStore", () => {
  it("behaves like the official one", () => {
    const transcripts = [InMemoryResponseCacheStore, OfficialStore].map((Store) => {
      const seen: unknown[] = [];
      const store = new Store({ maxEntries: 2 });
      for (const uri of ["a:1", "a:2", "a:1", "a:3"]) {
        seen.push(store.set(read(uri), { value: uri, expiresAt: 5, scope: "public" }));
      }
      seen.push(store.set({ method: "tools/list" }, { value: "{}" }), store.size);
      for (const uri of ["a:1", "a:2", "a:3"]) seen.push(store.get(read(uri)) ?? null);
      seen.push(store.get({ method: "tools/list", params: "", partition: "" }));
      store.delete(read("a:3"));
      seen.push(store.size);
      store.evict("tools/list");
      seen.push(store.size);
      store.clear();
      seen.push(store.size);
      return seen;
    });
    expect(transcripts[0]).toEqual(transcripts[1]);
  });
});
