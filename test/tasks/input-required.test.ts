import type {
  CallToolResult,
  CreateTaskResult,
  ElicitResult,
  Handlers,
} from "@mcp-codegen/2025-11-25";
import { describe, expect, it, vi } from "vitest";
import { Tasks } from "../../runtime/tasks/tasks.js";
import { deferred } from "../engine/support/tiny-endpoints.js";
import { connected, type Setting } from "./support/connected.js";

const RELATED = "io.modelcontextprotocol/related-task";

const question = {
  message: "Really?",
  requestedSchema: { type: "object" as const, properties: {} },
};
const text = (said: string): CallToolResult => ({ content: [{ type: "text", text: said }] });

const ask: NonNullable<Handlers["tools/call"]> = async (_params, { request }) => {
  const { action } = (await request("elicitation/create", question)) as ElicitResult;
  return text(action);
};

async function asking(setting: Setting) {
  const all = await connected({
    handlers: { "tools/call": ask },
    features: [new Tasks()],
    ...setting,
  });
  const { task } = (await all.client.callTool({ name: "work", task: {} })) as CreateTaskResult;
  return { ...all, taskId: task.taskId };
}

const waitsForInput = (client: Awaited<ReturnType<typeof asking>>["client"], taskId: string) =>
  vi.waitUntil(async () => (await client.getTask({ taskId })).status === "input_required", {
    timeout: 20_000,
  });

describe("a task that needs input", () => {
  it("has that status, sends requests when its result is fetched, and continues (TASK-15, TASK-14, META-08)", async () => {
    const requested = vi.fn();
    const { client, taskId, traffic, errors } = await asking({
      clientHandlers: {
        "elicitation/create": (params) => {
          requested(params);
          return { action: "accept", content: {} };
        },
      },
    });
    await waitsForInput(client, taskId);
    expect(requested).not.toHaveBeenCalled();
    const result = await client.request("tasks/result", { taskId });
    expect(result).toMatchObject(text("accept"));
    expect(requested).toHaveBeenCalledWith({ ...question, _meta: { [RELATED]: { taskId } } });
    const statuses = traffic.of("notifications/tasks/status").map(({ status }) => status);
    expect(statuses).toEqual(["input_required", "working", "completed"]);
    expect([...errors, ...traffic.wrong]).toEqual([]);
  });

  it("receives responses that are marked as part of it, whatever features its client has (TASK-14)", async () => {
    for (const clientFeatures of [[], [new Tasks({ requests: [] })]]) {
      const { client, server, taskId, traffic } = await asking({
        clientFeatures,
        clientHandlers: { "elicitation/create": () => ({ action: "decline", _meta: { own: 1 } }) },
      });
      await client.request("tasks/result", { taskId });
      const answer = traffic.messages.find(
        ({ from, result }) => from === "client" && (result as ElicitResult | undefined)?.action,
      );
      expect(answer?.result).toMatchObject({ _meta: { own: 1, [RELATED]: { taskId } } });
      await server.close();
    }
  });

  it("sends its requests again with the next request for its result if the first one is cancelled", async () => {
    const answer = deferred<ElicitResult>();
    const requested = vi.fn(() => answer.promise);
    const { client, taskId, traffic } = await asking({
      clientHandlers: { "elicitation/create": requested },
    });
    const controller = new AbortController();
    const first = client.request("tasks/result", { taskId }, { signal: controller.signal });
    first.catch(() => {});
    await vi.waitUntil(() => requested.mock.calls.length === 1, { timeout: 20_000 });
    controller.abort("no time");
    await expect(first).rejects.toBe("no time");
    expect((await client.getTask({ taskId })).status).toBe("input_required");
    const second = client.request("tasks/result", { taskId });
    await vi.waitUntil(() => requested.mock.calls.length === 2, { timeout: 20_000 });
    answer.resolve({ action: "cancel" });
    expect(await second).toMatchObject(text("cancel"));
    expect(traffic.wrong).toEqual([]);
  });

  it("sends several requests at once", async () => {
    const { client, taskId } = await asking({
      handlers: {
        "tools/call": async (_params, { request }) => {
          const answers = await Promise.all([
            request("elicitation/create", question),
            request("elicitation/create", question),
            request("roots/list"),
          ]);
          return text(String(answers.length));
        },
      },
      clientHandlers: {
        "elicitation/create": () => ({ action: "accept" }),
        "roots/list": () => ({ roots: [] }),
      },
    });
    expect(await client.request("tasks/result", { taskId })).toMatchObject(text("3"));
  });

  it("cannot send undeclared requests, and does not wait for them", async () => {
    const { client, taskId } = await asking({
      handlers: {
        "tools/call": async (_params, { request }) =>
          text(await request("roots/list").then(String, ({ code }: { code: string }) => code)),
      },
    });
    expect(await client.request("tasks/result", { taskId })).toMatchObject(text("CAPABILITY"));
  });

  it("stops sending requests when it is cancelled (TASK-12)", async () => {
    const caught = deferred<unknown>();
    const { client, taskId, traffic } = await asking({
      handlers: {
        "tools/call": async (_params, { request }) => {
          await request("elicitation/create", question).catch(caught.resolve);
          return text("");
        },
      },
      clientHandlers: { "elicitation/create": () => ({ action: "accept" }) },
    });
    await waitsForInput(client, taskId);
    await client.cancelTask({ taskId });
    expect(await caught.promise).toMatchObject({ code: "REQUEST_CANCELLED" });
    expect(traffic.of("elicitation/create")).toEqual([]);
  });

  it("sends notifications with the request for its result, marked as part of it", async () => {
    const { client, taskId, traffic } = await asking({
      capabilities: { logging: {} },
      handlers: {
        "tools/call": async (_params, { request, notify }) => {
          await request("elicitation/create", question);
          await notify("notifications/message", { level: "info", data: "on it" });
          return text("");
        },
      },
      clientHandlers: { "elicitation/create": () => ({ action: "accept" }) },
    });
    await client.request("tasks/result", { taskId });
    expect(traffic.of("notifications/message")).toEqual([
      { level: "info", data: "on it", _meta: { [RELATED]: { taskId } } },
    ]);
  });
});
