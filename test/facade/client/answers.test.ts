import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ConnectOptions, connectInMemory, McpServer } from "@mcp-codegen/universal";
import { RawPeer } from "../../engine/support/raw-peer.js";
import { metaOf, withoutMeta } from "../../stateless/client/support/raw-server.js";
import { connect, scripted, type Scripted, scriptedSession } from "./support/connecting.js";
import { eventually } from "../../support/eventually.js";

const form = {
  mode: "form",
  message: "Who?",
  requestedSchema: { type: "object", properties: { name: { type: "string" } } },
};
const page = { mode: "url", message: "Go", url: "https://a.example/" };
const prompt = { messages: [], maxTokens: 5 };

const answers: ConnectOptions = {
  onElicit: (question) =>
    question.mode === "url"
      ? { action: "accept" }
      : { action: "accept", content: { name: `answer to ${question.message}` } },
  onSample: ({ maxTokens }) => ({
    role: "assistant",
    content: { type: "text", text: `${maxTokens} tokens` },
    model: "m",
  }),
  onRoots: () => [{ uri: "file:///work" }],
};

const answered = {
  form: { action: "accept", content: { name: "answer to Who?" } },
  page: { action: "accept" },
  model: { role: "assistant", content: { type: "text", text: "5 tokens" }, model: "m" },
  roots: { roots: [{ uri: "file:///work" }] },
};

test("the same handlers answer input requests inside results (T2)", async () => {
  const { client, server } = await scripted(answers);
  const call = client.callTool("x");
  const first = await server.next();
  expect(metaOf(first)).toMatchObject({
    "io.modelcontextprotocol/clientCapabilities": {
      elicitation: { form: {}, url: {} },
      sampling: {},
      roots: {},
    },
  });
  server.answer(first.id, {
    resultType: "input_required",
    inputRequests: {
      form: { method: "elicitation/create", params: form },
      page: { method: "elicitation/create", params: page },
      model: { method: "sampling/createMessage", params: prompt },
      roots: { method: "roots/list" },
    },
  });
  const second = await server.next();
  expect(withoutMeta(second).inputResponses).toEqual(answered);
  server.answer(second.id, { content: [] });
  await call;
});

async function answerTo(server: RawPeer, method: string, params?: object): Promise<unknown> {
  const { result } = await server.call(method, method, params);
  return result;
}

test("the same handlers answer requests in a session (T2)", async () => {
  const { server } = await scriptedSession(answers);
  expect(server.received[0].params.capabilities).toEqual({
    elicitation: { form: {}, url: {} },
    sampling: {},
    roots: {},
  });
  expect(await answerTo(server, "elicitation/create", form)).toEqual(answered.form);
  expect(await answerTo(server, "elicitation/create", { ...page, elicitationId: "1" })).toEqual(
    answered.page,
  );
  expect(await answerTo(server, "sampling/createMessage", prompt)).toEqual(answered.model);
  expect(await answerTo(server, "roots/list")).toEqual(answered.roots);
});

test("a capability that an older revision lacks is not declared to it (X12, X13)", async () => {
  const { server } = await scriptedSession(answers, {}, "2025-06-18");
  expect(await answerTo(server, "elicitation/create", { ...form, mode: undefined })).toEqual(
    answered.form,
  );
  const older = await scriptedSession(answers, {}, "2025-03-26");
  expect(await older.server.call("q", "elicitation/create", form)).toMatchObject({
    error: { code: -32601 },
  });
});

test("a list of roots is passed unchanged, and roots have only one source", async () => {
  const { server } = await scriptedSession({ roots: [{ uri: "file:///a", name: "a" }] });
  expect(await answerTo(server, "roots/list")).toEqual({
    roots: [{ uri: "file:///a", name: "a" }],
  });
  const both = connect(new RawPeer(), { roots: [], onRoots: () => [] });
  await expect(both).rejects.toThrow(TypeError);
});

test("without handlers no capability is declared, and an input request rejects the call (MRTR-14)", async () => {
  const { client, server } = await scripted();
  const call = client.callTool("x");
  const { id } = await server.next();
  server.answer(id, {
    resultType: "input_required",
    inputRequests: { q: { method: "roots/list" } },
  });
  await expect(call).rejects.toMatchObject({ code: "INPUT_REFUSED", method: "roots/list" });
});

const required = (...ids: string[]): object => ({
  code: -32042,
  message: "Go there first",
  data: {
    elicitations: ids.map((elicitationId) => {
      const [place = ""] = elicitationId.split("#");
      return { ...page, url: `${page.url}${place}`, message: elicitationId, elicitationId };
    }),
  },
});

test("the error -32042 sends the user to the page, and the request is sent again", async () => {
  const onElicit = vi.fn(async () => ({ action: "accept" as const }));
  const { client, server } = await scriptedSession({ onElicit });
  const call = client.callTool("x");
  const first = await server.next();
  server.say({ jsonrpc: "2.0", id: first.id, error: required("one", "two") });
  await eventually(() => expect(onElicit).toHaveBeenCalledTimes(2));
  server.tell("notifications/elicitation/complete", { elicitationId: "one" });
  expect(await server.rest()).toEqual([]);
  server.tell("notifications/elicitation/complete", { elicitationId: "two" });
  const second = await server.next();
  expect(second.params).toEqual(first.params);
  server.answer(second.id, { content: [] });
  expect(await call).toMatchObject({ content: [] });
});

test("if a server never reports completion, the request is sent again after a while, and the user is not asked again", async () => {
  const onElicit = vi.fn(async () => ({ action: "accept" as const }));
  const { client, server } = await scriptedSession({ onElicit });
  const call = client.callTool("x");
  server.say({ jsonrpc: "2.0", id: (await server.next()).id, error: required("one") });
  server.say({ jsonrpc: "2.0", id: (await server.next()).id, error: required("one") });
  server.answer((await server.next()).id, { content: [] });
  await call;
  expect(onElicit).toHaveBeenCalledTimes(1);
});

/** Refuses the next request, after any pause, with pages under the given ids. */
async function refuses({ server }: Scripted, ...ids: string[]): Promise<void> {
  for (let time = 0; time < 100; time += 1) {
    const [request] = await server.rest();
    if (request) return server.say({ jsonrpc: "2.0", id: request.id, error: required(...ids) });
    await vi.advanceTimersByTimeAsync(1000);
  }
  throw new Error("The request was not repeated");
}

describe("a server that returns -32042 again and again", () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }),
  );
  afterEach(() => void vi.useRealTimers());

  test("for one page with new ids sends the user there only once", async () => {
    const onElicit = vi.fn(async () => ({ action: "accept" as const }));
    const all = await scriptedSession({ onElicit });
    const call = all.client.callTool("x");
    for (const id of ["a#1", "a#2", "a#3", "a#4", "a#5"]) await refuses(all, id);
    expect(onElicit).toHaveBeenCalledTimes(1);
    await all.server.rest();
    all.server.tell("notifications/elicitation/complete", { elicitationId: "a#5" });
    all.server.answer((await all.server.next()).id, { content: [] });
    expect(await call).toMatchObject({ content: [] });
  });

  test("after the user has returned soon rejects the call with that error", async () => {
    const all = await scriptedSession({ onElicit: () => ({ action: "accept" }) });
    const call = all.client.callTool("x");
    const refused = expect(call).rejects.toMatchObject({ code: -32042 });
    await refuses(all, "a#1");
    await all.server.rest();
    all.server.tell("notifications/elicitation/complete", { elicitationId: "a#1" });
    for (const id of ["a#2", "a#3", "a#4", "a#5"]) await refuses(all, id);
    await refused;
  });

  test("for ever new pages sends the user to a limited number of them", async () => {
    const onElicit = vi.fn(async () => ({ action: "accept" as const }));
    const all = await scriptedSession({ onElicit, limits: { rounds: 3 } });
    const call = all.client.callTool("x");
    const refused = expect(call).rejects.toMatchObject({ code: -32042 });
    for (const id of ["a", "b", "c", "d"]) await refuses(all, id);
    await refused;
    expect(onElicit).toHaveBeenCalledTimes(3);
  });

  test("rejects the call at the timeout, or at once if an option says so", async () => {
    const onElicit = vi.fn(async () => ({ action: "accept" as const }));
    for (const pageTimeout of [5000, 0]) {
      const all = await scriptedSession({ onElicit, pageTimeout });
      const call = all.client.callTool("x");
      const refused = expect(call).rejects.toMatchObject({ code: -32042 });
      for (const id of pageTimeout === 0 ? ["a"] : ["a", "a", "a", "a"]) await refuses(all, id);
      await refused;
    }
    expect(onElicit).toHaveBeenCalledTimes(1);
  });
});

test("a user who declines the page rejects the call", async () => {
  const { client, server } = await scriptedSession({ onElicit: () => ({ action: "decline" }) });
  const call = client.callTool("x");
  server.say({ jsonrpc: "2.0", id: (await server.next()).id, error: required("one") });
  await expect(call).rejects.toMatchObject({ code: "INPUT_REFUSED" });
  expect(await server.rest()).toEqual([]);
});

test("the caller receives the error if no handler can open the page", async () => {
  const { client, server } = await scriptedSession();
  const call = client.callTool("x");
  server.say({ jsonrpc: "2.0", id: (await server.next()).id, error: required("one") });
  await expect(call).rejects.toMatchObject({ code: -32042 });
});

function acceptsEmpty() {
  return { action: "accept" as const, content: {} };
}

test("the defaults of a form fill in what an accepted answer omits (ELIC-16)", async () => {
  const server = new McpServer({ name: "asks", version: "1" });
  const requestedSchema = {
    type: "object" as const,
    properties: { name: { type: "string" as const, default: "Ada" } },
    required: ["name"],
  };
  server.registerTool("ask", {}, async (ctx) => {
    const { content } = await ctx.elicit({ message: "Name?", requestedSchema });
    return JSON.stringify(content);
  });
  const onElicit = { form: acceptsEmpty, applyDefaults: true };
  const client = await connect(await connectInMemory(server), { onElicit });
  expect((await client.callTool("ask")).content).toEqual([
    { type: "text", text: '{"name":"Ada"}' },
  ]);
});
