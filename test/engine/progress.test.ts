import { describe, expect, it, vi } from "vitest";
import { settled } from "./support/raw-peer.js";
import {
  deferred,
  rawClientOf,
  rawServerOf,
  type ServerContext,
  TinyClient,
  TinyServer,
} from "./support/tiny-endpoints.js";

function report(steps: readonly number[]) {
  return (_params: never, context: ServerContext) => {
    for (const step of steps) context.progress(step);
    return {};
  };
}

function fail(): never {
  throw new Error("broken callback");
}

describe("sent progress", () => {
  it("has the given token and strictly increases (PROG-02, PROG-04)", async () => {
    const steps = [1, 2, 2, 1.5, 3.25, NaN, Infinity, 4];
    const raw = await rawClientOf(new TinyServer({ "text/work": report(steps) }));
    raw.ask(1, "text/work", { _meta: { progressToken: "t" } });
    const messages = await raw.rest();
    const values = messages.filter(({ method }) => method === "notifications/progress");
    expect(values.map(({ params }) => params)).toEqual(
      [1, 2, 3.25, 4].map((progress) => ({ progressToken: "t", progress })),
    );
    expect(messages.at(-1)).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
  });

  it("has a total and a message if they are passed (PROG-03)", async () => {
    const raw = await rawClientOf(
      new TinyServer({
        "text/work": (_params: never, { progress }) => {
          progress(1, 2, "half");
          return {};
        },
      }),
    );
    raw.ask(1, "text/work", { _meta: { progressToken: 0 } });
    expect((await raw.next()).params).toEqual({
      progressToken: 0,
      progress: 1,
      total: 2,
      message: "half",
    });
    expect(raw.related[raw.received.length - 2]).toBe(1);
  });

  it.each([NaN, Infinity])("has no total of %j, which JSON cannot express", async (total) => {
    const raw = await rawClientOf(
      new TinyServer({
        "text/work": (_params: never, { progress }) => {
          progress(1, total);
          return {};
        },
      }),
    );
    raw.ask(1, "text/work", { _meta: { progressToken: 5 } });
    expect((await raw.next()).params).toEqual({ progressToken: 5, progress: 1 });
  });

  it.each([undefined, {}, { _meta: {} }, { _meta: { progressToken: null } }])(
    "is absent without a token: %j (PROG-01)",
    async (params) => {
      const raw = await rawClientOf(new TinyServer({ "text/work": report([1, 2]) }));
      raw.ask(1, "text/work", params);
      expect(await raw.rest()).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
    },
  );

  it.each([{}, { _meta: { progressToken: "t" } }])(
    "is rejected if it is not a number, whether or not the peer asked for it",
    async (params) => {
      const outcomes: unknown[] = [];
      const server = new TinyServer({
        "text/work": (_params: never, { progress }) => {
          for (const step of ["half", undefined] as unknown[] as number[])
            try {
              progress(step);
            } catch (error) {
              outcomes.push(error);
            }
          return {};
        },
      });
      const raw = await rawClientOf(server);
      raw.ask(1, "text/work", params);
      await raw.rest();
      const refusal = new TypeError("The progress was not sent: it must be a number");
      expect(outcomes).toEqual([refusal, refusal]);
    },
  );

  it("is rejected if a handler sends it incorrectly itself (PROG-04, PROG-05)", async () => {
    const outcomes: string[] = [];
    let kept: ServerContext | undefined;
    const server = new TinyServer({
      "text/work": async (_params: never, context) => {
        kept = context;
        const send = (progressToken: unknown, progress: unknown): Promise<void> =>
          (context.notify as (...given: unknown[]) => Promise<void>)("notifications/progress", {
            progressToken,
            progress,
          }).catch((error: Error) => void outcomes.push(error.message));
        context.progress(1);
        await send("t", 2);
        await send("t", 2);
        await send("t", 1);
        await send("t", Infinity);
        await send("other", 5);
        context.progress(1.5);
        context.progress(3);
        return {};
      },
    });
    const raw = await rawClientOf(server);
    raw.ask(1, "text/work", { _meta: { progressToken: "t" } });
    const messages = await raw.rest();
    const values = messages.filter(({ method }) => method === "notifications/progress");
    expect(values.map(({ params }) => [params.progressToken, params.progress])).toEqual([
      ["t", 1],
      ["t", 2],
      ["t", 3],
    ]);
    expect(outcomes).toEqual([
      expect.stringContaining("must increase"),
      expect.stringContaining("must increase"),
      expect.stringContaining("a finite number"),
      expect.stringContaining("not that of the request"),
    ]);
    const late = (kept!.notify as (...given: unknown[]) => Promise<void>)(
      "notifications/progress",
      { progressToken: "t", progress: 9 },
    );
    await expect(late).rejects.toMatchObject({ code: "LIFECYCLE" });
    expect(await raw.rest()).toEqual([]);
  });

  it("stops after the response and after a cancellation (PROG-05)", async () => {
    const contexts: ServerContext[] = [];
    const never = new Promise(() => {});
    const server = new TinyServer({
      "text/work": (params: { wait?: boolean }, context) => {
        contexts.push(context);
        return params.wait ? never : {};
      },
    });
    const raw = await rawClientOf(server);
    raw.ask(1, "text/work", { _meta: { progressToken: 1 } });
    raw.ask(2, "text/work", { wait: true, _meta: { progressToken: 2 } });
    raw.tell("notifications/cancelled", { requestId: 2 });
    for (const context of contexts) context.progress(1);
    expect(await raw.rest()).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  it("is throttled in a flood, and its last value precedes the response (I07, PROG-06)", async () => {
    const steps = Array.from({ length: 100_000 }, (_, index) => index);
    const raw = await rawClientOf(new TinyServer({ "text/work": report(steps) }));
    raw.ask(1, "text/work", { _meta: { progressToken: 1 } });
    const messages = await raw.rest();
    expect(messages.length).toBeGreaterThan(50);
    expect(messages.length).toBeLessThan(2000);
    expect(messages.at(-2).params.progress).toBe(99_999);
    expect(messages.at(-1).result).toEqual({});
  });

  it("is throttled in a flood, and its last value is sent while the work continues (I07, PROG-06)", async () => {
    const release = deferred<object>();
    const steps = Array.from({ length: 1000 }, (_, index) => index);
    const handler = (_params: never, { progress }: ServerContext): Promise<object> => {
      for (const step of steps) progress(step);
      return release.promise;
    };
    const raw = await rawClientOf(new TinyServer({ "text/work": handler }));
    raw.ask(1, "text/work", { _meta: { progressToken: 1 } });
    await vi.waitUntil(() => raw.received.at(-1).params.progress === 999, { timeout: 20_000 });
    release.resolve({});
  });
});

describe("received progress", () => {
  it("is passed to the caller with increasing values only, and its token is unique (PROG-02)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const values: unknown[] = [];
    const onprogress = (one: unknown): void => void values.push(one);
    const pending = client.request("text/work", { _meta: { trace: "x" } } as object, {
      onprogress,
    });
    void client.request("text/work", {}, { onprogress: () => {} });
    const [{ id, params }, other] = [await raw.next(), await raw.next()];
    expect(params["_meta"]).toEqual({ trace: "x", progressToken: id });
    expect(other.params["_meta"].progressToken).not.toBe(id);
    const steps = [{ progress: 1, total: 3 }, { progress: 1 }, { progress: 0 }];
    for (const step of [...steps, { progress: 2.5, message: "nearly" }]) {
      raw.tell("notifications/progress", { progressToken: id, ...step });
    }
    raw.answer(id, {});
    await pending;
    expect(values).toEqual([
      { progress: 1, total: 3 },
      { progress: 2.5, message: "nearly" },
    ]);
  });

  it("is reported for an unknown token, and ignored after the response (I07, PROG-05)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const onprogress = vi.fn();
    for (const params of [{}, { task: {} }]) {
      const pending = client.request("text/work", params, { onprogress });
      const { id } = await raw.next();
      raw.answer(id, {});
      await pending;
      raw.tell("notifications/progress", { progressToken: id, progress: 1 });
    }
    expect(client.errors).toEqual([]);
    raw.tell("notifications/progress", { progressToken: "foreign", progress: 1 });
    raw.tell("notifications/progress", { progressToken: 12_345, progress: 1 });
    expect(client.errors).toMatchObject([{ code: "INVALID_MESSAGE" }, { code: "INVALID_MESSAGE" }]);
    expect(onprogress).not.toHaveBeenCalled();
  });

  it("is passed to the callback throttled in a flood, with the last value before the result (I07)", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const values: number[] = [];
    const pending = client.request(
      "text/work",
      {},
      { onprogress: ({ progress }) => void values.push(progress) },
    );
    const { id } = await raw.next();
    for (let progress = 0; progress < 100_000; progress++) {
      raw.tell("notifications/progress", { progressToken: id, progress });
    }
    raw.answer(id, {});
    await pending;
    expect(values.length).toBeLessThan(2000);
    expect(values.at(-1)).toBe(99_999);
  });

  it.each([
    ["fails", fail],
    ["rejects later", async () => fail()],
  ])("continues if a callback %s, which is reported", async (_how, onprogress) => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    const pending = client.request("text/work", {}, { onprogress });
    const { id } = await raw.next();
    raw.tell("notifications/progress", { progressToken: id, progress: 1 });
    raw.answer(id, { done: true });
    await expect(pending).resolves.toEqual({ done: true });
    expect(client.errors).toMatchObject([{ message: expect.stringContaining("broken callback") }]);
  });

  it("is reported if malformed, and has no other effect", async () => {
    const client = new TinyClient();
    const raw = await rawServerOf(client);
    raw.tell("notifications/progress", { progressToken: {}, progress: "1" });
    raw.tell("notifications/progress");
    await settled();
    expect(client.errors).toHaveLength(2);
  });
});

describe("messages of a handler", () => {
  it("may be sent with functions destructured from the context", async () => {
    const answered = deferred<unknown>();
    const server = new TinyServer({
      "text/work": async (_params: never, { notify, request, method, id, meta }) => {
        await notify("notifications/news", { headline: `${method} ${String(id)}` });
        answered.resolve(await request("user/ask", {}));
        return { meta };
      },
    });
    const raw = await rawClientOf(server, { capabilities: { ask: {} } });
    raw.ask(7, "text/work", { _meta: { trace: "x" } });
    expect((await raw.next()).params).toEqual({ headline: "text/work 7" });
    const ask = await raw.next();
    expect(raw.related.slice(-2)).toEqual([7, 7]);
    raw.answer(ask.id, { answer: "yes" });
    expect(await answered.promise).toEqual({ answer: "yes" });
    expect(await raw.next()).toMatchObject({ id: 7, result: { meta: { trace: "x" } } });
  });

  it("belong to no request after the response if they are requests", async () => {
    let later: (() => Promise<unknown>) | undefined;
    const server = new TinyServer({
      "text/work": (_params: never, { request }) => {
        later = () => request("user/ask", {});
        return {};
      },
    });
    const raw = await rawClientOf(server, { capabilities: { ask: {} } });
    await raw.call(1, "text/work");
    const requested = later!();
    raw.answer((await raw.next()).id, { answer: "yes" });
    await requested;
    expect(raw.related.at(-1)).toBeUndefined();
  });

  it("belong to no request after the response if they are notifications", async () => {
    let later: (() => Promise<void>) | undefined;
    const server = new TinyServer({
      "text/work": (_params: never, { notify }) => {
        later = () => notify("notifications/news", { headline: "later" });
        return {};
      },
    });
    const raw = await rawClientOf(server);
    await raw.call(1, "text/work");
    await later!();
    expect((await raw.next()).params).toEqual({ headline: "later" });
    expect(raw.related.at(-1)).toBeUndefined();
  });
});
