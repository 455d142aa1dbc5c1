import { revision, Server } from "@mcp-codegen/2026-07-28";
import { Prompts } from "@mcp-codegen/2026-07-28/features";
import { revision as handshake } from "@mcp-codegen/2025-11-25";
import { describe, expect, it } from "vitest";
import { META, RawClient } from "./support/raw-client.js";
import { RevisionsServer } from "./support/servers.js";

const info = { name: "test", version: "1" };

describe("server/discover", () => {
  it("returns versions, capabilities, instructions and the identity of the server (DISC-01, DISC-02, META-14)", async () => {
    const handlers = { "tools/list": () => ({ tools: [] }) };
    const server = new Server(info, handlers, { instructions: "Ask." });
    const client = await RawClient.of(server, revision);
    const { result } = await client.call(1, "server/discover");
    expect(result).toEqual({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      instructions: "Ask.",
      ttlMs: 0,
      cacheScope: "private",
      _meta: { [META.serverInfo]: info },
    });
    expect(client.problems).toEqual([]);
  });

  it("lists every supported revision, the stateless ones first (DISC-06)", async () => {
    const server = new RevisionsServer([handshake, revision], info);
    const client = await RawClient.of(server, revision, handshake);
    const { result } = await client.call(1, "server/discover");
    expect(result.supportedVersions).toEqual(["2026-07-28", "2025-11-25"]);
    expect(client.problems).toEqual([]);
  });

  it("keeps undeclared methods at -32601 (DISC-03)", async () => {
    const handlers = { "tools/list": () => ({ tools: [] }) };
    const features = [new Prompts()];
    const capabilities = { prompts: false } as object;
    const server = new Server(info, handlers, { features, capabilities });
    const client = await RawClient.of(server, revision);
    const { result } = await client.call(1, "server/discover");
    expect(result.capabilities).toEqual({ tools: {} });
    const params = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "a", value: "" } };
    for (const method of ["prompts/list", "resources/list", "completion/complete"]) {
      const { error } = await client.call(method, method, params);
      expect(error.code, method).toBe(-32601);
    }
    expect(client.problems).toEqual([]);
  });

  it("omits the identity of an anonymous server (META-14)", async () => {
    const client = await RawClient.of(new Server(info, {}, { anonymous: true }), revision);
    const { result } = await client.call(1, "server/discover");
    expect(result).not.toHaveProperty("_meta");
    expect(client.problems).toEqual([]);
  });

  it("has the freshness of the options (CACHE-01, DISC-07)", async () => {
    const freshness = { "server/discover": { ttlMs: 60_000, cacheScope: "public" } } as const;
    const client = await RawClient.of(new Server(info, {}, { freshness }), revision);
    const { result } = await client.call(1, "server/discover");
    expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
    expect(client.problems).toEqual([]);
  });
});
