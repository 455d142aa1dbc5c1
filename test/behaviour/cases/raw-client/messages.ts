import { expect } from "vitest";
import type { Case, RawClientScene } from "../../case.js";

const echo = (value: unknown) => ({ name: "echo", arguments: { value } });

/** A server's reactions to single messages, valid and invalid. */
export const messageCases: readonly Case<RawClientScene>[] = [
  {
    name: "echoes ids with their type (BASE-03, BASE-06, CANC-14)",
    run: async ({ raw }) => {
      for (const id of [0, -1, 7, "7", "", "ü", Number.MAX_SAFE_INTEGER]) {
        const { result } = await raw.call(id, "tools/call", echo(`id ${typeof id}`));
        expect(result.content).toEqual([{ type: "text", text: `id ${typeof id}` }]);
      }
    },
  },
  {
    name: "refuses invalid ids (BASE-03, F02, F17, I03)",
    run: async ({ raw, from }) => {
      for (const id of [null, 1.5, true, {}, [], 2 ** 53, "x".repeat(2000)]) {
        raw.say({ jsonrpc: "2.0", id, method: "ping" });
        const { error } = await raw.next(isErrorWithoutId(from.revision.traits.errorId));
        expect(error.code).toBe(-32600);
      }
    },
  },
  {
    name: "refuses invalid messages and continues (BASE-01, BASE-07, F02)",
    run: async ({ raw, from }) => {
      for (const value of [{}, 42, "text", null, { jsonrpc: "1.0", method: "ping" }]) {
        raw.say(JSON.stringify(value));
        const { error } = await raw.next(isErrorWithoutId(from.revision.traits.errorId));
        expect(error.code).toBe(-32600);
      }
      raw.say({ jsonrpc: "2.0", id: "no method", params: {} });
      expect((await raw.answerTo("no method")).error.code).toBe(-32600);
      expect(await raw.call("alive 1", "ping")).toMatchObject({ result: {} });
    },
  },
  {
    name: "refuses text that is not JSON and continues (F01, F03, HTTP-21)",
    run: async ({ raw, from }) => {
      for (const text of ["{", "nonsense", '{"jsonrpc":"2.0",']) {
        raw.say(text);
        const { error } = await raw.next(isErrorWithoutId(from.revision.traits.errorId));
        expect(error.code).toBe(-32700);
      }
      expect(await raw.call("alive 2", "ping")).toMatchObject({ result: {} });
    },
  },
  {
    name: "refuses unknown methods and methods of its own side (ERR-01, BASE-11)",
    run: async ({ raw }) => {
      const methods = ["nothing/such", "sampling/createMessage", "notifications/initialized", ""];
      for (const method of [...methods, "constructor", "__proto__", "toString"]) {
        expect((await raw.call(`unknown ${method}`, method, {})).error.code).toBe(-32601);
      }
    },
  },
  {
    name: "refuses invalid parameters and names the place (ERR-02)",
    run: async ({ raw }) => {
      const wrong = await raw.call("wrong 1", "tools/call", { name: 5 });
      expect(wrong.error).toMatchObject({
        code: -32602,
        message: expect.stringContaining("/name"),
      });
      for (const params of [[], "text", null]) {
        const id = `wrong ${JSON.stringify(params)}`;
        expect((await raw.call(id, "tools/call", params)).error.code).toBe(-32602);
      }
      expect((await raw.call("wrong 2", "prompts/list", { cursor: 5 })).error.code).toBe(-32602);
      const level = await raw.call("wrong 3", "logging/setLevel", { level: "loud" });
      expect(level.error.code).toBe(-32602);
    },
  },
  {
    name: "passes on unknown members (BASE-16, TOOL-33)",
    run: async ({ raw }) => {
      const meta = { "example.com/a": [1, null, { b: true }] };
      const args = { odd: null, list: [1.5], nested: { deep: { "": 0 } } };
      const params = { name: "reflect", arguments: args, _meta: meta, more: "kept" };
      const { result } = await raw.call("members", "tools/call", params);
      expect(JSON.parse(result.content[0].text)).toEqual({ params, meta });
    },
  },
  {
    name: "keeps members with the names of inherited ones (F16, SEC-23)",
    run: async ({ raw }) => {
      const args = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
      const params = `{"name":"reflect","arguments":${args}}`;
      raw.say(`{"jsonrpc":"2.0","id":"proto","method":"tools/call","params":${params}}`);
      const { result } = await raw.answerTo("proto");
      expect(result.content[0].text).toContain(args);
      expect("polluted" in {}).toBe(false);
    },
  },
  {
    name: "uses the last of two members with one name (F15)",
    run: async ({ raw }) => {
      raw.say('{"jsonrpc":"2.0","id":"same","method":"none","method":"ping","id":"last"}');
      expect((await raw.answerTo("last")).result).toEqual({});
    },
  },
  {
    name: "ignores unknown and invalid notifications (BASE-10, CANC-06)",
    run: async ({ raw }) => {
      raw.tell("notifications/invented", { a: 1 });
      raw.tell("nothing/such");
      raw.tell("tools/call", { name: "echo" });
      raw.tell("notifications/cancelled", { requestId: { odd: true } });
      raw.tell("notifications/progress", { progressToken: "nobody's", progress: "much" });
      expect(await raw.call("alive 3", "ping")).toMatchObject({ result: {} });
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "ignores responses to unknown requests (BASE-06, CANC-07)",
    run: async ({ raw }) => {
      raw.answer(4711, {});
      raw.answer("never asked", { roots: [] });
      raw.refuse(4712, { code: -32601, message: "no" });
      raw.say({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "what?" } });
      expect(await raw.call("alive 4", "ping")).toMatchObject({ result: {} });
      expect(raw.rest).toEqual([]);
    },
  },
  {
    name: "answers many requests that arrive at once (F05)",
    run: async ({ raw }) => {
      const ids = Array.from({ length: 50 }, (_, index) => `flood ${index}`);
      for (const id of ids) raw.ask(id, "tools/call", echo(id));
      for (const id of ids) {
        expect((await raw.answerTo(id)).result.content).toEqual([{ type: "text", text: id }]);
      }
    },
  },
];

/** Returns a check for an error that answers a message without a readable id (BASE-09, GAP-08). */
function isErrorWithoutId(errorId: "required" | "optional") {
  return (message: { error?: object; id?: unknown }): boolean =>
    message.error !== undefined && message.id === (errorId === "optional" ? undefined : null);
}
