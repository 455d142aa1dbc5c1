import { Client } from "@mcp-codegen/sdk/client/index.js";
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
  isTerminal,
  type TaskStore,
  toArrayAsync,
} from "@mcp-codegen/sdk/experimental/tasks/index.js";
import { InMemoryTransport } from "@mcp-codegen/sdk/inMemory.js";
import { McpServer } from "@mcp-codegen/sdk/server/mcp.js";
import { Server } from "@mcp-codegen/sdk/server/index.js";
import {
  CallToolResultSchema,
  CancelTaskRequestSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  ElicitResultSchema,
  GetTaskPayloadRequestSchema,
  GetTaskRequestSchema,
  ListTasksRequestSchema,
} from "@mcp-codegen/sdk/types.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";

const info = { name: "tasks", version: "1.0.0" };
const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
const inputSchema = { topic: z.string() };

interface Setup {
  readonly execution?: { taskSupport: "optional" | "required" };
  readonly outputSchema?: Record<string, z.ZodType>;
  /** The task's work, which returns the text of the result. */
  readonly work?: (ask: (message: string) => Promise<string>) => Promise<string>;
}

/** Connects a client and a server with the tool `research`, which runs as a task. */
async function pairOf({ execution, outputSchema, work = async () => "done" }: Setup = {}) {
  const taskStore = new InMemoryTaskStore();
  const taskMessageQueue = new InMemoryTaskMessageQueue();
  const options = { capabilities: { tasks }, taskStore, taskMessageQueue };
  const server = new McpServer(info, options);
  const errors: Error[] = [];
  server.server.onerror = (error) => void errors.push(error);
  server.experimental.tasks.registerToolTask(
    "research",
    { description: "Researches", inputSchema, outputSchema, execution },
    {
      async createTask({ topic }, { taskStore: store, sendRequest, taskRequestedTtl }) {
        const task = await store.createTask({ ttl: taskRequestedTtl ?? 60_000, pollInterval: 5 });
        const { taskId } = task;
        const ask = async (message: string): Promise<string> => {
          await store.updateTaskStatus(taskId, "input_required", message);
          const requestedSchema = {
            type: "object",
            properties: { answer: { type: "string" } },
          } as const;
          const { content } = await sendRequest(
            { method: "elicitation/create", params: { message, requestedSchema } },
            ElicitResultSchema,
            { relatedTask: { taskId } } as object,
          );
          await store.updateTaskStatus(taskId, "working");
          return String(content?.["answer"]);
        };
        void work(ask).then(
          (text) => {
            const content = [{ type: "text" as const, text: `${topic}: ${text}` }];
            const structured = outputSchema ? { structuredContent: { text } } : {};
            return store.storeTaskResult(taskId, "completed", { content, ...structured });
          },
          (error: Error) => store.updateTaskStatus(taskId, "failed", error.message),
        );
        return { task };
      },
      getTask: (_args, { taskId, taskStore: store }) => store.getTask(taskId),
      getTaskResult: (_args, { taskId, taskStore: store }) => store.getTaskResult(taskId),
    },
  );
  const client = new Client(info, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
    action: "accept",
    content: { answer: `to ${params.message}` },
  }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  await client.connect(near);
  onTestFinished(async () => {
    await client.close();
    taskStore.cleanup();
    expect(errors).toEqual([]);
  });
  return { client, server, taskStore };
}

const asking: Setup["work"] = async (ask) => ask("why?");

const params = { name: "research", arguments: { topic: "bees" } };
const kinds = (messages: readonly { type: string }[]) => messages.map(({ type }) => type);

describe("a tool of experimental.tasks", () => {
  it("runs as a task whose states the client reads", async () => {
    const { client } = await pairOf();
    const { tools } = await client.listTools();
    expect(tools[0]).toMatchObject({ execution: { taskSupport: "required" } });
    const messages = await toArrayAsync(client.experimental.tasks.callToolStream(params));
    expect(kinds(messages).filter((kind) => kind !== "taskStatus")).toEqual([
      "taskCreated",
      "result",
    ]);
    expect(messages.at(-1)).toMatchObject({
      result: { content: [{ type: "text", text: "bees: done" }] },
    });
  });

  it("is refused without a task if it only runs as one", async () => {
    const { client } = await pairOf();
    await expect(client.callTool(params)).rejects.toMatchObject({ code: -32601 });
  });

  it("returns its task to a call with the option `task`", async () => {
    const { client } = await pairOf();
    const created: object = await client.callTool(params, CallToolResultSchema, { task: {} });
    const { task } = CreateTaskResultSchema.parse(created);
    const result = await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema);
    expect(result).toMatchObject({ content: [{ text: "bees: done" }] });
  });

  it("is awaited, with its questions, for a client that calls it without a task", async () => {
    const { client } = await pairOf({ execution: { taskSupport: "optional" }, work: asking });
    const { content } = await client.callTool(params);
    expect(content).toEqual([{ type: "text", text: "bees: to why?" }]);
  });

  it("asks while the client fetches the result", async () => {
    const { client } = await pairOf({ work: asking });
    const messages = await toArrayAsync(client.experimental.tasks.callToolStream(params));
    expect(messages.at(-1)).toMatchObject({
      type: "result",
      result: { content: [{ text: "bees: to why?" }] },
    });
  });

  it("has structured content, checked against its schema", async () => {
    const { client } = await pairOf({ outputSchema: { text: z.string() } });
    const messages = await toArrayAsync(client.experimental.tasks.callToolStream(params));
    expect(messages.at(-1)).toMatchObject({ result: { structuredContent: { text: "done" } } });
  });

  it("refuses arguments that violate its schema", async () => {
    const { client } = await pairOf();
    const wrong = { name: "research", arguments: { topic: 5 } };
    const messages = await toArrayAsync(client.experimental.tasks.callToolStream(wrong));
    expect(kinds(messages)).toEqual(["result"]);
    expect(messages[0]).toMatchObject({ result: { isError: true } });
  });

  it("is cancelled, listed, and unknown to strangers", async () => {
    const { client } = await pairOf({ work: () => new Promise(() => {}) });
    const stream = client.experimental.tasks.callToolStream(params);
    const first = await stream.next();
    const { taskId } = (first.value as { task: { taskId: string } }).task;
    expect((await client.experimental.tasks.listTasks()).tasks).toMatchObject([{ taskId }]);
    const cancelled = await client.experimental.tasks.cancelTask(taskId);
    expect(cancelled).toMatchObject({ taskId, status: "cancelled" });
    await expect(client.experimental.tasks.cancelTask(taskId)).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.experimental.tasks.getTaskResult(taskId)).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.experimental.tasks.getTask("none")).rejects.toMatchObject({
      code: -32602,
    });
    await stream.return();
  });
});

describe("requests of a server that run as tasks at the client", () => {
  const task = {
    taskId: "form-1",
    status: "working",
    ttl: null,
    createdAt: "2025-11-25T12:00:00Z",
    lastUpdatedAt: "2025-11-25T12:00:00Z",
    pollInterval: 1,
  } as const;
  const form = { message: "Name?", requestedSchema: { type: "object", properties: {} } } as const;

  /** Connects a server to a client that answers forms with tasks, which exist until they are cancelled. */
  async function served(pollInterval = 1) {
    const server = new Server(info, { capabilities: {} });
    const requests = { elicitation: { create: {} } };
    const capabilities = { elicitation: {}, tasks: { list: {}, cancel: {}, requests } };
    const client = new Client(info, { capabilities });
    const states: ("working" | "completed" | "cancelled")[] = ["working", "completed"];
    const state = (status = states.shift() ?? "completed") => ({ ...task, status, pollInterval });
    client.setRequestHandler(ElicitRequestSchema, (request) =>
      request.params.task ? { task } : { action: "decline" },
    );
    client.setRequestHandler(GetTaskRequestSchema, () => state());
    client.setRequestHandler(GetTaskPayloadRequestSchema, () => ({
      action: "accept",
      content: {},
    }));
    client.setRequestHandler(ListTasksRequestSchema, () => ({ tasks: [state("working")] }));
    client.setRequestHandler(CancelTaskRequestSchema, () => state("cancelled"));
    const [near, far] = InMemoryTransport.createLinkedPair();
    await server.connect(far);
    await client.connect(near);
    onTestFinished(() => client.close());
    return server.experimental.tasks;
  }

  it("yield the states of the task, then the result", async () => {
    const requests = await served();
    const messages = await toArrayAsync(requests.elicitInputStream(form, { task: { ttl: 1000 } }));
    expect(kinds(messages)).toEqual(["taskCreated", "taskStatus", "taskStatus", "result"]);
    expect(messages.at(-1)).toMatchObject({ result: { action: "accept" } });
  });

  it("yield only the result without a task, and an error as a message", async () => {
    const requests = await served();
    const plain = { method: "elicitation/create", params: form };
    const messages = await toArrayAsync(requests.requestStream(plain, ElicitResultSchema));
    expect(messages).toMatchObject([{ type: "result", result: { action: "decline" } }]);
    const wish = { messages: [], maxTokens: 1 };
    const refused = await toArrayAsync(requests.createMessageStream(wish));
    expect(kinds(refused)).toEqual(["error"]);
  });

  it("wait as long as the peer wishes between two looks, however long", async () => {
    const messages = (await served(2 ** 31)).elicitInputStream(form, { task: {} });
    const seen: string[] = [];
    void (async () => {
      for await (const { type } of messages) seen.push(type);
    })();
    await expect.poll(() => seen).toEqual(["taskCreated", "taskStatus"]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(seen).toHaveLength(2);
  });

  it("list, read and cancel the tasks", async () => {
    const requests = await served();
    expect(await requests.listTasks()).toMatchObject({ tasks: [{ taskId: "form-1" }] });
    expect(await requests.getTask("form-1")).toMatchObject({ status: "working" });
    expect(await requests.getTaskResult("form-1")).toMatchObject({ action: "accept" });
    expect(await requests.cancelTask("form-1")).toMatchObject({ status: "cancelled" });
  });
});

it("a server without a store refuses such tools", () => {
  const server = new McpServer(info);
  const handlers = { createTask: undefined, getTask: undefined, getTaskResult: undefined };
  expect(() => server.experimental.tasks.registerToolTask("t", {}, handlers as never)).toThrow(
    "The tool t needs a store of tasks",
  );
});

describe("the store in memory", () => {
  const request = { method: "tools/call" };
  const create = (store: TaskStore, session?: string) => store.createTask({}, 1, request, session);

  it("keeps the tasks of sessions apart", async () => {
    const store = new InMemoryTaskStore();
    const { taskId } = await create(store, "a");
    expect(await store.getTask(taskId, "b")).toBeNull();
    await expect(store.updateTaskStatus(taskId, "working", "x", "b")).rejects.toThrow("unknown");
    expect((await store.listTasks(undefined, "b")).tasks).toEqual([]);
    expect(await store.getTask(taskId, "a")).toMatchObject({ taskId, status: "working" });
  });

  it("keeps a task for its whole time to live, however long", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const day = 24 * 3_600_000;
    const store = new InMemoryTaskStore();
    const { taskId } = await store.createTask({ ttl: 60 * day }, 1, { method: "x" });
    vi.advanceTimersByTime(59 * day);
    expect(await store.getTask(taskId)).toMatchObject({ taskId });
    await store.storeTaskResult(taskId, "completed", {});
    vi.advanceTimersByTime(59 * day);
    expect(await store.getTaskResult(taskId)).toEqual({});
    vi.advanceTimersByTime(day);
    expect(await store.getTask(taskId)).toBeNull();
  });

  it("lists pages, and refuses an unknown cursor", async () => {
    const store = new InMemoryTaskStore();
    for (let count = 0; count < 23; count++) await create(store);
    const ids = new Set<string>();
    let cursor: string | undefined;
    do {
      const page: Awaited<ReturnType<TaskStore["listTasks"]>> = await store.listTasks(cursor);
      for (const { taskId } of page.tasks) ids.add(taskId);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(ids.size).toBe(23);
    await expect(store.listTasks("none")).rejects.toThrow("unknown");
  });

  it("never changes a task that has ended", async () => {
    const store = new InMemoryTaskStore();
    const { taskId } = await create(store);
    await expect(store.getTaskResult(taskId)).rejects.toThrow("no result");
    await store.storeTaskResult(taskId, "completed", { ok: true });
    await expect(store.storeTaskResult(taskId, "failed", {})).rejects.toThrow("has ended");
    await expect(store.updateTaskStatus(taskId, "working")).rejects.toThrow("has ended");
    expect(await store.getTaskResult(taskId)).toEqual({ ok: true });
    expect(isTerminal((await store.getTask(taskId))!.status)).toBe(true);
  });
});
