import type { CallToolResult, ElicitResult, Handlers } from "@mcp-codegen/2025-11-25";
import { expect, it } from "vitest";
import type { HttpHandlerOptions } from "../../runtime/http/server/index.js";
import { Tasks, type TasksOptions } from "../../runtime/tasks/index.js";
import {
  answerIn,
  EventReader,
  type RawClient,
  serve,
  tool,
  type Wire,
} from "../http/server/serve.js";
import { serverWith } from "./support/connected.js";

const revision = "2025-11-25";
const question = {
  message: "Really?",
  requestedSchema: { type: "object" as const, properties: {} },
};
const text = (said: string): CallToolResult => ({ content: [{ type: "text", text: said }] });

const handlers: Handlers = {
  "tools/call": async ({ name }, { request, signal }) => {
    if (name === "greet") return text("hello");
    if (name === "wait") {
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return text("aborted");
    }
    const { action } = (await request("elicitation/create", question)) as ElicitResult;
    return text(action);
  },
};

function serving(tasks: TasksOptions, options: HttpHandlerOptions = {}): Promise<RawClient> {
  const { server } = serverWith({ handlers, features: [new Tasks(tasks)] });
  return serve(server, options);
}

const authenticate: HttpHandlerOptions["authenticate"] = (request) => ({
  principal: request.header("authorization")!,
});

async function created(client: RawClient, name: string): Promise<string> {
  const call = tool(1, name);
  const response = await client.post({ ...call, params: { ...call.params, task: {} } });
  const { result } = await answerIn(response);
  return result.task.taskId as string;
}

async function statusOf(client: RawClient, taskId: string): Promise<unknown> {
  const { result, error } = await client.call(2, "tasks/get", { taskId });
  return result?.status ?? error.code;
}

async function untilStatus(client: RawClient, taskId: string, status: string): Promise<void> {
  while ((await statusOf(client, taskId)) !== status) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

it("input requests arrive on the stream of the request for the result (TASK-15)", async () => {
  const client = await serving({});
  await client.initialize(revision);
  const taskId = await created(client, "ask");
  await untilStatus(client, taskId, "input_required");
  const request = { jsonrpc: "2.0", id: 3, method: "tasks/result", params: { taskId } };
  const reader = new EventReader(await client.post(request));
  const requested = (await reader.message()) as Wire;
  expect(requested.method).toBe("elicitation/create");
  await client.post({ jsonrpc: "2.0", id: requested.id, result: { action: "accept" } });
  let answer = (await reader.message()) as Wire;
  while (answer.id !== 3) answer = (await reader.message()) as Wire;
  expect(answer.result).toMatchObject(text("accept"));
});

it("a principal finds its task in another session, a stranger does not (TASK-20)", async () => {
  const ada = await serving({}, { authenticate });
  ada.headers = { Authorization: "ada" };
  await ada.initialize(revision);
  const taskId = await created(ada, "greet");
  await untilStatus(ada, taskId, "completed");
  ada.headers = { Authorization: "ada" };
  await ada.initialize(revision);
  expect(await statusOf(ada, taskId)).toBe("completed");
  ada.headers = { Authorization: "bob" };
  await ada.initialize(revision);
  expect(await statusOf(ada, taskId)).toBe(-32602);
});

it("a task is found by its id without sessions, unless an option binds it to one (TASK-20)", async () => {
  for (const bindToSession of [true, false, undefined]) {
    const client = await serving({ bindToSession }, { sessions: false });
    client.headers = { "MCP-Protocol-Version": revision };
    const taskId = await created(client, "greet");
    if (bindToSession) expect(await statusOf(client, taskId)).toBe(-32602);
    else await untilStatus(client, taskId, "completed");
  }
});

it("a task without sessions runs on after the response to its call, and can be cancelled", async () => {
  const client = await serving({}, { sessions: false });
  client.headers = { "MCP-Protocol-Version": revision };
  const taskId = await created(client, "wait");
  expect(await statusOf(client, taskId)).toBe("working");
  const { result } = await client.call(3, "tasks/cancel", { taskId });
  expect(result).toMatchObject({ taskId, status: "cancelled" });
});
