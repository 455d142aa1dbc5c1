import { revision, Server } from "@mcp-codegen/2026-07-28";
import { Prompts } from "@mcp-codegen/2026-07-28/features";
import { revision as handshake } from "@mcp-codegen/2025-11-25";
import { describe, expect, it } from "vitest";
import { META, RawClient } from "./support/raw-client.js";
import { RevisionsServer } from "./support/servers.js";

const info = { name: "test", version: "1" };

describe("server/discover", () => {
  it("DISC-01 DISC-02 META-14 tells versions, capabilities and instructions, and who the server is", async () => {
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

  it("DISC-06 lists every revision that is served, those without a handshake first", async () => {
    const server = new RevisionsServer([handshake, revision], info);
    const client = await RawClient.of(server, revision, handshake);
    const { result } = await client.call(1, "server/discover");
    expect(result.supportedVersions).toEqual(["2026-07-28", "2025-11-25"]);
    expect(client.problems).toEqual([]);
  });

  it("DISC-03 answers what it does not declare with -32601", async () => {
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

  it("META-14 leaves out who the server is where it is anonymous", async () => {
    const client = await RawClient.of(new Server(info, {}, { anonymous: true }), revision);
    const { result } = await client.call(1, "server/discover");
    expect(result).not.toHaveProperty("_meta");
    expect(client.problems).toEqual([]);
  });

  it("CACHE-01 DISC-07 has the freshness of the options", async () => {
    const freshness = { "server/discover": { ttlMs: 60_000, cacheScope: "public" } } as const;
    const client = await RawClient.of(new Server(info, {}, { freshness }), revision);
    const { result } = await client.call(1, "server/discover");
    expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
    expect(client.problems).toEqual([]);
  });
});
