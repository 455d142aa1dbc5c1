import { expect, test, vi } from "vitest";
import type { ClientHandlers } from "@mcp-codegen/2026-07-28";
import {
  InputRefusedError,
  InvalidMessageError,
  OverloadError,
  RequestTimeoutError,
} from "@mcp-codegen/runtime";
import { connected, withoutMeta, metaOf } from "./support/raw-server.js";
import { eventually } from "../../support/eventually.js";

const form = {
  method: "elicitation/create",
  params: { message: "Who?", requestedSchema: { type: "object", properties: {} } },
};
const model = { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } };
const roots = { method: "roots/list" };

const accept: ClientHandlers["elicitation/create"] = () => ({
  action: "accept",
  content: { name: "Ada" },
});

test("handlers answer the input requests in a result, and the call is sent again (MRTR-07, MRTR-09, MRTR-11, MRTR-13, ROOT-09)", async () => {
  const { server, client } = await connected({
    "elicitation/create": accept,
    "sampling/createMessage": () => ({
      role: "assistant",
      content: { type: "text", text: "hi" },
      model: "m",
    }),
    "roots/list": () => ({ roots: [{ uri: "file:///a" }] }),
  });
  const call = client.callTool({ name: "x", arguments: { a: 1 }, _meta: { tracestate: "a=1" } });
  const first = await server.next();
  const state = ' {"z": "\\u0000é"}== ';
  server.answer(first.id, {
    resultType: "input_required",
    inputRequests: { one: form, two: model, three: roots },
    requestState: state,
  });
  const second = await server.next();
  expect(second.id).not.toBe(first.id);
  expect(metaOf(second)).toEqual(metaOf(first));
  expect(withoutMeta(second)).toEqual({
    name: "x",
    arguments: { a: 1 },
    inputResponses: {
      one: { action: "accept", content: { name: "Ada" } },
      two: { role: "assistant", content: { type: "text", text: "hi" }, model: "m" },
      three: { roots: [{ uri: "file:///a" }] },
    },
    requestState: state,
  });
  server.answer(second.id, { resultType: "input_required", inputRequests: { four: roots } });
  const third = await server.next();
  expect(withoutMeta(third)).toEqual({
    name: "x",
    arguments: { a: 1 },
    inputResponses: { four: { roots: [{ uri: "file:///a" }] } },
  });
  server.answer(third.id, { content: [], resultType: "complete" });
  expect(await call).toEqual({ content: [], resultType: "complete" });
});

test("prompts and resources may have input requests as well (MRTR-03)", async () => {
  const { server, client } = await connected({ "elicitation/create": accept });
  const requested = [client.getPrompt({ name: "p" }), client.readResource({ uri: "a:b" })] as const;
  const rounds = [await server.next(), await server.next()];
  for (const { id } of rounds) {
    server.answer(id, { resultType: "input_required", inputRequests: { q: form } });
  }
  const [prompt, resource] = [await server.next(), await server.next()];
  expect(prompt.params.inputResponses).toEqual({
    q: { action: "accept", content: { name: "Ada" } },
  });
  server.answer(prompt.id, { resultType: "complete", messages: [] });
  server.answer(resource.id, { resultType: "complete", contents: [] });
  expect(await requested[0]).toMatchObject({ messages: [] });
  expect(await requested[1]).toMatchObject({ contents: [] });
});

test("input requests of one round are handled together, those of two calls separately (MRTR-12)", async () => {
  const open: ((name: string) => void)[] = [];
  const { server, client } = await connected({
    "elicitation/create": () =>
      new Promise((resolve) => {
        open.push((name) => resolve({ action: "accept", content: { name } }));
      }),
  });
  const calls = [client.callTool({ name: "a" }), client.callTool({ name: "b" })] as const;
  const [a, b] = [await server.next(), await server.next()];
  const ask = { resultType: "input_required", inputRequests: { p: form, q: form } };
  server.answer(a.id, { ...ask, requestState: "a" });
  server.answer(b.id, { ...ask, requestState: "b" });
  await eventually(() => expect(open).toHaveLength(4));
  for (const [index, answer] of open.entries()) answer(`answer ${index}`);
  const again = [await server.next(), await server.next()].map(withoutMeta);
  expect(again).toEqual([
    {
      name: "a",
      requestState: "a",
      inputResponses: {
        p: { action: "accept", content: { name: "answer 0" } },
        q: { action: "accept", content: { name: "answer 1" } },
      },
    },
    {
      name: "b",
      requestState: "b",
      inputResponses: {
        p: { action: "accept", content: { name: "answer 2" } },
        q: { action: "accept", content: { name: "answer 3" } },
      },
    },
  ]);
  for (const call of calls) void call.catch(() => {});
});

test("a result with only a state is retried, with growing delays (MRTR-08)", async () => {
  const { server, client } = await connected({}, { limits: { rounds: 3 } });
  const call = client.callTool({ name: "x" });
  for (const state of ["1", "2", "3"]) {
    const { id } = await server.next();
    server.answer(id, { resultType: "input_required", requestState: state });
  }
  const last = await server.next();
  expect(withoutMeta(last)).toEqual({ name: "x", requestState: "3" });
  server.answer(last.id, { resultType: "input_required", requestState: "4" });
  await expect(call).rejects.toThrow(OverloadError);
  expect(server.received).toHaveLength(5);
});

test("a result without input requests and state is invalid (MRTR-02)", async () => {
  const { server, client } = await connected();
  const call = client.callTool({ name: "x" });
  server.answer((await server.next()).id, { resultType: "input_required" });
  await expect(call).rejects.toThrow(InvalidMessageError);
});

test("an input request without a handler is rejected before the user is asked (MRTR-05, MRTR-14)", async () => {
  const requested = vi.fn(accept);
  const { server, client } = await connected({ "elicitation/create": requested });
  const call = client.callTool({ name: "x" });
  const { id } = await server.next();
  server.answer(id, { resultType: "input_required", inputRequests: { p: form, q: roots } });
  await expect(call).rejects.toThrow(InputRefusedError);
  await expect(call).rejects.toMatchObject({ method: "roots/list" });
  expect(requested).not.toHaveBeenCalled();
  expect(await server.rest()).toEqual([]);
});

test("an undeclared mode is rejected (MRTR-05)", async () => {
  const { server, client } = await connected(
    { "elicitation/create": accept },
    { capabilities: { elicitation: { form: {} } } },
  );
  const call = client.callTool({ name: "x" });
  const { id } = await server.next();
  const url = { mode: "url", message: "Go", url: "https://a.example/" };
  server.answer(id, {
    resultType: "input_required",
    inputRequests: { q: { method: "elicitation/create", params: url } },
  });
  await expect(call).rejects.toThrow(InputRefusedError);
});

test("a handler that throws rejects the call locally and aborts the others (MRTR-14, X11, SAMP-15)", async () => {
  let other: AbortSignal | undefined;
  const cause = new Error("The user has left");
  const { server, client } = await connected({
    "elicitation/create": async (_, { signal }) => {
      other = signal;
      return new Promise(() => {});
    },
    "roots/list": async () => {
      throw cause;
    },
  });
  const call = client.callTool({ name: "x" });
  const { id } = await server.next();
  server.answer(id, { resultType: "input_required", inputRequests: { p: form, q: roots } });
  await expect(call).rejects.toMatchObject({ code: "INPUT_REFUSED", method: "roots/list", cause });
  expect(other?.aborted).toBe(true);
  expect(await server.rest()).toEqual([]);
});

test("an invalid input response is not sent (GAP-30)", async () => {
  const { server, client } = await connected({
    "roots/list": (() => ({ roots: "none" })) as never,
  });
  const call = client.callTool({ name: "x" });
  const { id } = await server.next();
  server.answer(id, { resultType: "input_required", inputRequests: { q: roots } });
  await expect(call).rejects.toThrow(InputRefusedError);
  expect(await server.rest()).toEqual([]);
});

test("the signal of the caller aborts the handlers (T16)", async () => {
  let receivedValues: unknown;
  const { server, client } = await connected({
    "elicitation/create": (_, { signal }) =>
      new Promise(() => {
        signal.addEventListener("abort", () => {
          receivedValues = signal.reason;
        });
      }),
  });
  const abort = new AbortController();
  const call = client.callTool({ name: "x" }, { signal: abort.signal });
  const { id } = await server.next();
  server.answer(id, { resultType: "input_required", inputRequests: { q: form } });
  await server.rest();
  abort.abort("enough");
  await expect(call).rejects.toBe("enough");
  expect(receivedValues).toBe("enough");
  expect(await server.rest()).toEqual([]);
});

test("the timeout of a request covers all its rounds (MRTR-24)", async () => {
  let isAborted = false;
  const { server, client } = await connected({
    "elicitation/create": (_, { signal }) =>
      new Promise(() => {
        signal.addEventListener("abort", () => {
          isAborted = true;
        });
      }),
  });
  const call = client.callTool({ name: "x" }, { timeout: 20, maxTotalTimeout: 20 });
  const { id } = await server.next();
  server.answer(id, { resultType: "input_required", inputRequests: { q: form } });
  await expect(call).rejects.toThrow(RequestTimeoutError);
  expect(isAborted).toBe(true);
});

test("closing rejects every call that waits for input responses", async () => {
  const { server, client } = await connected({
    "elicitation/create": () => new Promise(() => {}),
  });
  const call = client.callTool({ name: "x" });
  const { id } = await server.next();
  server.answer(id, { resultType: "input_required", inputRequests: { q: form } });
  await server.rest();
  await client.close();
  await expect(call).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
});

test("each round has its own progress token (MRTR-24, T22)", async () => {
  const { server, client } = await connected({ "elicitation/create": accept });
  const notifications: number[] = [];
  const call = client.callTool(
    { name: "x" },
    { onprogress: ({ progress }) => notifications.push(progress) },
  );
  const first = await server.next();
  const token = metaOf(first).progressToken;
  server.tell("notifications/progress", { progressToken: token, progress: 5 });
  server.answer(first.id, { resultType: "input_required", inputRequests: { q: form } });
  const second = await server.next();
  expect(metaOf(second).progressToken).not.toBe(token);
  const next = { progressToken: metaOf(second).progressToken, progress: 1 };
  server.tell("notifications/progress", next);
  server.answer(second.id, { content: [] });
  await call;
  expect(notifications).toEqual([5, 1]);
});

test("a handler may send its own request to the server during a round (MRTR-12)", async () => {
  const { server, client } = await connected({
    "elicitation/create": async (_, { request }) => {
      const { tools } = await request("tools/list");
      return { action: "accept", content: { count: tools.length } };
    },
  });
  const call = client.callTool({ name: "x" });
  const { id } = await server.next();
  const ask = { resultType: "input_required", inputRequests: { q: form }, requestState: "s" };
  server.answer(id, ask);
  const list = await server.next();
  expect(withoutMeta(list)).toEqual({});
  server.answer(list.id, { tools: [] });
  const again = await server.next();
  expect(again.params.inputResponses.q.content).toEqual({ count: 0 });
  server.answer(again.id, { content: [] });
  await call;
});

test("middleware wraps handlers of input requests like all others", async () => {
  const seen: unknown[] = [];
  const { server, client } = await connected(
    { "roots/list": () => ({ roots: [] }) },
    {
      middleware: [
        ({ method, kind }, next) => {
          seen.push([kind, method]);
          return next();
        },
      ],
    },
  );
  const call = client.callTool({ name: "x" });
  const { id } = await server.next();
  server.answer(id, { resultType: "input_required", inputRequests: { q: roots } });
  server.answer((await server.next()).id, { content: [] });
  await call;
  expect(seen).toEqual([["request", "roots/list"]]);
});

test("names of inherited members are ordinary keys (A12)", async () => {
  const { server, client } = await connected({ "roots/list": () => ({ roots: [] }) });
  const call = client.callTool({ name: "x" });
  const { id } = await server.next();
  const inputRequests =
    '{"__proto__":{"method":"roots/list"},"constructor":{"method":"roots/list"}}';
  server.say(
    `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","inputRequests":${inputRequests}}}`,
  );
  const again = await server.next();
  expect(Object.keys(again.params.inputResponses)).toEqual(["__proto__", "constructor"]);
  void call.catch(() => {});
});

test("headers that the server refuses are computed again from a new list, once (XH-16)", async () => {
  const { server, client } = await connected();
  const refusal = { code: -32020, message: "Mcp-Param-Region is missing" };
  const call = client.callTool({ name: "x" });
  server.say({ jsonrpc: "2.0", id: (await server.next()).id, error: refusal });
  const first = await server.next();
  expect(first.method).toBe("tools/list");
  server.answer(first.id, { tools: [], nextCursor: "" });
  const second = await server.next();
  expect(withoutMeta(second)).toEqual({ cursor: "" });
  server.answer(second.id, { tools: [] });
  const again = await server.next();
  expect(again.method).toBe("tools/call");
  server.say({ jsonrpc: "2.0", id: again.id, error: refusal });
  await expect(call).rejects.toMatchObject({ code: -32020 });
  expect(await server.rest()).toEqual([]);
});

test.each([
  ["tools/call", { name: "x" }],
  ["resources/read", { uri: "file:///a" }],
] as const)("an error in a further round of %s is the result (MRTR-07)", async (method, params) => {
  const { server, client } = await connected({ "roots/list": () => ({ roots: [] }) });
  const call = client.request(method, params as never);
  const { id } = await server.next();
  server.answer(id, { resultType: "input_required", inputRequests: { one: roots } });
  const second = await server.next();
  server.say({ jsonrpc: "2.0", id: second.id, error: { code: -31_999, message: "no luck" } });
  await expect(call).rejects.toMatchObject({ code: -31_999 });
  expect(await server.rest()).toEqual([]);
});

test("a flood of input requests is rejected (A13)", async () => {
  const requested = vi.fn(() => ({ roots: [] }));
  const { server, client } = await connected(
    { "roots/list": requested },
    { limits: { incoming: 3 } },
  );
  const call = client.callTool({ name: "x" });
  const { id } = await server.next();
  const inputRequests = Object.fromEntries(["a", "b", "c", "d"].map((key) => [key, roots]));
  server.answer(id, { resultType: "input_required", inputRequests });
  await expect(call).rejects.toThrow(OverloadError);
  expect(requested).not.toHaveBeenCalled();
});
