import { expect } from "vitest";
import type { Case, RawServerScene } from "../../case.js";
import { Elicitation } from "@mcp-codegen/runtime/features";
import { initializeResult } from "../../support/raw-server-result.js";
import { until } from "../../support/until.js";

const echoed = { content: [{ type: "text", text: "hi" }] };
const sampling = {
  messages: [{ role: "user", content: { type: "text", text: "hi" } }],
  maxTokens: 1,
};

const tool = (name: string) => ({ name, inputSchema: { type: "object" } });

/** A client's reactions to a server's answers, requests and notifications. */
export const requestCases: readonly Case<RawServerScene>[] = [
  {
    name: "keeps unknown members of results (BASE-16)",
    run: async ({ connect }) => {
      const { client, raw } = await connect();
      const calling = client.callTool({ name: "echo" });
      const { id, params } = await raw.nextOf("tools/call");
      expect(params).toEqual({ name: "echo" });
      raw.answer(id, { ...echoed, more: [1], _meta: { "example.com/a": 1 } });
      expect(await calling).toEqual({ ...echoed, more: [1], _meta: { "example.com/a": 1 } });
    },
  },
  {
    name: "rejects with the error of the server, or with the fault of its response (BASE-07, BASE-08)",
    run: async ({ connect }) => {
      const { client, raw } = await connect();
      const refused = client.callTool({ name: "a" });
      const error = { code: 4711, message: "no", data: { why: [] } };
      raw.refuse((await raw.nextOf("tools/call")).id, error);
      await expect(refused).rejects.toMatchObject({ name: "RpcError", ...error });
      const wrong = client.callTool({ name: "a" });
      raw.answer((await raw.nextOf("tools/call")).id, { content: "text" });
      await expect(wrong).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
      await expect(wrong).rejects.toThrow(/\/content/);
      const odd = client.callTool({ name: "a" });
      raw.refuse((await raw.nextOf("tools/call")).id, { message: 5 });
      await expect(odd).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    },
  },
  {
    name: "accepts only the response to its request (BASE-06, CANC-14)",
    run: async ({ connect, wire }) => {
      const { client, raw, errors } = await connect();
      const calling = client.callTool({ name: "a" });
      const { id } = await raw.nextOf("tools/call");
      if (wire.traits.sessions) {
        raw.answer(String(id), echoed);
        raw.answer(4711, echoed);
        await until(
          "both to be reported",
          () => errors.length >= 2,
          () => errors.map(String),
        );
      }
      raw.answer(id, { content: [] });
      expect(await calling).toEqual({ content: [] });
    },
  },
  {
    name: "cancels an aborted or late request, and ignores its response (CANC-01, CANC-07, LIFE-16)",
    needs: ["sessions"],
    run: async ({ connect }) => {
      const { client, raw, errors } = await connect();
      const controller = new AbortController();
      const aborted = client.callTool({ name: "a" }, { signal: controller.signal });
      aborted.catch(() => {});
      const first = await raw.nextOf("tools/call");
      controller.abort("enough");
      await expect(aborted).rejects.toBe("enough");
      const { params } = await raw.nextOf("notifications/cancelled");
      expect(params).toEqual({ requestId: first.id, reason: "enough" });
      const late = client.callTool({ name: "a" }, { timeout: 50 });
      const second = await raw.nextOf("tools/call");
      await expect(late).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
      expect((await raw.nextOf("notifications/cancelled")).params.requestId).toBe(second.id);
      for (const { id } of [first, second]) raw.answer(id, echoed);
      const pinging = client.ping();
      raw.answer((await raw.nextOf("ping")).id, {});
      expect(await pinging).toEqual({});
      expect(errors).toEqual([]);
    },
  },
  {
    name: "receives progress for its own requests only (PROG-01, PROG-05)",
    run: async ({ connect }) => {
      const { client, raw } = await connect();
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      const calling = client.callTool({ name: "a" }, { onprogress });
      const { id, params } = await raw.nextOf("tools/call");
      const { progressToken } = params["_meta"];
      for (const progress of [0.5, 1]) {
        raw.tell("notifications/progress", { progressToken, progress }, id);
        await until("the notification", () => seen.includes(progress));
      }
      raw.tell("notifications/progress", { progressToken: "nobody's", progress: 7 }, id);
      raw.answer(id, echoed);
      expect(await calling).toEqual(echoed);
      expect(seen).toEqual([0.5, 1]);
    },
  },
  {
    name: "answers declared requests, and others with -32601 (PING-01, ROOT-05, ERR-01)",
    needs: ["asks"],
    run: async ({ connect, knows }) => {
      const { raw } = await connect();
      expect((await raw.call("s1", "ping")).result).toEqual({});
      expect((await raw.call("", "roots/list")).result.roots).toHaveLength(1);
      expect((await raw.call(0, "sampling/createMessage", sampling)).result.model).toBe("adder");
      const elicitation = await raw.call("s2", "elicitation/create", {
        message: "Who?",
        requestedSchema: { type: "object", properties: { name: { type: "string" } } },
      });
      if (knows.elicitation) expect(elicitation.result).toMatchObject({ action: "accept" });
      else expect(elicitation.error.code).toBe(-32601);
      for (const method of ["nothing/such", "tools/list", "constructor"]) {
        expect((await raw.call(`unknown ${method}`, method, {})).error.code).toBe(-32601);
      }
    },
  },
  {
    name: "a client without handlers answers -32601 (ROOT-05, LIFE-12)",
    needs: ["asks"],
    run: async ({ connect }) => {
      const { raw } = await connect({ bare: true });
      for (const method of ["roots/list", "sampling/createMessage", "elicitation/create"]) {
        expect((await raw.call(method, method, sampling)).error.code).toBe(-32601);
      }
    },
  },
  {
    name: "refuses invalid requests (SAMP-13, ELIC-06, ERR-02)",
    needs: ["asks"],
    run: async ({ connect }) => {
      const { raw } = await connect();
      const wrong = await raw.call("wrong", "sampling/createMessage", { messages: "none" });
      expect(wrong.error).toMatchObject({
        code: -32602,
        message: expect.stringContaining("/messages"),
      });
      expect((await raw.call("alive", "ping")).result).toEqual({});
    },
  },
  {
    name: "refuses undeclared modes and tools (ELIC-06, SAMP-08)",
    needs: ["asks", "urlElicitation"],
    run: async ({ from, begin }) => {
      const features = [new Elicitation({ form: () => ({ action: "decline" }) })];
      const { raw, connecting } = await begin({ options: { features } });
      raw.answer((await raw.nextOf("initialize")).id, initializeResult(from));
      await connecting;
      const params = { mode: "url", message: "Go", url: "https://example.com", elicitationId: "1" };
      expect((await raw.call("url", "elicitation/create", params)).error.code).toBe(-32602);
    },
  },
  {
    name: "aborts a request that the server cancels, and sends no response (CANC-05)",
    needs: ["asks"],
    run: async ({ connect }) => {
      const { raw, received } = await connect();
      const content = { type: "text", text: "wait" };
      const params = { messages: [{ role: "user", content }], maxTokens: 1 };
      raw.ask("takes back", "sampling/createMessage", params);
      await until("the question", () => received.length === 1);
      raw.tell("notifications/cancelled", { requestId: "takes back" });
      await until("the abort", () => received.some(({ method }) => method === "aborted"));
      expect((await raw.call("alive", "ping")).result).toEqual({});
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "handles known notifications and ignores unknown ones (LOG-02, BASE-10)",
    needs: ["asks"],
    run: async ({ connect }) => {
      const { raw, received } = await connect();
      raw.tell("notifications/invented", { a: 1 });
      raw.tell("notifications/message", { level: "loud", data: 1 });
      raw.tell("notifications/message", { level: "info", data: { a: [1] } });
      raw.tell("notifications/tools/list_changed");
      await until(
        "both",
        () => received.length >= 2,
        () => received,
      );
      expect(received).toEqual([
        { method: "notifications/message", params: { level: "info", data: { a: [1] } } },
        { method: "notifications/tools/list_changed", params: undefined },
      ]);
    },
  },
  {
    name: "accepts batches of the server if the revision has them (BATCH-08)",
    needs: ["batches", "asks"],
    run: async ({ connect }) => {
      const { raw, received } = await connect();
      const notifications = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
      raw.say([notifications, { jsonrpc: "2.0", id: "b1", method: "ping" }, notifications]);
      expect((await raw.answerTo("b1")).result).toEqual({});
      await until("both", () => received.length === 2);
    },
  },
  {
    name: "follows cursors to the end, also an empty one, but never in a cycle (PAGE-04, PAGE-05)",
    run: async ({ connect }) => {
      const { client, raw } = await connect();
      const names: string[] = [];
      const listing = (async () => {
        for await (const { name } of client.allTools()) names.push(name);
      })();
      listing.catch(() => {});
      const first = await raw.nextOf("tools/list");
      expect(first.params?.cursor).toBeUndefined();
      raw.answer(first.id, { tools: [tool("a")], nextCursor: "" });
      const second = await raw.nextOf("tools/list");
      expect(second.params).toEqual({ cursor: "" });
      raw.answer(second.id, { tools: [], nextCursor: "x" });
      const third = await raw.nextOf("tools/list");
      raw.answer(third.id, { tools: [tool("b")], nextCursor: "" });
      await expect(listing).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
      expect(names).toEqual(["a", "b"]);
    },
  },
  {
    name: "disconnects in order (LIFE-18, SESS-08)",
    run: async ({ connect, wire }) => {
      const { client, raw } = await connect();
      const waiting = client.callTool({ name: "a" });
      waiting.catch(() => {});
      await raw.nextOf("tools/call");
      await client.close();
      await expect(waiting).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
      expect(await client.closed).toBeUndefined();
      if (wire.traits.sessions) await until("the end", () => raw.isClosed);
    },
  },
];
