import { expect } from "vitest";
import type { Case, RawClientScene } from "../../case.js";

/** A server's reactions to the way in which a client opens a session. */
export const handshakeCases: readonly Case<RawClientScene>[] = [
  {
    name: "answers an unknown revision with its own (LIFE-08)",
    run: async ({ connect, initialize, from }) => {
      const raw = await connect();
      const params = { ...initialize, protocolVersion: "1999-12-31", capabilities: {} };
      const { result } = await raw.call("unknown", "initialize", params);
      expect(result.protocolVersion).toBe(from.revision.id);
    },
  },
  {
    name: "accepts unknown capabilities and members (BASE-16, BASE-17)",
    run: async ({ connect, initialize }) => {
      const raw = await connect();
      const capabilities = { experimental: { a: {} }, invented: { listChanged: true } };
      const { result } = await raw.call(1, "initialize", { ...initialize, capabilities, more: 1 });
      expect(result.serverInfo.name).toBe("everything");
    },
  },
  {
    name: "refuses an initialize with invalid parameters, and accepts the next one (LIFE-02)",
    run: async ({ connect, initialize }) => {
      const raw = await connect();
      const wrong = await raw.call("wrong", "initialize", { ...initialize, clientInfo: 5 });
      expect(wrong.error).toMatchObject({
        code: -32602,
        message: expect.stringMatching(/clientInfo/),
      });
      const right = await raw.call("right", "initialize", initialize);
      expect(right.result.serverInfo.name).toBe("everything");
    },
  },
  {
    name: "answers only pings before it is initialized (PING-01, LIFE-01, LIFE-20)",
    needs: ["early"],
    run: async ({ connect, initialize }) => {
      const raw = await connect();
      expect(await raw.call("ping", "ping")).toMatchObject({ result: {} });
      const early = await raw.call("early", "tools/list");
      expect(early.error.code).toBe(-32600);
      const { result } = await raw.call("late", "initialize", initialize);
      expect(result.serverInfo.name).toBe("everything");
    },
  },
  {
    name: "refuses a second initialize (LIFE-01)",
    needs: ["sessions"],
    run: async ({ raw, initialize }) => {
      const again = await raw.call("again", "initialize", initialize);
      expect(again.error.code).toBe(-32600);
      expect(await raw.call("after again", "ping")).toMatchObject({ result: {} });
    },
  },
  {
    name: "accepts initialized twice (LIFE-04, I10)",
    run: async ({ connect, initialize }) => {
      const raw = await connect();
      await raw.call("init", "initialize", initialize);
      for (let time = 0; time < 2; time += 1) raw.tell("notifications/initialized");
      expect(await raw.call("ping", "ping")).toMatchObject({ result: {} });
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "sends no requests before initialized (LIFE-06)",
    needs: ["sessions"],
    run: async ({ connect, initialize }) => {
      const raw = await connect();
      await raw.call("init", "initialize", initialize);
      const params = { name: "ask", arguments: { method: "roots/list", unrelated: true } };
      const { result } = await raw.call("asks", "tools/call", params);
      expect(result.content[0].text).toContain("LIFECYCLE");
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "a server without features answers -32601 to their methods (LIFE-12, COMP-04, I13)",
    run: async ({ connect, initialize, from }) => {
      const raw = await connect("bare");
      await raw.call("init", "initialize", initialize);
      raw.tell("notifications/initialized");
      const requests = [...from.revision.methods.values()].filter(
        ({ kind, role }) => kind === "request" && !role,
      );
      for (const { method } of [...requests, { method: "__proto__" }, { method: "constructor" }]) {
        expect((await raw.call(`bare ${method}`, method, {})).error.code).toBe(-32601);
      }
    },
  },
];
