import { expect, test } from "vitest";
import { canonical } from "../../../runtime/stateless/server/rounds/state.js";
import { RawPeer } from "../../engine/support/raw-peer.js";
import { RawClient } from "./support/raw-client.js";
import { form } from "./support/questions.js";
import { agree, responsesTo, type Wire } from "./support/round-trips.js";
import { serve, type Tool } from "./support/serve.js";

const pay: Tool = async (_context, ask, { arguments: args }) => {
  await ask("elicitation/create", form(`Pay ${JSON.stringify(args)}?`));
  return `paid ${String(args.amount)}`;
};

/** Calls a tool with an amount as written in JSON, which can express more than `JSON.stringify` does. */
async function paying(peer: RawPeer, amount: string, more: object = {}): Promise<Wire> {
  const { envelope } = new RawClient();
  const params = { name: "pay", arguments: { amount: "?" }, ...more, _meta: envelope };
  const text = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  peer.say(text.replace('"?"', amount));
  return peer.next();
}

test.each([
  ["null", "1e400"],
  ["1e400", "-1e400"],
  ['"Infinity"', "1e400"],
  ['"\\u0000Infinity"', "1e400"],
  ['{"amount":1}', '{"amount":1,"__proto__":{"amount":2}}'],
  ['"caf\\u00e9"', '"cafe\\u0301"'],
  ['"\\ud800"', '"\\ufffd"'],
  ["[1,2]", "[2,1]"],
  ['{"a":[]}', '{"a":{}}'],
  ["1", '"1"'],
])("a state for %s is refused for %s (A12)", async (before, after) => {
  const { server } = await serve({ pay });
  const peer = new RawPeer();
  await server.fork().connect(peer);
  const { result } = await paying(peer, before);
  expect(result.resultType).toBe("input_required");
  const answers = responsesTo(result, agree);
  const other = await paying(peer, after, answers);
  expect(other.error?.code ?? other.result).toBe(-32602);
  const same = await paying(peer, before, answers);
  expect(same.result.content[0].text).toMatch(/^paid/);
});

test("values that JSON cannot distinguish are written differently (MRTR-16)", () => {
  const values = [null, Infinity, -Infinity, "Infinity", "\0Infinity", "\0\0Infinity"];
  expect(new Set(values.map(canonical)).size).toBe(values.length);
});

test("servers with shared keys refuse one another's states (A12)", async () => {
  const rounds = { keys: [new Uint8Array(32).fill(7)] };
  const outcomes: string[] = [];
  const { server } = await serve({ pay }, { name: "shop", rounds });
  const peer = new RawPeer();
  await server.fork().connect(peer);
  const { result } = await paying(peer, "1");
  for (const name of ["bank", "shop"]) {
    const other = new RawPeer();
    await (await serve({ pay }, { name, rounds })).server.fork().connect(other);
    const answer = await paying(other, "1", responsesTo(result, agree));
    outcomes.push(answer.error?.code ?? answer.result.content[0].text);
  }
  expect(outcomes).toEqual([-32602, "paid 1"]);
});
