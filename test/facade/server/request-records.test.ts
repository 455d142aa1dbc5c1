import { describe, expect, it } from "vitest";
import type { RequestRecord } from "../../../runtime/api/index.js";
import { RpcError } from "@mcp-codegen/universal";
import { McpServer, REVISIONS } from "./support/server.js";
import { Talk } from "./support/talk.js";

describe.each(REVISIONS)("the record of a request of %s", (revision) => {
  it("states how it ended, responded or cancelled, and with which reason (CANC-08)", async () => {
    const records: RequestRecord[] = [];
    const server = new McpServer({ onrequestend: (record) => void records.push(record) });
    server.registerTool("works", {}, () => "ok");
    server.registerTool("fails", {}, () => {
      throw new RpcError(7, "no");
    });
    server.registerTool(
      "waits",
      {},
      (ctx) =>
        new Promise((resolve) => {
          ctx.signal.addEventListener("abort", () => resolve("late"));
        }),
    );
    const talk = await Talk.with(server, revision);
    records.length = 0;
    await talk.call("tools/call", { name: "works" });
    await talk.call("tools/call", { name: "fails" });
    const { raw } = talk;
    const waiting = talk.call("tools/call", { name: "waits" });
    waiting.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    raw.say({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 3, reason: "bored" },
    });
    await expect.poll(() => records.length).toBe(3);
    const seen = records.map(({ outcome, code, reason }) => [outcome, code, reason]);
    expect(seen).toEqual([
      ["result", undefined, undefined],
      ["error", 7, undefined],
      ["cancelled", undefined, "bored"],
    ]);
    for (const { method, milliseconds, revision: under } of records) {
      expect([method, under]).toEqual(["tools/call", revision]);
      expect(milliseconds).toBeGreaterThanOrEqual(0);
    }
  });

  it("is an error for a sender that exceeds the rate limit (TOOL-10, COMP-05)", async () => {
    const records: RequestRecord[] = [];
    const limit = { perSecond: 1, burst: 3, anonymous: true };
    const server = new McpServer({
      rateLimits: { "tools/call": limit, "completion/complete": limit },
      onrequestend: (record) => void records.push(record),
    });
    server.registerTool("works", {}, () => "ok");
    const talk = await Talk.with(server, revision);
    const codes: unknown[] = [];
    for (let count = 0; count < 5; count++) {
      const { error } = await talk.call("tools/call", { name: "works" });
      codes.push(error?.code);
      if (error) expect(error.message).toContain("rateLimits");
    }
    expect(codes).toEqual([undefined, undefined, undefined, -32603, -32603]);
    expect(records.at(-1)).toMatchObject({ outcome: "error", code: -32603 });
  });
});
