import { expect, test } from "vitest";
import type { RoundsOptions } from "../../../runtime/api/rounds-options.js";
import { responsesTo, type Wire } from "./support/round-trips.js";
import { form } from "./support/questions.js";
import { serve, type Served, type Tool } from "./support/serve.js";

const REFUSED = {
  code: -32602,
  message:
    "Invalid params: the requestState is not valid for this request: send the request again, without a requestState",
};

const greet: Tool = async (_context, ask, { arguments: args = {} }) => {
  const { content } = await ask("elicitation/create", form("Who?"));
  return `${args.greeting ?? "Hello"} ${content.name}`;
};

const tools = { greet, other: greet };
const keyOf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);

const serving = (rounds?: RoundsOptions): Promise<Served> =>
  serve(tools, {
    ...(rounds && { rounds }),
    handlers: {
      "prompts/list": () => ({ prompts: [] }),
      "prompts/get": async (params: Wire, context: Wire) => {
        const { content } = await context.request("elicitation/create", form("Who?"));
        return { messages: [{ role: "user", content: { type: "text", text: content.name } }] };
      },
    },
  });

async function firstRound(served: Served, params: object = {}): Promise<Wire> {
  const { result } = await served.client.tool("greet", params);
  return responsesTo(result);
}

test("a state that was changed anywhere is refused (A12, MRTR-15, MRTR-16)", async () => {
  const served = await serving();
  const { client, errors } = served;
  const { requestState, inputResponses } = await firstRound(served);
  const [version, key, sealed] = requestState.split(".") as [string, string, string];
  const flipped = [0, 10, 16, 40, sealed.length - 20, sealed.length - 1].map((at) => {
    const other = sealed[at] === "A" ? "B" : "A";
    return `${version}.${key}.${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`;
  });
  const states = [
    ...flipped,
    `${requestState}-TAMPERED`,
    `${requestState}A`,
    `${requestState}=`,
    `${requestState}.`,
    ` ${requestState}`,
    requestState.slice(0, -1),
    requestState.slice(0, 20),
    `${version}.${key}.`,
    `2.${key}.${sealed}`,
    `${version}.AAAAAAAA.${sealed}`,
    sealed,
    "..",
    "",
    "x".repeat(65_536),
    JSON.stringify({ round: 1, asked: [] }),
  ];
  for (const state of states) {
    const { error } = await client.tool("greet", { inputResponses, requestState: state });
    expect(error, state).toEqual(REFUSED);
  }
  expect(errors).toHaveLength(states.length);
  for (const { message } of errors) {
    expect(message).toMatch(/^The requestState of a request tools\/call was refused/);
    expect(message).not.toContain(sealed.slice(0, 20));
  }
  const { result } = await client.tool("greet", { inputResponses, requestState });
  expect(result.content[0].text).toBe("Hello Ada");
});

test("a state that is not a string is refused with that reason (MRTR-21)", async () => {
  const served = await serving();
  const { inputResponses } = await firstRound(served);
  for (const requestState of [null, 5, {}, []]) {
    const { error } = await served.client.tool("greet", { inputResponses, requestState });
    expect(error.code).toBe(-32602);
  }
});

test.each([
  ["other arguments", { name: "greet", arguments: { greeting: "Bye" } }],
  ["fewer arguments", { name: "greet" }],
  ["another tool", { name: "other", arguments: { greeting: "Hi" } }],
])("a state is refused with %s (A12, MRTR-17)", async (_what, params) => {
  const served = await serving();
  const retry = await firstRound(served, { arguments: { greeting: "Hi" } });
  const { error } = await served.client.ask("tools/call", { ...params, ...retry });
  expect(error).toEqual(REFUSED);
});

test("the order of arguments and the content of _meta do not matter (MRTR-17)", async () => {
  const served = await serving();
  const { client } = served;
  const retry = await firstRound(served, { arguments: { greeting: "Hi", more: { a: 1, b: [2] } } });
  const args = { more: { b: [2], a: 1 }, greeting: "Hi" };
  const meta = { ...client.envelope, progressToken: "new" };
  const { result } = await client.request("tools/call", {
    name: "greet",
    arguments: args,
    ...retry,
    _meta: meta,
  });
  expect(result.content[0].text).toBe("Hi Ada");
});

test("a state of another method is refused (A12, MRTR-17)", async () => {
  const served = await serving();
  const retry = await firstRound(served);
  const { error } = await served.client.ask("prompts/get", { name: "greet", ...retry });
  expect(error).toEqual(REFUSED);
});

test.each([
  ["for another sender", { principal: "ada" }, { principal: "bob" }],
  ["for an anonymous sender after a known one", { principal: "ada" }, undefined],
  ["for a known sender after an anonymous one", undefined, { principal: "ada" }],
])("a state is not valid %s (A12, MRTR-17, GAP-31)", async (_what, first, second) => {
  const served = await serving();
  served.client.auth = first;
  const retry = await firstRound(served);
  const other = await served.connect();
  other.auth = second;
  expect((await other.tool("greet", retry)).error).toEqual(REFUSED);
  other.auth = first;
  expect((await other.tool("greet", retry)).result.content[0].text).toBe("Hello Ada");
});

test("a state expires (A12, MRTR-17)", async () => {
  const served = await serving({ timeToAnswer: 20 });
  const retry = await firstRound(served);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect((await served.client.tool("greet", retry)).error).toEqual(REFUSED);
  expect(served.errors[0]!.message).toMatch(/expired/);
});

test("a state without an expiry stays valid", async () => {
  const served = await serving({ timeToAnswer: Infinity, maxRounds: Infinity });
  const retry = await firstRound(served);
  expect((await served.client.tool("greet", retry)).result.content[0].text).toBe("Hello Ada");
});

test("a state of another process is refused unless they share the key (A12)", async () => {
  const retry = await firstRound(await serving());
  expect((await (await serving()).client.tool("greet", retry)).error).toEqual(REFUSED);
  const keys = [keyOf(1)];
  const shared = await firstRound(await serving({ keys }));
  const { result } = await (await serving({ keys })).client.tool("greet", shared);
  expect(result.content[0].text).toBe("Hello Ada");
});

test("keys can change while requests are pending (A12)", async () => {
  const [old, young] = [keyOf(1), keyOf(2)];
  const first = await firstRound(await serving({ keys: [old] }));
  const prepared = await serving({ keys: [old, young] });
  const changed = await serving({ keys: [young, old] });
  const second = await firstRound(changed);
  for (const served of [prepared, changed]) {
    for (const retry of [first, second]) {
      expect((await served.client.tool("greet", retry)).result.content[0].text).toBe("Hello Ada");
    }
  }
  const done = await serving({ keys: [young] });
  expect((await done.client.tool("greet", first)).error).toEqual(REFUSED);
  expect((await done.client.tool("greet", second)).result.content[0].text).toBe("Hello Ada");
});

test("a state can be limited to one use (A12, MRTR-18)", async () => {
  const used = new Set<string>();
  const expiries: number[] = [];
  const redeem = (id: string, expires: number): boolean => {
    expiries.push(expires);
    return !used.has(id) && used.add(id) !== undefined;
  };
  const served = await serving({ redeem });
  const retry = await firstRound(served);
  expect((await served.client.tool("greet", retry)).result.content[0].text).toBe("Hello Ada");
  expect((await served.client.tool("greet", retry)).error).toEqual(REFUSED);
  expect(expiries).toHaveLength(2);
  expect(expiries[0]).toBeGreaterThan(Date.now());
});

test("otherwise a state can be used again until it expires (MRTR-18)", async () => {
  const served = await serving();
  const retry = await firstRound(served);
  for (let time = 0; time < 2; time++) {
    expect((await served.client.tool("greet", retry)).result.content[0].text).toBe("Hello Ada");
  }
});

test("a state does not expose its content (MRTR-16)", async () => {
  const served = await serve({
    secret: async ({ once }, ask) => {
      await once("password", () => "correct horse battery staple");
      await ask("elicitation/create", form("Who?"));
      return "done";
    },
  });
  const { result } = await served.client.tool("secret");
  const bytes = atob(result.requestState.split(".")[2].replaceAll("-", "+").replaceAll("_", "/"));
  expect(bytes).not.toMatch(/correct|password|elicitation/);
});

test.each([
  [{ keys: [] }, /32 bytes/],
  [{ keys: [new Uint8Array(16)] }, /32 bytes/],
  [{ keys: ["secret" as unknown as Uint8Array] }, /32 bytes/],
  [{ timeToAnswer: 0 }, /timeToAnswer/],
  [{ maxRounds: -1 }, /maxRounds/],
  [{ maxStateLength: Number.NaN }, /maxStateLength/],
])("invalid options are rejected: %j", async (rounds, problem) => {
  await expect(serving(rounds as RoundsOptions)).rejects.toThrow(problem);
});
