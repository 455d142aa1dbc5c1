import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type ConnectOptions, createHttpHandler } from "@mcp-codegen/universal";
import {
  ConnectionClosedError,
  InputRefusedError,
  RequestCancelledError,
} from "@mcp-codegen/runtime";
import { listen } from "@mcp-codegen/runtime/http/node";
import { memoryPair } from "../../../runtime/memory/memory-pair.js";
import type { Session } from "../../../runtime/api/index.js";
import { TaskFollower } from "../../../runtime/tasks/client/task-follower.js";
import { type ClientTasks, clientTasksWith } from "../../../runtime/tasks/client/client-tasks.js";
import { deferred } from "../../engine/support/tiny-endpoints.js";
import { ExtensionFolder } from "../../facade/extensions/support/generated.js";
import { connect, scripted } from "../../facade/client/support/connecting.js";
import type { McpServer } from "../../facade/server/support/server.js";
import { generatedTasks, ID, taskServer, type TasksModule } from "./support.js";

const folder = new ExtensionFolder();
let module: TasksModule;

beforeAll(async () => {
  module = await generatedTasks(folder);
}, 60_000);
afterAll(() => folder.remove());

const question = {
  message: "Sure?",
  requestedSchema: { type: "object" as const, properties: { sure: { type: "boolean" as const } } },
};
function nobody(): never {
  throw new Error("no user");
}

const text = (value: string) => ({ content: [{ type: "text", text: value }] });

interface Connected {
  readonly client: Awaited<ReturnType<typeof connect>>;
  readonly tasks: ClientTasks;
}

async function connected(server: McpServer, options: ConnectOptions = {}): Promise<Connected> {
  const [near, far] = memoryPair();
  await server.fork().connect(far);
  const tasks = clientTasksWith(module.extension);
  const client = await connect(near, { ...options, extensions: [tasks] });
  return { client, tasks };
}

const only = (server: McpServer, id: string) => ({
  revisions: server.revisions.filter((one) => one.id === id),
});

function accepts() {
  return { action: "accept" as const, content: { sure: true } };
}

/** Calls a tool on a server whose task uses the same key for each of these input requests, one after the other. */
async function askedAgain(questions: readonly (object | undefined)[]): Promise<unknown> {
  const about = { capabilities: { tools: {}, extensions: { [ID]: {} } } };
  const tasks = clientTasksWith(module.extension);
  const { client, server } = await scripted({ extensions: [tasks], onElicit: accepts }, about);
  onTestFinished(() => client.close());
  const requested: string[] = [];
  const failed = client.callTool("work").catch((error: unknown) => error);
  let state = 0;
  const task = (params: object | undefined): object => ({
    taskId: "t",
    createdAt: "2026-07-28T00:00:00.000Z",
    lastUpdatedAt: `2026-07-28T00:00:00.00${state}Z`,
    ttlMs: null,
    pollIntervalMs: 50,
    ...(params
      ? {
          status: "input_required",
          inputRequests: { key: { method: "elicitation/create", params } },
        }
      : { status: "working" }),
  });
  const serve = async (): Promise<void> => {
    for (;;) {
      const { id, method } = await server.next();
      requested.push(method);
      if (method === "tools/call") server.answer(id, { resultType: "task", ...task(undefined) });
      else if (method === "tasks/get") {
        const now = questions[Math.min(state, questions.length - 1)];
        state = Math.min(state + 1, 9);
        server.answer(id, { resultType: "complete", ...task(now) });
      } else if (method === "subscriptions/listen") {
        server.say({ jsonrpc: "2.0", id, error: { code: -32601, message: "none" } });
      } else server.answer(id, { resultType: "complete" });
      if (method === "tasks/cancel") return;
    }
  };
  await serve();
  expect(requested).toContain("tasks/update");
  return failed;
}

describe.each(["2026-07-28", "2025-11-25"])("a client with tasks at %s", (revision) => {
  it("follows a call that becomes a task until its result", async () => {
    const server = taskServer(module);
    const end = deferred<string>();
    server.registerTool("work", { task: "required" }, () => end.promise);
    const { client } = await connected(server, only(server, revision));
    const calling = client.callTool("work");
    setTimeout(() => end.resolve("done"), 100);
    expect(await calling).toMatchObject(text("done"));
    expect(server.reports).toEqual([]);
  });

  it("answers the input requests of a task, each once", async () => {
    const server = taskServer(module);
    server.registerTool("ask", { task: "required" }, async (ctx) => {
      const first = await ctx.elicit(question);
      const [second, third] = await Promise.all([ctx.elicit(question), ctx.elicit(question)]);
      return [first, second, third].map(({ action }) => action).join();
    });
    let requested = 0;
    const onElicit = async () => {
      requested += 1;
      await new Promise((resolve) => setTimeout(resolve, 30));
      return { action: "accept" as const, content: { sure: true } };
    };
    const { client } = await connected(server, { ...only(server, revision), onElicit });
    expect(await client.callTool("ask")).toMatchObject(text("accept,accept,accept"));
    expect(requested).toBe(3);
  });

  it("returns a handle that reads and cancels the task and can be stored", async () => {
    const server = taskServer(module);
    const ends = [deferred<string>(), deferred<string>()];
    let calls = 0;
    server.registerTool("work", { task: "required" }, async (ctx) => {
      const { promise } = ends[calls++]!;
      ctx.task!.status("at work");
      const cancelled = new Promise<string>((resolve) =>
        ctx.signal.addEventListener("abort", () => resolve("")),
      );
      return Promise.race([promise, cancelled]);
    });
    const { tasks } = await connected(server, only(server, revision));
    const task = await tasks.startTool("work");
    expect(task.status).toBe("working");
    const notified: string[] = [];
    const notifying = (async () => {
      for await (const { status, statusMessage } of task.updates())
        notified.push(`${status} ${statusMessage ?? ""}`.trim());
    })();
    setTimeout(() => ends[0]!.resolve("done"), 150);
    expect(await task.result()).toMatchObject(text("done"));
    await notifying;
    expect(notified[0]).toMatch(/^working/);
    expect(notified.at(-1)).toMatch(/^completed/);
    const other = await tasks.startTool("work");
    const ending = other.result();
    await other.cancel();
    await expect(ending).rejects.toThrow(RequestCancelledError);
    await expect(ending).rejects.toThrow(/^The task was cancelled$/);
    await other.cancel();
    const saved = JSON.parse(JSON.stringify(task)) as never;
    expect(await tasks.resumeTask(saved).result()).toMatchObject(text("done"));
  });

  it("reports the end of a task that ends in the millisecond in which it starts", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const server = taskServer(module);
    server.registerTool("work", { task: "required" }, () => "done");
    const { tasks } = await connected(server, only(server, revision));
    const task = await tasks.startTool("work");
    const statuses: string[] = [];
    for await (const { status } of task.updates()) statuses.push(status);
    expect(statuses.at(-1)).toBe("completed");
  });

  it("reports the status after an input request, up to the end", async () => {
    const server = taskServer(module);
    const next = deferred<void>();
    server.registerTool("ask", { task: "required" }, async (ctx) => {
      await ctx.elicit(question);
      ctx.task!.status("after the question");
      await next.promise;
      return "done";
    });
    const { tasks } = await connected(server, { ...only(server, revision), onElicit: accepts });
    const task = await tasks.startTool("ask");
    const seen: string[] = [];
    for await (const { status, statusMessage } of task.updates()) {
      seen.push(status);
      if (statusMessage === "after the question") next.resolve();
    }
    expect(seen).toContain("input_required");
    expect(seen.slice(seen.indexOf("input_required") + 1)).toContain("working");
    expect([seen.at(-1), task.status]).toEqual(["completed", "completed"]);
    expect(await task.result()).toMatchObject(text("done"));
  });

  it("returns a handle of a call that did not become a task, too", async () => {
    const server = taskServer(module);
    server.registerTool("quick", {}, () => "quick");
    const { tasks } = await connected(server, only(server, revision));
    const task = await tasks.startTool("quick");
    expect(task.taskId).toBeUndefined();
    const saved = JSON.parse(JSON.stringify(task)) as never;
    expect(await tasks.resumeTask(saved).result()).toMatchObject(text("quick"));
    for await (const update of task.updates()) throw new Error(update.status);
  });

  it("cancels the task when no caller wants the result any more", async () => {
    const server = taskServer(module);
    const ended = deferred<void>();
    const started = deferred<void>();
    server.registerTool("work", { task: "required" }, async (ctx) => {
      ctx.signal.addEventListener("abort", () => ended.resolve());
      started.resolve();
      await ended.promise;
      return "";
    });
    const { client } = await connected(server, only(server, revision));
    const stop = new AbortController();
    const calling = client.callTool("work", {}, { signal: stop.signal });
    void started.promise.then(() => setTimeout(() => stop.abort(new Error("enough")), 60));
    await expect(calling).rejects.toThrow();
    await ended.promise;
  });
});

describe("a client with tasks", () => {
  it("cancels a task with an input request that has no handler", async () => {
    const server = taskServer(module);
    const aborted = deferred<void>();
    server.registerTool("ask", { task: "required" }, async (ctx) => {
      ctx.signal.addEventListener("abort", () => aborted.resolve());
      return (await ctx.elicit(question)).action;
    });
    const { client } = await connected(server, { onElicit: nobody });
    await expect(client.callTool("ask")).rejects.toThrow(InputRefusedError);
    await aborted.promise;
  });

  it("subscribes if the server supports it, declares tasks each time, and names the task in a header (XTASK-01, XTASK-19, HDR-09)", async () => {
    const server = taskServer(module);
    const end = deferred<string>();
    server.registerTool("work", { task: "required" }, () => end.promise);
    let looks = 0;
    const names: (string | null)[] = [];
    const declared: unknown[] = [];
    const http = await listen(createHttpHandler(server));
    onTestFinished(() => http.close());
    const counting: typeof fetch = (input, init) => {
      const headers = new Headers(init?.headers);
      if (headers.get("mcp-method")?.startsWith("tasks/")) names.push(headers.get("mcp-name"));
      if (headers.get("mcp-method") === "tasks/get") looks += 1;
      const { params } = JSON.parse(String(init?.body)) as { params: { _meta: object } };
      declared.push(
        Object.entries(params["_meta"]).find(([key]) => key.endsWith("Capabilities"))?.[1],
      );
      return fetch(input, init);
    };
    const tasks = clientTasksWith(module.extension);
    const client = await connect(http.url, { extensions: [tasks], http: { fetch: counting } });
    onTestFinished(() => client.close());
    const calling = client.callTool("work");
    setTimeout(() => end.resolve("done"), 600);
    expect(await calling).toMatchObject(text("done"));
    expect(looks).toBeLessThan(5);
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toMatch(/^[\w-]{32}$/);
    for (const one of declared) expect(one).toMatchObject({ extensions: { [ID]: {} } });
  });

  it.each([300, 30_000])("polls after %d ms if the server says so (XTASK-16)", async (wait) => {
    const about = { capabilities: { tools: {}, extensions: { [ID]: {} } } };
    const options = { extensions: [clientTasksWith(module.extension)] };
    const { client, server } = await scripted(options, about);
    const calling = client.callTool("work").catch(() => undefined);
    const { id } = await server.next();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const date = "2026-07-28T00:00:00.000Z";
    const task = { taskId: "t", status: "working", createdAt: date, lastUpdatedAt: date };
    server.answer(id, { resultType: "task", ...task, ttlMs: null, pollIntervalMs: wait });
    const looks = async (): Promise<unknown[]> => (await server.rest()).map(({ method }) => method);
    expect(await looks()).toEqual([]);
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(await looks()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await looks()).toEqual(["tasks/get"]);
    vi.useRealTimers();
    await client.close();
    await calling;
  });

  it("stops polling with its connection, however long the interval", async () => {
    const server = taskServer(module, { pollInterval: 3_600_000 });
    server.registerTool("work", { task: "required" }, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return "";
    });
    const { client, tasks } = await connected(server);
    const calling = client.callTool("work");
    const waiting = (await tasks.startTool("work")).result();
    setTimeout(() => void client.close(), 50);
    await expect(calling).rejects.toThrow(ConnectionClosedError);
    await expect(waiting).rejects.toThrow(ConnectionClosedError);
  });

  it("reacts once to the end of its session, however many tasks it follows", async () => {
    const closed = new Promise<undefined>(() => {});
    const reactions = vi.spyOn(closed, "then");
    const date = "2026-07-28T00:00:00.000Z";
    const task = {
      taskId: "t",
      status: "completed",
      createdAt: date,
      lastUpdatedAt: date,
    } as const;
    const session = {
      closed,
      revision: { methods: new Map([["tools/call", {}]]) },
      request: async () => ({ ...task, result: text("done") }),
    } as unknown as Session;
    const call = { method: "tools/call", params: {}, context: undefined };
    for (let tasks = 0; tasks < 3; tasks += 1) {
      const follower = new TaskFollower(session, { ...task, ttlMs: null }, { call });
      expect(await follower.result()).toMatchObject(text("done"));
    }
    expect(reactions).toHaveBeenCalledTimes(1);
  });

  it("rejects a second client, and JSON that is not a task", async () => {
    const server = taskServer(module);
    const { tasks } = await connected(server);
    const [near] = memoryPair();
    await expect(connect(near, { extensions: [tasks] })).rejects.toThrow(/another client/);
    for (const wrong of [null, {}, { tool: "work" }, { task: {} }])
      expect(() => tasks.resumeTask(wrong as never)).toThrow(TypeError);
    const lost = { tool: "work", arguments: {}, task: { taskId: "gone", status: "working" } };
    await expect(tasks.resumeTask(lost as never).result()).rejects.toMatchObject({ code: -32602 });
  });

  const other = { ...question, message: "Really?" };
  it.each([
    ["another input request", [question, other]],
    ["the same input request after it was removed", [question, undefined, question]],
  ])(
    "cancels a task that uses the key of an answer again for %s (XTASK-11)",
    async (_, questions) => {
      expect(await askedAgain(questions)).toMatchObject({
        name: "InvalidMessageError",
        message: 'The task t requests input again under the key "key", which was answered',
      });
    },
  );

  it("reports the status messages of a task as progress of the call", async () => {
    const server = taskServer(module);
    const reported = deferred<void>();
    server.registerTool("steps", { task: "required" }, async (ctx) => {
      ctx.progress(1, 2, "one of two");
      await reported.promise;
      return "done";
    });
    const { client } = await connected(server);
    const messages: (string | undefined)[] = [];
    const values: number[] = [];
    const result = client.callTool(
      "steps",
      {},
      {
        onprogress: ({ progress, message }) => {
          messages.push(message);
          values.push(progress);
          reported.resolve();
        },
      },
    );
    expect(await result).toMatchObject(text("done"));
    expect(messages[0]).toBe("one of two");
    expect(values).toEqual([...values].toSorted((a, b) => a - b));
  });

  it("rejects the call with the error of the request", async () => {
    const { RpcError } = await import("@mcp-codegen/runtime");
    const server = taskServer(module);
    server.registerTool("work", { task: "required" }, () => {
      throw new RpcError(-31050, "no way", { why: 1 });
    });
    const { client } = await connected(server);
    await expect(client.callTool("work")).rejects.toMatchObject({
      code: -31050,
      message: "no way",
      data: { why: 1 },
    });
  });
});
