import type { CallToolResult, Tool } from "@mcp-codegen/2025-11-25";
import { describe, expect, it, vi } from "vitest";
import { Tools } from "../../runtime/features/index.js";
import { followTask, requestAsTask } from "../../runtime/tasks/request-as-task.js";
import { Tasks } from "../../runtime/tasks/tasks.js";
import { connected } from "./support/connected.js";
import * as validators from "@mcp-codegen/2025-11-25/validators";

type Support = "forbidden" | "optional" | "required";

const done: CallToolResult = { content: [{ type: "text", text: "done" }] };

async function bakery(support: Support | undefined, features = [new Tasks({ pollInterval: 10 })]) {
  const tools = new Tools<Tool, CallToolResult>({ schemas: "unchecked", pageSize: 1 });
  tools.add({ name: "another", inputSchema: { type: "object" } }, () => done);
  const execution = support && { execution: { taskSupport: support } };
  tools.add({ name: "bake", inputSchema: { type: "object" }, ...execution }, () => done);
  return connected({ features: [tools, ...features] });
}

const isNothing = (value: unknown): value is never => value === "nothing";

const bake = { name: "bake" };

describe("a request as a task", () => {
  const requested: readonly [Support | undefined, boolean][] = [
    [undefined, false],
    ["forbidden", false],
    ["optional", true],
    ["required", true],
  ];
  it.each(requested)(
    "of a tool whose task support is %s has the task parameter: %s (TASK-07, TASK-08)",
    async (support, isTask) => {
      const { client, traffic } = await bakery(support);
      expect(await requestAsTask(client, "tools/call", bake)).toMatchObject(done);
      const [call] = traffic.of("tools/call");
      expect(call?.["task"] !== undefined).toBe(isTask);
      expect(traffic.wrong).toEqual([]);
    },
  );

  it("fetches the list of tools once, and again if a tool refuses (TASK-07)", async () => {
    const { client, traffic } = await bakery("optional");
    await requestAsTask(client, "tools/call", bake);
    await requestAsTask(client, "tools/call", bake);
    expect(traffic.of("tools/list")).toHaveLength(2);
  });

  it("is a plain request to a peer that does not declare tasks (TASK-07)", async () => {
    const { client, traffic } = await bakery("optional", []);
    expect(await requestAsTask(client, "tools/call", bake)).toMatchObject(done);
    expect(traffic.of("tools/call")[0]).not.toHaveProperty("task");
    expect(traffic.of("tools/list")).toEqual([]);
  });

  it("has an immediate result checked in the same way as the result of a task", async () => {
    const { client } = await bakery("forbidden");
    const result = await requestAsTask(client, "tools/call", bake, {
      accepts: validators.CallToolResult,
    });
    expect(result.content).toEqual(done.content);
    await expect(
      requestAsTask(client, "tools/call", bake, { accepts: isNothing }),
    ).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
  });
});

describe("a poll interval above a minute", () => {
  it("is honoured (TASK-17)", async () => {
    vi.useFakeTimers();
    try {
      const looks: string[] = [];
      const task = { taskId: "1", status: "working", createdAt: "", lastUpdatedAt: "", ttl: null };
      const request = async (method: string): Promise<unknown> => {
        looks.push(method);
        return { ...task, status: "completed" };
      };
      const created = { task: { ...task, status: "working" as const, pollInterval: 120_000 } };
      const pending = followTask({ request }, created);
      await vi.advanceTimersByTimeAsync(119_000);
      expect(looks).toEqual([]);
      await vi.advanceTimersByTimeAsync(2000);
      await pending;
      expect(looks[0]).toBe("tasks/get");
    } finally {
      vi.useRealTimers();
    }
  });
});
