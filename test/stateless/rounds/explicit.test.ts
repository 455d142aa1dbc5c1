import { expect, test } from "vitest";
import { InputRequired, inputRequired } from "../../../runtime/api/outcomes.js";
import { responsesTo, type Wire } from "./support/round-trips.js";
import { form, SAMPLE } from "./support/questions.js";
import { serve, type Tool } from "./support/serve.js";

const who = { method: "elicitation/create", params: form("Who?") };

const greet: Tool = ({ answers }) => {
  const { user } = answers as Wire;
  return user ? `Hello ${user.content.name}` : inputRequired({ requests: { user: who } });
};

const counted: Tool = ({ answers, state }) => {
  const names = (state as string[] | undefined) ?? [];
  const { next } = answers as Wire;
  if (next) names.push(next.content.name);
  if (names.length === 2) return names.join(" ");
  return inputRequired({ requests: { next: who }, state: names });
};

test("a handler returns input requests and receives the responses (T2, MRTR-01)", async () => {
  const { client } = await serve({ greet });
  const first = await client.tool("greet");
  expect(first.result.inputRequests).toEqual({ user: who });
  expect(first.result).not.toHaveProperty("requestState");
  expect(first.result).not.toHaveProperty("state");
  expect((await client.again("greet", first)).result.content[0].text).toBe("Hello Ada");
});

test("an input request without a state is sent again until its response arrives (MRTR-21)", async () => {
  const { client } = await serve({ greet });
  const answer = { action: "accept", content: { name: "Ada" } };
  const wrong = await client.tool("greet", { inputResponses: { other: answer } });
  expect(wrong.result.resultType).toBe("input_required");
  const more = await client.tool("greet", { inputResponses: { other: answer, user: answer } });
  expect(more.result.content[0].text).toBe("Hello Ada");
  for (const inputResponses of [null, { user: 12345 }]) {
    expect((await client.tool("greet", { inputResponses })).error.code).toBe(-32602);
  }
});

test("a state is returned sealed, and is replaced each time (T2, MRTR-13)", async () => {
  const { client, errors } = await serve({ counted });
  expect(await client.text("counted")).toBe("Ada Ada");
  const states = client.interim.map(({ requestState }) => requestState);
  expect(new Set(states).size).toBe(2);
  const first = await client.tool("counted");
  const { inputResponses, requestState } = responsesTo(first.result) as Wire;
  const tampered = await client.tool("counted", {
    inputResponses,
    requestState: `${requestState}-TAMPERED`,
  });
  expect(tampered.error.code).toBe(-32602);
  expect(errors).toHaveLength(1);
});

test("only responses of the right kind are passed on with a state (A13, GAP-30)", async () => {
  const seen: Wire[] = [];
  const { client } = await serve({
    several: ({ answers, state }, _ask, params) => {
      seen.push([answers, params.inputResponses, params.requestState]);
      if (state === undefined) {
        const sample = { method: "sampling/createMessage", params: SAMPLE };
        return inputRequired({
          requests: { user: who, sample, roots: { method: "roots/list" } },
          state: 1,
        });
      }
      return "done";
    },
  });
  const { requestState } = (await client.tool("several")).result;
  const answer = { action: "accept", content: { name: "Ada" } };
  const inputResponses = { user: answer, sample: answer, other: answer };
  await client.tool("several", { requestState, inputResponses });
  expect(seen).toEqual([
    [{}, undefined, undefined],
    [{ user: answer }, { user: answer }, undefined],
  ]);
});

test("a response without the declared capability is not passed on (A13)", async () => {
  const { client } = await serve({
    late: ({ answers, state }) =>
      state === undefined
        ? inputRequired({ requests: { user: who }, state: 1 })
        : JSON.stringify(answers),
  });
  const first = await client.tool("late");
  client.capabilities = {};
  expect((await client.again("late", first)).result.content[0].text).toBe("{}");
});

test("a result with only a state makes the client send the request again (MRTR-08, MRTR-23)", async () => {
  const { client } = await serve({
    poll: ({ state = 0 }) => {
      const turn = state as number;
      return turn < 3 ? inputRequired({ state: turn + 1 }) : `turn ${turn}`;
    },
  });
  expect(await client.text("poll")).toBe("turn 3");
  for (const one of client.interim) expect(one).not.toHaveProperty("inputRequests");
});

test("a handler may use the protocol shapes, and its state is still sealed (MRTR-01)", async () => {
  const { client } = await serve({
    raw: (_context, _ask, { inputResponses, requestState }) => {
      if (requestState === undefined) {
        const inputRequests = { user: who };
        const others = { requestState: "mine", _meta: { "example.com/a": 1 } };
        return { resultType: "input_required", inputRequests, ...others };
      }
      return `${requestState} ${inputResponses.user.content.name}`;
    },
  });
  const first = await client.tool("raw");
  expect(first.result.requestState).toMatch(/^1\./);
  expect(first.result).toMatchObject({ _meta: { "example.com/a": 1 } });
  expect((await client.again("raw", first)).result.content[0].text).toBe("mine Ada");
});

test("one handler may use both styles (T2)", async () => {
  let orders = 0;
  const { client, errors } = await serve({
    both: async ({ answers, state, once }, ask) => {
      const { content } = await ask("elicitation/create", form("First?"));
      const order = await once("order", () => ++orders);
      if (state === undefined) return inputRequired({ requests: { user: who }, state: { order } });
      const { roots } = await ask("roots/list");
      const { user } = answers as Wire;
      return `${content.name} ${order} ${user?.content.name} ${roots.length}`;
    },
  });
  const { result } = await client.fulfil("tools/call", { name: "both" });
  expect(client.interim.map(({ inputRequests }) => Object.keys(inputRequests))).toEqual([
    ["ask-1"],
    ["user"],
    ["ask-2"],
  ]);
  expect(orders).toBe(1);
  expect(errors).toEqual([]);
  expect(result.content[0].text).toBe("Ada 1 Ada 1");
});

test("a handler's changes to its state and responses do not affect the next round (T2)", async () => {
  const { client } = await serve({
    change: async ({ answers, state }, ask) => {
      if (state === undefined)
        return inputRequired({ requests: { user: who }, state: { turn: 1 } });
      const own = state as { turn: number };
      const { content } = (answers as Wire).user;
      own.turn += 1;
      content.name += "!";
      await ask("roots/list");
      await ask("elicitation/create", form("Sure?"));
      return `${content.name} ${own.turn}`;
    },
  });
  expect(await client.text("change")).toBe("Ada! 2");
});

test("results of other methods cannot have input requests (MRTR-03)", async () => {
  const { client, errors } = await serve(
    {},
    { handlers: { "tools/list": () => inputRequired({ requests: { user: who } }) } },
  );
  expect((await client.ask("tools/list")).error.code).toBe(-32603);
  expect(errors[0]!.message).toMatch(/results of tools\/list cannot request input/);
});

test("an input request that the client cannot answer is rejected (MRTR-05)", async () => {
  const { client } = await serve({ greet });
  client.capabilities = { sampling: {} };
  const { error } = await client.tool("greet");
  expect(error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: {} } },
  });
});

test.each<[string, object, RegExp]>([
  ["another method", { inputRequests: { a: { method: "tools/call" } } }, /tools\/call/],
  [
    "parameters of another type",
    { inputRequests: { a: { ...who, params: { message: 5 } } } },
    /message/,
  ],
  ["nothing at all", {}, /neither requests nor state/],
  ["no input requests", { inputRequests: {} }, /neither requests nor state/],
  ["null", { inputRequests: { a: null } }, /null/],
])(
  "an invalid input request is not sent: %s (MRTR-02, MRTR-04)",
  async (_what, members, problem) => {
    const { client, errors } = await serve({
      wrong: () => ({ resultType: "input_required", ...members }),
    });
    expect((await client.tool("wrong")).error.code).toBe(-32603);
    expect(errors[0]!.message).toMatch(problem);
  },
);

test("a result needs an input request or a state (MRTR-02)", () => {
  expect(() => inputRequired({})).toThrow(TypeError);
  expect(() => inputRequired({ requests: {} })).toThrow(TypeError);
  expect(inputRequired({ state: null })).toBeInstanceOf(InputRequired);
});
