import { expect } from "vitest";
import type { Case, RawClientScene } from "../../case.js";
import { notesOf } from "../../support/notes-of.js";
import { until } from "../../support/until.js";

const request = (id: string, method = "ping", params?: object) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params && { params }),
});
const notification = { jsonrpc: "2.0", method: "notifications/invented" };

/** Arrays of messages, in revisions with and without batches. */
export const batchCases: readonly Case<RawClientScene>[] = [
  {
    name: "answers a batch with one array (BATCH-02, BATCH-05, BATCH-07)",
    needs: ["batches"],
    run: async ({ raw }) => {
      const before = raw.arrays.length;
      const call = { name: "progress", arguments: { steps: 1 } };
      raw.say([
        request("b1"),
        notification,
        request("b2", "tools/call", call),
        request("b3", "none"),
      ]);
      expect((await raw.answerTo("b1")).result).toEqual({});
      expect((await raw.answerTo("b2")).result.content).toMatchObject([{ text: "done" }]);
      expect((await raw.answerTo("b3")).error.code).toBe(-32601);
      expect(raw.arrays.slice(before).map((array) => array.length)).toEqual([3]);
    },
  },
  {
    name: "does not answer a batch of notifications or of responses to unknown requests (BATCH-06, BATCH-10)",
    needs: ["batches"],
    run: async ({ raw }) => {
      raw.say([notification, notification]);
      raw.say([{ jsonrpc: "2.0", id: "never asked", result: {} }]);
      expect(await raw.call("after notifications", "ping")).toMatchObject({ result: {} });
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "refuses invalid members of a batch one by one (BATCH-02, BATCH-04)",
    needs: ["batches"],
    run: async ({ raw, initialize }) => {
      raw.say([request("w1"), 5, request("w2", "initialize", initialize)]);
      expect((await raw.answerTo("w1")).result).toEqual({});
      expect((await raw.answerTo("w2")).error.code).toBe(-32600);
      expect((await raw.next(({ id, error }) => id === null && error)).error.code).toBe(-32600);
    },
  },
  {
    name: "refuses an empty batch, a nested one, and one that is too long (BATCH-10)",
    needs: ["batches"],
    run: async ({ raw }) => {
      const long = Array.from({ length: 21 }, (_, index) => request(`long ${index}`));
      for (const batch of [[], [[request("nested")]], long]) {
        raw.say(batch);
        expect((await raw.next(({ id, error }) => id === null && error)).error.code).toBe(-32600);
      }
      expect(await raw.call("after batches", "ping")).toMatchObject({ result: {} });
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "answers the rest of a batch if one request in it is cancelled (CANC-05, BATCH-07)",
    needs: ["batches", "sessions"],
    run: async ({ raw, wire }) => {
      const label = `batch ${wire.name}`;
      const call = { name: "wait", arguments: { label } };
      raw.say([request("kept"), request("given up", "tools/call", call)]);
      await until("the start", async () => (await notesOf(raw, label)).length === 1);
      raw.tell("notifications/cancelled", { requestId: "given up" });
      expect((await raw.answerTo("kept")).result).toEqual({});
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "accepts responses in an array (BATCH-05, BATCH-09)",
    needs: ["batches", "asks"],
    run: async ({ raw }) => {
      const call = { name: "ask", arguments: { method: "roots/list" } };
      for (const id of ["q1", "q2"]) raw.ask(id, "tools/call", call);
      const questions = [await raw.nextOf("roots/list"), await raw.nextOf("roots/list")];
      raw.say(questions.map(({ id }) => ({ jsonrpc: "2.0", id, result: { roots: [] } })));
      for (const id of ["q1", "q2"]) {
        expect((await raw.answerTo(id)).result.content[0].text).toBe('{"result":{"roots":[]}}');
      }
    },
  },
  {
    name: "refuses an initialize in a batch (BATCH-04)",
    needs: ["early"],
    run: async ({ connect, initialize }) => {
      const raw = await connect();
      raw.say([request("in a batch", "initialize", initialize)]);
      expect((await raw.next()).error.code).toBe(-32600);
    },
  },
  {
    name: "refuses every array if the revision has no batches (BATCH-01, BATCH-11)",
    needs: ["noBatches"],
    run: async ({ raw, from }) => {
      for (const batch of [[], [request("single")], [notification]]) {
        raw.say(batch);
        const { id, error } = await raw.next(({ error: one }) => one !== undefined);
        expect(error.code).toBe(-32600);
        expect(id).toBe(from.revision.traits.errorId === "optional" ? undefined : null);
      }
      expect(await raw.call("no batches", "ping")).toMatchObject({ result: {} });
      expect(raw.rest).toEqual([]);
    },
  },
];
