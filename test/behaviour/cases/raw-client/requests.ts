import { expect } from "vitest";
import type { Case, RawClientScene } from "../../case.js";
import { notesOf } from "../../support/notes-of.js";
import { until } from "../../support/until.js";

const tool = (name: string, args: object, meta?: object) => ({
  name,
  arguments: args,
  ...(meta && { _meta: meta }),
});

/** Pending requests: ids, cancellation, progress, and questions sent back. */
export const requestCases: readonly Case<RawClientScene>[] = [
  {
    name: "refuses an id that is in flight, and answers the first request (BASE-04)",
    needs: ["sessions"],
    run: async ({ raw, wire }) => {
      const label = `twice ${wire.name}`;
      raw.ask("twice", "tools/call", tool("wait", { label }));
      await until("the start", async () => (await notesOf(raw, label)).length === 1);
      raw.ask("twice", "tools/call", tool("wait", { label }));
      expect((await raw.answerTo("twice")).error.code).toBe(-32600);
      raw.tell("notifications/cancelled", { requestId: "twice" });
      await until("the abort", async () => (await notesOf(raw, label)).length === 2);
    },
  },
  {
    name: "a cancelled request gets no response, and an id of another type is another request (CANC-05, CANC-14)",
    needs: ["sessions"],
    run: async ({ raw, wire }) => {
      const label = `cancel ${wire.name}`;
      raw.ask(77, "tools/call", tool("wait", { label }));
      await until("the start", async () => (await notesOf(raw, label)).length === 1);
      raw.tell("notifications/cancelled", { requestId: "77" });
      expect(await notesOf(raw, label)).toEqual(["started"]);
      raw.tell("notifications/cancelled", { requestId: 77, reason: "enough" });
      await until("the abort", async () => (await notesOf(raw, label)).length === 2);
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "ignores cancellations of unknown, answered and initialize requests (CANC-03, CANC-06)",
    run: async ({ raw }) => {
      await raw.call("done", "ping");
      for (const requestId of ["done", "never", "initialize", 0]) {
        raw.tell("notifications/cancelled", { requestId });
      }
      expect(await raw.call("alive 5", "ping")).toMatchObject({ result: {} });
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "sends progress with any token before the response (PROG-02, PROG-04, PROG-05)",
    needs: ["tells"],
    run: async ({ raw }) => {
      for (const progressToken of [0, "", "a token", 2 ** 40]) {
        const meta = { progressToken };
        const id = `progress ${progressToken}`;
        raw.ask(id, "tools/call", tool("progress", { steps: 3 }, meta));
        for (const progress of [1, 2, 3]) {
          const { params } = await raw.nextOf("notifications/progress");
          expect(params).toMatchObject({ progressToken, progress, total: 3 });
        }
        expect((await raw.answerTo(id)).result.content).toMatchObject([{ text: "done" }]);
      }
      raw.ask("no token", "tools/call", tool("progress", { steps: 2 }));
      await raw.answerTo("no token");
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "sends a request to the client, and handles every kind of response (BASE-07, BASE-08, ROOT-05)",
    needs: ["asks"],
    run: async ({ raw }) => {
      const ask = async (
        id: string,
        reply: (requested: { id: unknown }) => void,
      ): Promise<string> => {
        raw.ask(id, "tools/call", tool("ask", { method: "roots/list" }));
        reply(await raw.nextOf("roots/list"));
        return (await raw.answerTo(id)).result.content[0].text as string;
      };
      const good = { roots: [{ uri: "file:///a" }], more: 1 };
      expect(JSON.parse(await ask("good", ({ id }) => raw.answer(id, good)))).toEqual({
        result: good,
      });
      const wrong = await ask("bad", ({ id }) => raw.answer(id, { roots: "none" }));
      expect(wrong).toContain("INVALID_MESSAGE");
      const error = { code: -32603, message: "broken", data: [1] };
      expect(await ask("error", ({ id }) => raw.refuse(id, error))).toContain('"data":[1]');
      const both = ({ id }: { id: unknown }) => raw.say({ jsonrpc: "2.0", id, result: {}, error });
      expect(await ask("both", both)).toContain("INVALID_MESSAGE");
      const odd = await ask("odd", ({ id }) => raw.refuse(id, { code: "x" }));
      expect(odd).toContain("INVALID_MESSAGE");
    },
  },
  {
    name: "cancels its request when the call is cancelled, and ignores a late response (CANC-01, CANC-07)",
    needs: ["asks"],
    run: async ({ raw }) => {
      raw.ask("asks", "tools/call", tool("ask", { method: "roots/list" }));
      const question = await raw.nextOf("roots/list");
      raw.tell("notifications/cancelled", { requestId: "asks" });
      const { params } = await raw.nextOf("notifications/cancelled");
      expect(params.requestId).toBe(question.id);
      raw.answer(question.id, { roots: [] });
      expect(await raw.call("alive 6", "ping")).toMatchObject({ result: {} });
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "cancels a request that is not answered in time (LIFE-16)",
    needs: ["asks"],
    run: async ({ raw }) => {
      raw.ask("slow", "tools/call", tool("ask", { method: "roots/list", timeout: 50 }));
      const { id } = await raw.nextOf("roots/list");
      const { params } = await raw.nextOf("notifications/cancelled");
      expect(params.requestId).toBe(id);
      expect((await raw.answerTo("slow")).result.content[0].text).toContain("REQUEST_TIMEOUT");
      raw.answer(id, { roots: [] });
      expect(await raw.call("alive 7", "ping")).toMatchObject({ result: {} });
    },
  },
  {
    name: "refuses an answer that violates the form (ELIC-20)",
    needs: ["asks", "elicitation"],
    run: async ({ raw }) => {
      const requestedSchema = { type: "object", properties: { age: { type: "integer" } } };
      raw.ask("form", "tools/call", tool("form", { message: "Age?", requestedSchema }));
      const { id } = await raw.nextOf("elicitation/create");
      raw.answer(id, { action: "accept", content: { age: "old" } });
      const { result } = await raw.answerTo("form");
      expect(result.content[0].text).toContain("INVALID_MESSAGE");
    },
  },
];
