import { afterAll, beforeAll, expect, it } from "vitest";
import { RpcError } from "@mcp-codegen/runtime";
import { memoryPair } from "../../../runtime/memory/memory-pair.js";
import { connect } from "../client/support/connecting.js";
import { McpServer } from "../server/support/server.js";
import { Talk } from "../server/support/talk.js";
import { ExtensionFolder, generate, type Generated } from "./support/generated.js";

const ID = "io.modelcontextprotocol/tasks";
const REVISION = "2026-07-28";
const folder = new ExtensionFolder();
const question = {
  method: "elicitation/create",
  params: { mode: "form", message: "Go on?", requestedSchema: { type: "object", properties: {} } },
};
let tasks: Generated;

beforeAll(async () => {
  const { files, problems } = await generate("tasks");
  expect(problems).toEqual([]);
  tasks = await folder.put(files).import();
}, 60_000);
afterAll(() => folder.remove());

function known(params: unknown): void {
  if ((params as { taskId: string }).taskId === "t1") return;
  throw new RpcError(-32602, "There is no such task");
}

/** Creates a server with one task that sends an input request before it continues. */
function serverWithTask() {
  const server = new McpServer();
  const task = { taskId: "t1", createdAt: "", lastUpdatedAt: "", ttlMs: null };
  let now: object = { status: "input_required", inputRequests: { go: question } };
  server.registerExtension(tasks.extension, {
    handlers: {
      "tasks/get": (params) => {
        known(params);
        return { ...task, ...now };
      },
      "tasks/update": (params) => {
        known(params);
        now = { status: "completed", result: { content: [], isError: true } };
        const notified = tasks.extension.notifications["notifications/tasks"]!;
        server.broadcast(notified, { ...task, ...now });
        return {};
      },
      "tasks/cancel": (params) => {
        known(params);
        now = { status: "cancelled" };
        return {};
      },
    },
  });
  return server;
}

it("tasks are requested, given input and ended in raw messages of their schema (XTASK-06, XTASK-08, XTASK-09)", async () => {
  const server = serverWithTask();
  const talk = await Talk.with(server, REVISION, { capabilities: { extensions: { [ID]: {} } } });
  const { GetTaskResult, UpdateTaskResult, CancelTaskResult, TaskStatusNotification } =
    tasks.validators;
  const asking = await talk.call("tasks/get", { taskId: "t1" });
  expect(asking.result).toMatchObject({ resultType: "complete", inputRequests: { go: question } });
  expect(GetTaskResult!(asking.result)).toBe(true);
  talk.ask("subscriptions/listen", { notifications: { taskIds: ["t1"] } });
  const [acknowledged] = await talk.notifications();
  expect(acknowledged.params.notifications).toEqual({ taskIds: ["t1"] });
  const inputResponses = { go: { action: "accept", content: {} } };
  const updated = await talk.call("tasks/update", { taskId: "t1", inputResponses });
  expect(UpdateTaskResult!(updated.result)).toBe(true);
  const notified = await talk.notifications();
  expect(notified).toHaveLength(1);
  expect(TaskStatusNotification!(notified[0])).toBe(true);
  const done = await talk.call("tasks/get", { taskId: "t1" });
  expect(done.result).toMatchObject({ status: "completed", result: { isError: true } });
  expect(CancelTaskResult!((await talk.call("tasks/cancel", { taskId: "t1" })).result)).toBe(true);
  expect(server.reports).toEqual([]);
});

it("unknown tasks, and tasks without the extension, are refused (XTASK-12, XTASK-13)", async () => {
  const declaring = { capabilities: { extensions: { [ID]: {} } } };
  const talk = await Talk.with(serverWithTask(), REVISION, declaring);
  expect((await talk.call("tasks/get", { taskId: "t2" })).error.code).toBe(-32602);
  expect((await talk.call("tasks/get", {})).error.code).toBe(-32602);
  expect((await talk.call("tasks/update", { taskId: "t1" })).error.code).toBe(-32602);
  for (const method of ["tasks/result", "tasks/list"])
    expect((await talk.call(method, { taskId: "t1" })).error.code).toBe(-32601);
  const stranger = await Talk.with(serverWithTask(), REVISION);
  expect((await stranger.call("tasks/get", { taskId: "t1" })).error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { extensions: { [ID]: {} } } },
  });
});

it("a client of all revisions follows a task", async () => {
  const [near, far] = memoryPair();
  await serverWithTask().connect(far);
  const client = await connect(near, { extensions: [tasks.extension] });
  expect(client.revision).toBe(REVISION);
  const { requests } = tasks.extension;
  const asking = await client.request(requests["tasks/get"]!, { taskId: "t1" });
  expect(asking).toMatchObject({ status: "input_required" });
  await client.request(requests["tasks/cancel"]!, { taskId: "t1" });
  expect(await client.request(requests["tasks/get"]!, { taskId: "t1" })).toMatchObject({
    status: "cancelled",
  });
});

it("messages of a revision belong to it, even if an extension has the same name (XTASK-20)", async () => {
  const declaring = { capabilities: { extensions: { [ID]: {} } } };
  const talk = await Talk.with(serverWithTask(), "2025-11-25", declaring);
  expect((await talk.call("tasks/get", { taskId: "t1" })).error.code).toBe(-32601);
  const server = new McpServer();
  const task = { taskId: "t1", status: "working", createdAt: "", lastUpdatedAt: "", ttl: null };
  server.setHandler("tasks/get", () => task);
  const [near, far] = memoryPair();
  await server.fork().connect(far);
  const revisions = server.revisions.filter(({ id }) => id === "2025-11-25");
  const client = await connect(near, { revisions, extensions: [tasks.extension] });
  expect(await client.request("tasks/get", { taskId: "t1" })).toMatchObject(task);
});
