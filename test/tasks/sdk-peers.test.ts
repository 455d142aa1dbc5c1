import {
  Client,
  type ClientHandlers,
  type Handlers,
  Server,
  type Tool,
} from "@mcp-codegen/2025-11-25";
import { Client as SdkClient } from "@modelcontextprotocol/sdk/client/index.js";
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from "@modelcontextprotocol/sdk/experimental/tasks";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  type CallToolResult as SdkResult,
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  ElicitResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { followTask, requestAsTask } from "../../runtime/tasks/request-as-task.js";
import type { CreatedTask } from "../../runtime/tasks/task.js";
import { Tasks } from "../../runtime/tasks/tasks.js";
import { sdkPair } from "./support/sdk-pair.js";
import * as validators from "@mcp-codegen/2025-11-25/validators";

const info = { name: "test", version: "1.0.0" };
const form = {
  message: "Name?",
  requestedSchema: { type: "object" as const, properties: { name: { type: "string" as const } } },
};
const tools: Tool[] = ["greet", "fail", "wait"].map((name) => ({
  name,
  inputSchema: { type: "object" },
  execution: { taskSupport: "optional" },
}));
const greeting = (name: unknown) => ({
  content: [{ type: "text" as const, text: `Hello ${String(name)}` }],
});

const greet: NonNullable<Handlers["tools/call"]> = async ({ name }, { request }) => {
  if (name === "fail") return { content: [], isError: true };
  if (name === "wait") return new Promise(() => {});
  const answer = await request("elicitation/create", form);
  return greeting((answer as { content?: { name?: unknown } }).content?.name);
};

async function connectedSdk() {
  const server = new Server(
    info,
    { "tools/list": () => ({ tools }), "tools/call": greet },
    { features: [new Tasks({ pollInterval: 10, list: true })] },
  );
  const client = new SdkClient(info, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, () => ({
    action: "accept",
    content: { name: "Ada" },
  }));
  const [ours, theirs] = sdkPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  await client.listTools();
  return { client, tasks: client.experimental.tasks };
}

describe("our server and the official client", () => {
  it("run a call as a task with a request to the user (TASK-15, TASK-17)", async () => {
    const { client, tasks } = await connectedSdk();
    const seen: string[] = [];
    let result: SdkResult | undefined;
    const stream = tasks.callToolStream({ name: "greet" }, CallToolResultSchema, { task: {} });
    for await (const message of stream) {
      seen.push(message.type === "taskStatus" ? message.task.status : message.type);
      if (message.type === "result") result = message.result as SdkResult;
    }
    expect(seen[0]).toBe("taskCreated");
    expect(seen).toContain("input_required");
    expect(result).toMatchObject(greeting("Ada"));
    await client.close();
  });

  it("list, cancel, and report a failure (TASK-11, TASK-12, TASK-19)", async () => {
    const { client, tasks } = await connectedSdk();
    const created = await client.request(
      { method: "tools/call", params: { name: "wait", task: { ttl: 5000 } } },
      CreateTaskResultSchema,
    );
    const { taskId } = created.task;
    expect((await tasks.listTasks()).tasks).toMatchObject([{ taskId, ttl: 5000 }]);
    expect(await tasks.cancelTask(taskId)).toMatchObject({ taskId, status: "cancelled" });
    await expect(tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 });
    const types: string[] = [];
    const stream = tasks.callToolStream({ name: "fail" }, CallToolResultSchema, { task: {} });
    for await (const message of stream) types.push(message.type);
    expect(types.at(-1)).toBe("error");
    await client.close();
  });
});

async function connectedToSdk(handlers: ClientHandlers = {}, features: readonly Tasks[] = []) {
  const server = new McpServer(info, {
    capabilities: {
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      tools: {},
    },
    taskStore: new InMemoryTaskStore(),
    taskMessageQueue: new InMemoryTaskMessageQueue(),
  });
  server.experimental.tasks.registerToolTask(
    "greet",
    {},
    {
      createTask: async ({ taskStore, sendRequest }) => {
        const task = await taskStore.createTask({ ttl: 60_000, pollInterval: 10 });
        const { taskId } = task;
        void (async () => {
          const answer = await sendRequest(
            { method: "elicitation/create", params: form },
            ElicitResultSchema,
            { relatedTask: { taskId } } as object,
          );
          await taskStore.storeTaskResult(taskId, "completed", greeting(answer.content?.["name"]));
        })();
        return { task };
      },
      getTask: async ({ taskId, taskStore }) => (await taskStore.getTask(taskId))!,
      getTaskResult: async ({ taskId, taskStore }) =>
        (await taskStore.getTaskResult(taskId)) as SdkResult,
    },
  );
  server.experimental.tasks.registerToolTask(
    "wait",
    {},
    {
      createTask: async ({ taskStore }) => ({
        task: await taskStore.createTask({ ttl: 60_000 }),
      }),
      getTask: async ({ taskId, taskStore }) => (await taskStore.getTask(taskId))!,
      getTaskResult: async ({ taskId, taskStore }) =>
        (await taskStore.getTaskResult(taskId)) as SdkResult,
    },
  );
  const client = new Client(info, handlers, { features });
  const [ours, theirs] = sdkPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  return { client, server };
}

describe("our client and the official server", () => {
  it("run a call as a task with a request to the user (TASK-15, TASK-17)", async () => {
    const { client } = await connectedToSdk({
      "elicitation/create": () => ({ action: "accept", content: { name: "Ada" } }),
    });
    const accepts = validators.CallToolResult;
    const statuses: string[] = [];
    const result = await requestAsTask(
      client,
      "tools/call",
      { name: "greet" },
      { accepts, onstatus: ({ status }) => statuses.push(status) },
    );
    expect(result).toMatchObject(greeting("Ada"));
    expect(statuses).toContain("input_required");
    await client.close();
  });

  it("cancel by aborting (TASK-12)", async () => {
    const { client } = await connectedToSdk();
    const created = (await client.callTool({ name: "wait", task: {} })) as CreatedTask;
    const controller = new AbortController();
    const following = followTask(client, created, { signal: controller.signal });
    controller.abort("enough");
    await expect(following).rejects.toBe("enough");
    const { taskId } = created.task;
    await expect(client.getTask({ taskId })).resolves.toMatchObject({ status: "cancelled" });
    expect((await client.listTasks()).tasks).toMatchObject([{ taskId }]);
    await client.close();
  });

  it("elicit as a task and follow it (TASK-02)", async () => {
    const { client, server } = await connectedToSdk(
      { "elicitation/create": async () => ({ action: "accept", content: { name: "Ada" } }) },
      [new Tasks({ requests: ["elicitation/create"], pollInterval: 10 })],
    );
    const seen: string[] = [];
    let answer: unknown;
    const stream = server.server.experimental.tasks.requestStream(
      { method: "elicitation/create", params: { ...form, mode: "form" } },
      ElicitResultSchema,
      { task: {} },
    );
    for await (const message of stream) {
      seen.push(message.type);
      if (message.type === "result") answer = message.result;
    }
    expect(seen[0]).toBe("taskCreated");
    expect(answer).toMatchObject({ action: "accept", content: { name: "Ada" } });
    await client.close();
  });
});
