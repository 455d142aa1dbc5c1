import { expect, onTestFinished, test } from "vitest";
import { Client, Server } from "@mcp-codegen/2025-11-25";
import type { HandlerContext } from "../../../runtime/api/handlers.js";
import { inputRequired } from "../../../runtime/api/outcomes.js";
import { memoryPair } from "../../../runtime/memory/memory-pair.js";
import { ASKING_HANDLERS } from "./support/asking-tools.js";
import { form, SAMPLE } from "./support/questions.js";
import { GIVEN, type Wire } from "./support/round-trips.js";

interface Connected {
  readonly client: Client;
  /** The methods of the requests that the client received. */
  readonly requested: string[];
  readonly errors: Error[];
}

type Tool = (context: HandlerContext, params: Wire) => unknown;

async function connected(tool: Tool, answers: Wire = GIVEN): Promise<Connected> {
  const requested: string[] = [];
  const errors: Error[] = [];
  const handlers = Object.fromEntries(
    Object.entries<Wire>(answers).map(([method, answer]) => [
      method,
      (params: unknown) => {
        requested.push(method);
        return typeof answer === "function" ? answer(params) : answer;
      },
    ]),
  );
  const call = (params: unknown, context: HandlerContext): unknown => tool(context, params);
  const info = { name: "test", version: "1" };
  const server = new Server(info, { "tools/call": call } as object, {
    onerror: (error) => void errors.push(error),
  });
  const client = new Client(info, handlers, { onerror: () => {} });
  const [near, far] = memoryPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(() => client.close());
  return { client, requested, errors };
}

const who = { method: "elicitation/create", params: form("Who?") };
const text = (content: string): object => ({ content: [{ type: "text", text: content }] });

const explicit: Tool = ({ answers, state }) => {
  const { user, capital } = answers as Wire;
  if (state === undefined) return inputRequired({ requests: { user: who }, state: {} });
  const { name } = state as Wire;
  if (name === undefined) {
    const requests = {
      capital: { method: "sampling/createMessage", params: SAMPLE },
      places: { method: "roots/list" },
    };
    return inputRequired({ requests, state: { name: user.content.name } });
  }
  return text(`${name} ${capital.content.text} ${(answers as Wire).places.roots.length}`);
};

test("input requests in a result become requests in a session (T2)", async () => {
  const { client, requested, errors } = await connected(explicit);
  const { content } = await client.callTool({ name: "any" });
  expect(content).toEqual([{ type: "text", text: "Ada Paris 1" }]);
  expect(requested).toEqual(["elicitation/create", "sampling/createMessage", "roots/list"]);
  expect(errors).toEqual([]);
});

test("input requests in protocol shapes become requests in a session too (T2)", async () => {
  const { client } = await connected((_context, { inputResponses, requestState }) =>
    requestState === undefined
      ? { resultType: "input_required", inputRequests: { user: who }, requestState: "mine" }
      : text(`${requestState} ${inputResponses.user.content.name}`),
  );
  const { content } = await client.callTool({ name: "any" });
  expect(content).toEqual([{ type: "text", text: "mine Ada" }]);
});

test("a client cannot send unrequested input responses and a state (A12)", async () => {
  const { client } = await connected(({ answers, state }, params) =>
    text(JSON.stringify([answers, state ?? null, params.requestState, params.inputResponses])),
  );
  const forged = { name: "any", requestState: "mine", inputResponses: { user: GIVEN } };
  const { content } = await client.callTool(forged);
  expect(content).toEqual([{ type: "text", text: "[{},null,null,null]" }]);
});

test("with only a state, the handler is called again (T2)", async () => {
  const { client } = await connected(({ state = 0 }) =>
    (state as number) < 3
      ? inputRequired({ state: (state as number) + 1 })
      : text(`turn ${state as number}`),
  );
  const { content } = await client.callTool({ name: "any" });
  expect(content).toEqual([{ type: "text", text: "turn 3" }]);
});

test("tools that send requests while they run have the same result (T2)", async () => {
  const { client } = await connected((context, params) =>
    ASKING_HANDLERS["tools/call"](params, context),
  );
  const { content } = await client.callTool({ name: "sequence" });
  expect((content as Wire)[0].text).toMatch(/^\d Ada Paris \d file:\/\/\/work$/);
});

test("a state is restored from JSON there too (T2)", async () => {
  const { client } = await connected(({ state }) =>
    state === undefined ? inputRequired({ state: new Date(0) }) : text(JSON.stringify(state)),
  );
  const { content } = await client.callTool({ name: "any" });
  expect(content).toEqual([{ type: "text", text: '"1970-01-01T00:00:00.000Z"' }]);
});

test("a client without the capability receives an error that names it (T2)", async () => {
  const { client, errors } = await connected(explicit, {});
  await expect(client.callTool({ name: "any" })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining("client.elicitation"),
  });
  expect(errors).toEqual([]);
});

test("a client that refuses gets an error (T2)", async () => {
  const { client } = await connected(explicit, { "elicitation/create": refuse });
  await expect(client.callTool({ name: "any" })).rejects.toMatchObject({ code: -32603 });
});

test("the number of rounds is limited in a session (MRTR-24)", async () => {
  const { client, requested, errors } = await connected(() =>
    inputRequired({ requests: { user: who } }),
  );
  await expect(client.callTool({ name: "any" })).rejects.toMatchObject({ code: -32603 });
  expect(requested).toHaveLength(20);
  expect(errors[0]!.message).toMatch(/20 rounds/);
});

test("a result without input requests and state is an error (MRTR-02)", async () => {
  const { client, errors } = await connected(() => ({ resultType: "input_required" }));
  await expect(client.callTool({ name: "any" })).rejects.toMatchObject({ code: -32603 });
  expect(errors[0]!.message).toMatch(/neither requests nor state/);
});

test("cancelling the request cancels its input requests", async () => {
  const { client, requested } = await connected(explicit, {
    "elicitation/create": () => new Promise(() => {}),
  });
  const controller = new AbortController();
  const calling = client.callTool({ name: "any" }, { signal: controller.signal });
  while (requested.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  controller.abort("enough");
  await expect(calling).rejects.toBe("enough");
  expect(requested).toEqual(["elicitation/create"]);
});

test("once() is the same in a session (T2)", async () => {
  let count = 0;
  const { client } = await connected(async ({ once, answers }) => {
    const failed = await once("fail", () => Promise.reject(new Error("no"))).catch(() => "failed");
    const again = await once("fail", () => "fine");
    const at = await once("at", () => new Date(count++) as unknown);
    if (!(answers as Wire).user) return inputRequired({ requests: { user: who } });
    return text(`${failed} ${again} ${String(at)}`);
  });
  const { content } = await client.callTool({ name: "any" });
  expect((content as Wire)[0].text).toBe("fine fine 1970-01-01T00:00:00.000Z");
});

function refuse(): never {
  throw new Error("no");
}
