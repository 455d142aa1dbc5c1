import { join } from "node:path";
import { McpServer } from "@mcp-codegen/universal/server";
import { createHttpHandler } from "@mcp-codegen/universal/http";
import { listen } from "@mcp-codegen/runtime/http/node";
import { torture, TORTURE_CASES } from "@mcp-codegen/testing/torture";
import { describe, expect, it } from "vitest";

const faulty = [process.execPath, join(import.meta.dirname, "../doctor/servers/faulty.mjs")];

describe("torture", () => {
  it("has cases with unique ids", () => {
    const ids = TORTURE_CASES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is survived by a server of ours over HTTP", async () => {
    const server = new McpServer({ name: "victim", version: "1.0.0" }, { onerror: () => {} });
    server.registerTool("echo", {}, () => "Hello");
    const http = await listen(createHttpHandler(server), { port: 0 });
    try {
      const outcomes = await torture({ url: new URL(http.url) });
      expect(outcomes.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
      expect(outcomes.length).toBeGreaterThan(30);
    } finally {
      await http.close();
    }
  });

  it("finds a server that does not survive", async () => {
    const [outcome] = await torture({ command: faulty }, { only: ["not-json"] });
    expect(outcome).toMatchObject({ id: "not-json", outcome: "failed" });
    expect(outcome!.message).toMatch(/^it ended: it exited with code 1; it wrote: /);
  });

  it("finds a server that answers what it must ignore", async () => {
    const [outcome] = await torture({ command: faulty }, { only: ["wrong-version-of-jsonrpc"] });
    expect(outcome).toMatchObject({
      outcome: "failed",
      message: 'it was accepted: {"jsonrpc":"2.0","id":"torture","result":{}}',
    });
  });

  it("has the same result for the same seed", async () => {
    const only = ["random-messages"];
    const runs = [1, 2].map(() => torture({ command: faulty }, { only, seed: 7 }));
    const [one, other] = await Promise.all(runs);
    expect(one!.map(({ outcome }) => outcome)).toEqual(other!.map(({ outcome }) => outcome));
  });

  it("says why a server cannot be opened", async () => {
    await expect(torture({ command: ["no-such-program-anywhere"] })).rejects.toThrow(
      "there is no program no-such-program-anywhere",
    );
  });
});
