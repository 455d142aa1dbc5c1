import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { RpcError } from "@mcp-codegen/runtime";
import { ToolError } from "@mcp-codegen/runtime/features";
import { inputRequired } from "../../../runtime/api/index.js";
import type { Wire } from "../../engine/support/raw-peer.js";
import { ExtensionFolder } from "../../facade/extensions/support/generated.js";
import { Talk } from "../../facade/server/support/talk.js";
import { MemoryTaskStore } from "../../../runtime/tasks/memory-task-store.js";
import { deferred } from "../../engine/support/tiny-endpoints.js";
import {
  declaring,
  generatedTasks,
  ID,
  talkAs,
  talkWith,
  taskServer,
  type TasksModule,
} from "./support.js";

const REVISION = "2026-07-28";
const folder = new ExtensionFolder();
let tasks: TasksModule;

beforeAll(async () => {
  tasks = await generatedTasks(folder);
}, 60_000);
afterAll(() => folder.remove());

const text = (value: string) => ({ content: [{ type: "text", text: value }] });
const question = {
  message: "Sure?",
  requestedSchema: { type: "object" as const, properties: { sure: { type: "boolean" as const } } },
};
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const accept = { action: "accept", content: { sure: true } };

/** Reads a task until it has a status; every response must match the schema. */
async function until(talk: Talk, taskId: string, status: string): Promise<Wire> {
  for (;;) {
    const { result } = await talk.call("tasks/get", { taskId });
    expect(tasks.validators["GetTaskResult"]!(result)).toBe(true);
    expect(result.resultType).toBe("complete");
    if (result.status === status) return result;
    expect(["working", "input_required"]).toContain(result.status);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function created(result: Wire): Wire {
  expect(tasks.validators["CreateTaskResult"]!(result)).toBe(true);
  for (const name of ["task", "result", "error", "inputRequests", "requestState", "ttl"])
    expect(result).not.toHaveProperty(name);
  return result;
}

describe("a tool whose calls become tasks", () => {
  it("returns the task at once, and its result later (XTASK-04, XTASK-05)", async () => {
    const server = taskServer(tasks);
    const end = deferred<string>();
    server.registerTool("work", { task: "required", ttl: 60_000 }, () => end.promise);
    const talk = await talkWith(server);
    const task = created(await talk.tool("work"));
    expect(task).toMatchObject({ resultType: "task", status: "working", ttlMs: 60_000 });
    expect(task.pollIntervalMs).toBe(20);
    expect(task.taskId).toMatch(/^[\w-]{32}$/);
    await until(talk, task.taskId, "working");
    end.resolve("done");
    const { result } = await until(talk, task.taskId, "completed");
    expect(result).toEqual({ resultType: "complete", ...text("done") });
    expect(server.reports).toEqual([]);
  });

  it("decides that alone, and ignores the task parameter of clients with sessions (XTASK-02)", async () => {
    const server = taskServer(tasks);
    server.registerTool("plain", {}, () => "done");
    server.registerTool("work", { task: "required", ttl: 60_000 }, () => "done");
    const talk = await talkWith(server);
    const wished = { arguments: {}, task: { ttl: 5000 } };
    const plain = await talk.call("tools/call", { name: "plain", ...wished });
    expect(plain.result).toMatchObject({ resultType: "complete", ...text("done") });
    const work = await talk.call("tools/call", { name: "work", ...wished });
    expect(created(work.result)).toMatchObject({ resultType: "task", ttlMs: 60_000 });
  });

  it("is listed without members of the other kind of tasks", async () => {
    const server = taskServer(tasks);
    server.registerTool("work", { task: "optional" }, () => "done");
    const talk = await talkWith(server);
    const [tool] = (await talk.call("tools/list")).result.tools;
    expect(tool).not.toHaveProperty("execution");
    expect(tool).not.toHaveProperty("task");
    const other = await Talk.with(server, "2025-11-25");
    const [listed] = (await other.call("tools/list")).result.tools;
    expect(listed.execution).toEqual({ taskSupport: "optional" });
  });

  it("refuses clients that do not support tasks if it requires them (XTASK-03, XTASK-13)", async () => {
    const server = taskServer(tasks);
    server.registerTool("work", { task: "required" }, () => "done");
    const talk = await Talk.with(server, REVISION);
    expect(await talk.tool("work")).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [ID]: {} } } },
    });
    expect((await talk.call("tasks/get", { taskId: "x" })).error.code).toBe(-32021);
  });

  it("becomes a task if it takes long and is allowed to", async () => {
    const server = taskServer(tasks, { after: 30 });
    const end = deferred<string>();
    const seen: (string | undefined)[] = [];
    server.registerTool("quick", { task: "optional" }, () => "quick");
    server.registerTool("slow", { task: "optional" }, async (ctx) => {
      seen.push(ctx.task?.id);
      ctx.progress(1, 2, "ignored, as nobody asked");
      const value = await end.promise;
      seen.push(ctx.task?.id);
      return value;
    });
    server.registerTool("never", {}, async (_ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return "late";
    });
    const talk = await talkWith(server);
    expect(await talk.tool("quick")).toMatchObject(text("quick"));
    const task = created(await talk.tool("slow"));
    end.resolve("slow");
    expect((await until(talk, task.taskId, "completed")).result).toMatchObject(text("slow"));
    expect(seen).toEqual([undefined, task.taskId]);
    expect(await talk.tool("never")).toMatchObject(text("late"));
    const stranger = await Talk.with(server, REVISION);
    expect(await stranger.tool("slow")).toMatchObject(text("slow"));
  });

  it("reports failures of the tool as results, and errors of the request as errors (XTASK-07)", async () => {
    const server = taskServer(tasks);
    server.registerTool("tool", { task: "required" }, () => {
      throw new ToolError("no luck");
    });
    server.registerTool("request", { task: "required" }, () => {
      throw new RpcError(-31050, "no way", { why: 1 });
    });
    server.registerTool("reserved", { task: "required" }, () => {
      throw new RpcError(-32050, "no way", { why: 1 });
    });
    server.registerTool("bug", { task: "required" }, () => {
      throw new Error("secret");
    });
    server.registerTool(
      "typed",
      { task: "required", inputSchema: z.object({ n: z.number() }) },
      ({ n }) => String(n),
    );
    const talk = await talkWith(server);
    const failed = await until(talk, (await talk.tool("tool")).taskId, "completed");
    expect(failed.result).toMatchObject({ isError: true, ...text("no luck") });
    const { error } = await until(talk, (await talk.tool("request")).taskId, "failed");
    expect(error).toEqual({ code: -31050, message: "no way", data: { why: 1 } });
    const reserved = await until(talk, (await talk.tool("reserved")).taskId, "failed");
    expect(reserved.error).toEqual({ code: -32603, message: "no way" });
    const bug = await until(talk, (await talk.tool("bug")).taskId, "completed");
    expect(JSON.stringify(bug)).not.toContain("secret");
    const wrong = await until(talk, (await talk.tool("typed", { n: "x" })).taskId, "completed");
    expect(wrong.result.isError).toBe(true);
  });

  it("can report its progress, in its status only (XTASK-15, PROG-08)", async () => {
    const server = taskServer(tasks);
    const end = deferred<string>();
    server.registerTool("work", { task: "required" }, async (ctx) => {
      ctx.task!.status("one of two");
      ctx.progress(2, 2, "two of two");
      expect(() => ctx.progress("3" as never, 3, "three of three")).toThrow("must be a number");
      ctx.log("info", "never sent");
      return end.promise;
    });
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("work");
    await expect
      .poll(async () => (await talk.call("tasks/get", { taskId })).result.statusMessage)
      .toBe("two of two");
    expect(await talk.notifications()).toEqual([]);
    end.resolve("done");
    await until(talk, taskId, "completed");
  });
});

describe("input requests of a task", () => {
  it("are answered one by one, and never sent again (XTASK-08, XTASK-11)", async () => {
    const server = taskServer(tasks);
    server.registerTool("ask", { task: "required" }, async (ctx) => {
      const answers = await Promise.all([
        ctx.elicit(question as never, { key: "first" }),
        ctx.elicit(question as never, { key: "second" }),
      ]);
      return answers.map(({ action }) => action).join();
    });
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("ask");
    const both = await until(talk, taskId, "input_required");
    expect(Object.keys(both.inputRequests)).toEqual(["first", "second"]);
    const update = async (inputResponses: object) => {
      const { result } = await talk.call("tasks/update", { taskId, inputResponses });
      expect(result).toEqual({ resultType: "complete", _meta: expect.any(Object) });
    };
    await update({ first: accept, other: accept });
    const one = await until(talk, taskId, "input_required");
    expect(Object.keys(one.inputRequests)).toEqual(["second"]);
    await update({ first: { action: "decline" }, second: { roots: [] } });
    await until(talk, taskId, "input_required");
    await update({ second: { action: "decline" } });
    expect((await until(talk, taskId, "completed")).result).toMatchObject(text("accept,decline"));
  });

  it("before the task are rounds of the call (XTASK-17)", async () => {
    const server = taskServer(tasks, { after: 40 });
    server.registerTool("ask", { task: "optional" }, async (ctx) => {
      const { action } = await ctx.elicit(question as never);
      await new Promise((resolve) => setTimeout(resolve, 80));
      const second = await ctx.elicit(question as never);
      return `${action} ${second.action}`;
    });
    const talk = await talkWith(server, { "elicitation/create": () => accept });
    const { taskId } = created(await talk.tool("ask"));
    expect(talk.rounds).toBe(1);
    const { inputRequests } = await until(talk, taskId, "input_required");
    const [key] = Object.keys(inputRequests);
    await talk.call("tasks/update", { taskId, inputResponses: { [key!]: { action: "cancel" } } });
    expect((await until(talk, taskId, "completed")).result).toMatchObject(text("accept cancel"));
    expect(server.reports).toEqual([]);
  });

  it("that a handler returns are passed to it with their answers when it is called again", async () => {
    const server = taskServer(tasks);
    server.registerTool("ask", { task: "required" }, (ctx) => {
      const answer = ctx.answers["sure"] as { action: string } | undefined;
      if (answer) return `${answer.action} ${String(ctx.state)}`;
      const params = { mode: "form", ...question };
      const requests = { sure: { method: "elicitation/create", params } };
      return inputRequired({ requests, state: "kept" });
    });
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("ask");
    await until(talk, taskId, "input_required");
    await talk.call("tasks/update", { taskId, inputResponses: { sure: accept } });
    expect((await until(talk, taskId, "completed")).result).toMatchObject(text("accept kept"));
  });

  it("that are still being stored when the task is cancelled are dropped", async () => {
    const store = new MemoryTaskStore();
    let delay = 0;
    const server = taskServer(tasks, {
      store: {
        add: (stored) => store.add(stored),
        get: async (taskId) => {
          const milliseconds = delay;
          delay = 0;
          await later(milliseconds);
          return store.get(taskId);
        },
        update: (stored) => store.update(stored),
        list: (owner) => store.list(owner),
        delete: (taskId) => store.delete(taskId),
      },
    });
    const requested = deferred<string>();
    server.registerTool("ask", { task: "required" }, async (ctx) => {
      delay = 50;
      await ctx.elicit(question as never).catch(({ message }: Error) => requested.resolve(message));
      return "";
    });
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("ask");
    await later(10);
    await talk.call("tasks/cancel", { taskId });
    expect(await requested.promise).toMatch(/cancelled|ended/);
    await until(talk, taskId, "cancelled");
  });

  it("that the client cannot answer are rejected at once", async () => {
    const server = taskServer(tasks);
    server.registerTool("ask", { task: "required" }, (ctx) =>
      ctx.sample({ messages: [], maxTokens: 1 }).then(
        () => "answered",
        (error: Error) => error.message,
      ),
    );
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("ask");
    expect(JSON.stringify(await until(talk, taskId, "completed"))).toContain("sampling");
  });
});

describe("the end of a task", () => {
  it("is immediate when its client cancels it, and later cancellations change nothing (XTASK-09)", async () => {
    const server = taskServer(tasks);
    const reasons: string[] = [];
    const started = deferred<void>();
    server.registerTool("work", { task: "required" }, async (ctx) => {
      started.resolve();
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      reasons.push(String(ctx.signal.reason));
      return "too late";
    });
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("work");
    await started.promise;
    for (let time = 0; time < 2; time += 1) {
      const { result } = await talk.call("tasks/cancel", { taskId });
      expect(result).toEqual({ resultType: "complete", _meta: expect.any(Object) });
    }
    const gone = await until(talk, taskId, "cancelled");
    expect(gone).not.toHaveProperty("result");
    expect(reasons).toHaveLength(1);
    expect(server.reports).toEqual([]);
  });

  it("is not caused by cancelling the call (XTASK-10)", async () => {
    const server = taskServer(tasks);
    const end = deferred<string>();
    server.registerTool("work", { task: "required" }, () => end.promise);
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("work");
    talk.raw.tell("notifications/cancelled", { requestId: 1 });
    await talk.notifications();
    end.resolve("done");
    await until(talk, taskId, "completed");
  });

  it("leaves nothing that others can see (XTASK-12)", async () => {
    const server = taskServer(tasks);
    server.registerTool("work", { task: "required" }, () => "done");
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("work");
    await until(talk, taskId, "completed");
    for (const method of ["tasks/get", "tasks/cancel"]) {
      expect((await talk.call(method, { taskId: "unknown" })).error.code).toBe(-32602);
    }
    const update = { taskId: "unknown", inputResponses: {} };
    expect((await talk.call("tasks/update", update)).error.code).toBe(-32602);
    for (const method of ["tasks/result", "tasks/list"])
      expect((await talk.call(method, { taskId })).error.code).toBe(-32601);
  });

  it("leaves nothing for other principals, and no ids that can be guessed (XTASK-18)", async () => {
    const server = taskServer(tasks);
    server.registerTool("work", { task: "required" }, async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return "";
    });
    const [ada, bob] = await Promise.all(
      ["ada", "bob"].map((principal) => talkAs(server, { principal })),
    );
    const { taskId } = await ada!.tool("work");
    expect(new Set(taskId).size).toBeGreaterThan(10);
    const unknown = await bob!.call("tasks/get", { taskId: "unknown" });
    for (const method of ["tasks/get", "tasks/cancel"])
      expect((await bob!.call(method, { taskId })).error).toEqual(unknown.error);
    const update = await bob!.call("tasks/update", { taskId, inputResponses: {} });
    expect(update.error).toEqual(unknown.error);
    bob!.ask("subscriptions/listen", { notifications: { taskIds: [taskId] } });
    const [acknowledged] = await bob!.notifications();
    expect(acknowledged.params.notifications).toEqual({});
    await until(ada!, taskId, "working");
  });

  it("removes it after its ttl, and not later", async () => {
    const server = taskServer(tasks);
    let aborted: unknown;
    server.registerTool("work", { task: "required", ttl: 1000 }, async (ctx) => {
      await new Promise((resolve) => ctx.signal.addEventListener("abort", resolve));
      aborted = ctx.signal.reason;
      return "";
    });
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("work");
    await until(talk, taskId, "working");
    await expect.poll(() => aborted).toBeDefined();
    expect((await talk.call("tasks/get", { taskId })).error.code).toBe(-32602);
  });
});

describe("notifications of tasks", () => {
  it("are sent to subscribers, with everything that tasks/get returns (XTASK-14)", async () => {
    const server = taskServer(tasks);
    const end = deferred<string>();
    server.registerTool("work", { task: "required" }, () => end.promise);
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("work");
    const notifications = { taskIds: [taskId, "unknown"] };
    const id = talk.ask("subscriptions/listen", { notifications });
    const [acknowledged] = await talk.notifications();
    expect(acknowledged.params.notifications).toEqual({ taskIds: [taskId] });
    end.resolve("done");
    await until(talk, taskId, "completed");
    const [notified, ...more] = await talk.notifications();
    expect(more).toEqual([]);
    expect(tasks.validators["TaskStatusNotification"]!(notified)).toBe(true);
    expect(notified.params).toMatchObject({ taskId, status: "completed", result: text("done") });
    expect(notified.params["_meta"]).toEqual({ "io.modelcontextprotocol/subscriptionId": id });
  });

  it("are sent to no one else", async () => {
    const server = taskServer(tasks);
    server.registerTool("work", { task: "required" }, () => "done");
    const other = await Talk.with(server, "2025-11-25", declaring());
    const talk = await talkWith(server);
    const { taskId } = await talk.tool("work");
    await until(talk, taskId, "completed");
    expect(await talk.notifications()).toEqual([]);
    expect(await other.notifications()).toEqual([]);
  });
});
