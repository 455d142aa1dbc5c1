import { describe, expect, it, onTestFinished } from "vitest";
import { Prompts, Tools } from "../../../runtime/features/index.js";
import { Server } from "../../../generated/2025-11-25/index.js";
import { answerIn, EventReader, RawClient, type Reach, serve, tool, WAYS } from "./serve.js";
import { LATEST, ToyServer } from "./toy-server.js";

/** The error for a request whose session ended before its response. */
const ENDED = {
  error: { code: -32603, message: expect.stringContaining("ended the session") },
};
const ping = (id: unknown) => ({ jsonrpc: "2.0", id, method: "ping" });
const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

async function opened(reach: Reach, ...options: ConstructorParameters<typeof ToyServer>) {
  const toy = new ToyServer(...options);
  const client = await serve(toy.server, {}, reach);
  await client.initialize(LATEST);
  return { toy, client };
}

/** Returns the error in the response to a body that is not a message. */
async function refusal(response: Response) {
  expect(response.status).toBe(400);
  return (await response.json()).error;
}

describe.each(WAYS)("ids over $way", ({ reach }) => {
  it.each([0, "", "日本🔑", "x".repeat(1024)])(
    "may be %j, also in a cancellation (I03)",
    async (id) => {
      const { toy, client } = await opened(reach);
      expect(await client.call(id, "ping")).toMatchObject({ id, result: {} });
      const waiting = client.post(tool(id, "wait"));
      await expect.poll(() => toy.called).toEqual(["wait"]);
      expect((await client.post(cancelled(id))).status).toBe(202);
      expect(await answerIn(await waiting)).toBeUndefined();
      expect(toy.aborted).toEqual(["tools/call"]);
    },
  );

  it.each([
    ["an id of 1 MB", "x".repeat(2 ** 20)],
    ["a fraction", 1.5],
    ["null", null],
  ])("must not be %s, and the request is refused (I03, I04)", async (_name, id) => {
    const { client } = await opened(reach);
    expect(await refusal(await client.post(ping(id)))).toMatchObject({ code: -32600 });
    const stranger = new RawClient(client.reached);
    const short = typeof id === "string" ? id.slice(0, 2 ** 15) : id;
    expect(await refusal(await stranger.post(ping(short)))).toMatchObject({ code: -32600 });
    expect(await client.call(1, "ping")).toMatchObject({ result: {} });
  });

  it("are ignored in responses to unknown requests and in responses with both result and error (I05)", async () => {
    const { toy, client } = await opened(reach);
    for (const id of [99, "x", null]) {
      for (const answer of [{ result: {} }, { error: { code: 1, message: "no" } }]) {
        const { status } = await client.post({ jsonrpc: "2.0", id, ...answer });
        expect([202, 400]).toContain(status);
      }
    }
    const both = { jsonrpc: "2.0", result: {}, error: { code: 1, message: "no" } };
    const reader = new EventReader(await client.post(tool(1, "ask")));
    const { id } = await reader.message();
    expect((await client.post({ ...both, id })).status).toBeLessThan(500);
    expect((await reader.message()).error.code).toBe(-32603);
    expect(toy.errors.at(-1)!.message).toContain("is not a JSON-RPC response");
  });

  it("are ignored in progress for unknown requests (I07)", async () => {
    const { client } = await opened(reach);
    for (const progressToken of ["x", 7, null, {}]) {
      const params = { progressToken, progress: 1 };
      const notifications = { jsonrpc: "2.0", method: "notifications/progress", params };
      expect((await client.post(notifications)).status).toBe(202);
    }
    expect(await client.call(1, "ping")).toMatchObject({ result: {} });
  });

  it("are ignored in cancellations of unknown, finished, foreign and initialize requests (I08)", async () => {
    const { toy, client } = await opened(reach);
    const stranger = new RawClient(client.reached);
    await stranger.initialize(LATEST);
    await client.call(1, "ping");
    const waiting = client.post(tool(2, "wait"));
    await expect.poll(() => toy.called).toEqual(["wait"]);
    for (const id of [0, 1, 99, "2", null, {}]) await client.post(cancelled(id));
    await stranger.post(cancelled(2));
    toy.gate.open();
    expect(await answerIn(await waiting)).toMatchObject({ id: 2, result: {} });
    expect(toy.aborted).toEqual([]);
  });

  it("have at most one outcome when a cancellation crosses the response (I09)", async () => {
    const { client } = await opened(reach);
    const outcomes = Array.from({ length: 50 }, async (_, id) => {
      const asking = client.post(tool(id, id % 2 ? "echo" : "soon"));
      await client.post(cancelled(id));
      const answered = await asking;
      return (await answered.text()).match(/"result"/g)?.length ?? 0;
    });
    for (const count of await Promise.all(outcomes)) expect(count).toBeLessThanOrEqual(1);
    expect(await client.call("end", "ping")).toMatchObject({ result: {} });
  });
});

describe.each(WAYS)("requests over $way", ({ reach }) => {
  it("are accepted between initialize and initialized, which may be sent twice (I10)", async () => {
    const { client } = await opened(reach);
    const again = { jsonrpc: "2.0", method: "notifications/initialized" };
    expect((await client.post(again)).status).toBe(202);
    expect(await client.call(1, "tools/list")).toHaveProperty("result");
  });

  it("get -32601 with status 200 for an unknown method; an unknown notification is ignored (I11, ERR-10)", async () => {
    const { client } = await opened(reach);
    for (const method of ["server/discover", "resources/list", "notifications/initialized"]) {
      const response = await client.post({ jsonrpc: "2.0", id: 1, method });
      expect(response.status).toBe(200);
      expect((await response.json()).error.code).toBe(-32601);
    }
    const unknown = { jsonrpc: "2.0", method: "notifications/no/such", params: [] };
    expect((await client.post(unknown)).status).toBe(202);
  });

  it.each(["toString", "__proto__", "constructor", "", "m".repeat(2 ** 20)])(
    "get -32601 for a method with the name %.20s (I12)",
    async (method) => {
      const { client } = await opened(reach);
      const { error } = await client.call(1, method);
      expect(error.code).toBe(-32601);
      expect(error.message.length).toBeLessThan(300);
    },
  );

  it.each(["constructor", "__proto__", "toString"])(
    "accept %s like any other name of a tool and a prompt (I13)",
    async (name) => {
      const result = { content: [{ type: "text" as const, text: "called" }] };
      const prompt = { messages: [] };
      for (const isThere of [true, false]) {
        const tools = new Tools();
        const prompts = new Prompts();
        tools.add(
          { name: isThere ? name : "other", inputSchema: { type: "object" } },
          () => result,
        );
        prompts.add({ name: isThere ? name : "other" }, () => prompt);
        const features = [tools, prompts];
        const server = new Server({ name: "odd", version: "1" }, {}, { features });
        const client = await serve(server, {}, reach);
        await client.initialize(LATEST);
        const called = await client.call(1, "tools/call", { name });
        const got = await client.call(2, "prompts/get", { name });
        if (isThere) expect([called.result, got.result]).toEqual([result, prompt]);
        else expect([called.error.code, got.error.code]).toEqual([-32602, -32602]);
      }
    },
  );

  it.each([["text"], [[1]], [null]])(
    "get -32602 for the arguments %j, and the server continues (I14)",
    async (given) => {
      const { client } = await opened(reach);
      const { error } = await client.call(1, "tools/call", { name: "echo", arguments: given });
      expect(error.code).toBe(-32602);
      expect(await client.call(2, "tools/call", { name: "echo" })).toHaveProperty("result");
    },
  );
});

const raise = (thrown: unknown) => () => {
  throw thrown;
};

describe.each(WAYS)("handlers over $way", ({ reach }) => {
  const cyclic: Record<string, unknown> = { content: [] };
  cyclic["self"] = cyclic;
  it.each<[string, () => unknown]>([
    ["throws a string", raise("a secret")],
    ["throws undefined", raise(undefined)],
    ["throws a frozen error", raise(Object.freeze(new Error("a secret")))],
    ["throws a cyclic error", raise(Object.assign(new Error("a secret"), { cyclic }))],
    ["returns undefined", () => undefined],
    ["returns a BigInt", () => ({ content: [], _meta: { n: 1n } })],
    ["returns a cyclic object", () => cyclic],
  ])("answer -32603 without details if one %s (I15)", async (_name, deed) => {
    const { toy, client } = await opened(reach);
    toy.tools["deed"] = deed;
    toy.tools["later"] = async () => deed();
    for (const name of ["deed", "later"]) {
      const response = await client.post(tool(1, name));
      expect(response.status).toBe(200);
      const error = { code: -32603, message: "Internal error" };
      expect(await response.json()).toEqual({ jsonrpc: "2.0", id: 1, error });
    }
    expect(await client.call(2, "ping")).toMatchObject({ result: {} });
  });

  it("leave no client waiting when one ends its own session (I15)", async () => {
    const { toy, client } = await opened(reach);
    toy.tools["end"] = () => {
      for (const session of toy.server.sessions) void session.close();
      return { content: [] };
    };
    expect(await client.call(1, "tools/call", { name: "end" })).toMatchObject(ENDED);
    expect((await client.post(ping(2))).status).toBe(404);
    await client.reached.handler.close(5000);
  });

  it("are aborted after the timeout, and the client receives an error (I15)", async () => {
    const { toy, client } = await opened(reach, undefined, { handlerTimeout: 50 });
    expect((await client.call(1, "tools/call", { name: "wait" })).error.code).toBe(-32603);
    expect(toy.aborted).toEqual(["tools/call"]);
  });

  it("cancel a request to the client that is never answered (I16)", async () => {
    const { client } = await opened(reach, undefined, { timeout: 50 });
    const reader = new EventReader(await client.post(tool(1, "ask")));
    const question = await reader.message();
    expect(await reader.message()).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: question.id },
    });
    expect((await reader.message()).error.code).toBe(-32603);
    const late = { jsonrpc: "2.0", id: question.id, result: { roots: [] } };
    expect((await client.post(late)).status).toBe(202);
  });

  it("are limited per session: further requests are refused as busy (I17)", async () => {
    const { toy, client } = await opened(reach, undefined, { limits: { incoming: 5 } });
    let answered = 0;
    const requested = Array.from({ length: 20 }, async (_, id) => {
      const response = await client.post(tool(id, "wait"));
      answered += 1;
      return response;
    });
    await expect.poll(() => [toy.called.length, answered]).toEqual([5, 15]);
    const busy = await client.call("more", "tools/call", { name: "echo" });
    expect(busy.error.message).toContain("Busy");
    toy.gate.open();
    const answers = await Promise.all(requested.map(async (one) => answerIn(await one)));
    expect(answers.filter(({ error }) => error?.message.startsWith("Busy"))).toHaveLength(15);
  });

  it("are limited in total: further requests get 503, and responses are still accepted (I17)", async () => {
    const toy = new ToyServer();
    const client = await serve(toy.server, { maxRequests: 2, upgradeAfter: Infinity }, reach);
    await client.initialize(LATEST);
    const reader = new EventReader(await client.post(tool(1, "ask")));
    const requested = await reader.message();
    const waiting = client.post(tool(2, "wait"));
    await expect.poll(() => toy.called).toHaveLength(2);
    const refused = await client.post(tool(3, "echo"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    const answer = { jsonrpc: "2.0", id: requested.id, result: { roots: [] } };
    expect((await client.post(answer)).status).toBe(202);
    expect(await reader.message()).toMatchObject({ id: 1, result: {} });
    expect(await client.call(4, "tools/call", { name: "echo" })).toHaveProperty("result");
    toy.gate.open();
    expect((await waiting).status).toBe(200);
  });

  it("have their requests to the client rejected when the session ends (I18, I19)", async () => {
    const { toy, client } = await opened(reach);
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    const codes: string[] = [];
    toy.tools["ask often"] = async (_, { request }) => {
      const send = request as unknown as (method: string) => Promise<unknown>;
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => send("roots/list")));
      for (const one of outcomes) if (one.status === "rejected") codes.push(one.reason.code);
      return { content: [] };
    };
    const reader = new EventReader(await client.post(tool(1, "ask often")));
    for (let count = 0; count < 3; count++) await reader.message();
    expect((await client.delete()).status).toBe(200);
    expect(await reader.message()).toMatchObject({ id: 1, ...ENDED });
    expect(await reader.next()).toBeUndefined();
    await expect.poll(() => codes).toHaveLength(3);
    expect(new Set(codes)).toEqual(new Set(["CONNECTION_CLOSED"]));
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(unhandled).toEqual([]);
  });
});
