import type { CreateTaskResult, ElicitResult, Handlers } from "@mcp-codegen/2025-11-25";
import { describe, expect, it } from "vitest";
import { requestAsTask } from "../../runtime/tasks/request-as-task.js";
import { Tasks } from "../../runtime/tasks/tasks.js";
import { connected } from "./support/connected.js";
import * as validators from "@mcp-codegen/2025-11-25/validators";

const sample = {
  messages: [{ role: "user" as const, content: { type: "text" as const, text: "Hi" } }],
  maxTokens: 10,
};
const sampled = {
  role: "assistant" as const,
  model: "test",
  content: { type: "text" as const, text: "Hello" },
};
const form = { message: "Name?", requestedSchema: { type: "object" as const, properties: {} } };

const clientTasks = () =>
  new Tasks({ requests: ["sampling/createMessage", "elicitation/create"], pollInterval: 10 });

const elicitsAsTask: NonNullable<Handlers["tools/call"]> = async (_params, { session }) => {
  const accepts = validators.ElicitResult;
  const answer = await requestAsTask<ElicitResult>(session, "elicitation/create", form, {
    accepts,
  });
  return { content: [{ type: "text", text: JSON.stringify(answer.content) }] };
};

const waitsForTask: NonNullable<Handlers["tools/call"]> = async (_params, context) => {
  const created = (await context.request("elicitation/create", {
    ...form,
    task: {},
  })) as CreateTaskResult;
  const answer = await context.session.request("tasks/result", {
    taskId: created.task.taskId,
  });
  return { content: [{ type: "text", text: (answer as ElicitResult).action }] };
};

describe("a client that answers requests with tasks", () => {
  const clientHandlers = {
    "sampling/createMessage": () => sampled,
    "elicitation/create": async () => ({ action: "accept" as const, content: { name: "Ada" } }),
  };

  it("declares its tasks (TASK-01)", async () => {
    const { session } = await connected({ clientHandlers, clientFeatures: [clientTasks()] });
    expect(session.client?.capabilities.tasks).toEqual({
      cancel: {},
      requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
    });
  });

  it("samples as a task (TASK-02, TASK-04)", async () => {
    const { session, traffic } = await connected({
      clientHandlers,
      clientFeatures: [clientTasks()],
    });
    const { task } = (await session.createMessage({ ...sample, task: {} })) as CreateTaskResult;
    expect(task.status).toBe("working");
    const result = await session.request("tasks/result", { taskId: task.taskId });
    expect(result).toMatchObject(sampled);
    expect(traffic.wrong).toEqual([]);
  });

  it("elicits as a task for a tool (TASK-02, TASK-17)", async () => {
    const { client, traffic } = await connected({
      handlers: { "tools/call": elicitsAsTask },
      clientHandlers,
      clientFeatures: [clientTasks()],
    });
    const result = await client.callTool({ name: "ask" });
    expect(result).toEqual({ content: [{ type: "text", text: '{"name":"Ada"}' }] });
    expect(traffic.of("tasks/get").length).toBeGreaterThan(0);
    expect(traffic.wrong).toEqual([]);
  });

  it("answers undeclared requests directly (TASK-03)", async () => {
    const { session, traffic } = await connected({ clientHandlers });
    await expect(session.createMessage({ ...sample, task: {} })).resolves.toEqual(sampled);
    expect(traffic.of("sampling/createMessage")[0]).not.toHaveProperty("task");
  });

  it("continues to work while a task on the server waits for it (TASK-02)", async () => {
    const { client, traffic } = await connected({
      handlers: { "tools/call": waitsForTask },
      features: [new Tasks({ pollInterval: 10 })],
      clientHandlers,
      clientFeatures: [clientTasks()],
    });
    const result = await requestAsTask(client, "tools/call", { name: "ask" });
    expect(result).toMatchObject({ content: [{ type: "text", text: "accept" }] });
    expect(traffic.wrong).toEqual([]);
  });
});
