import { expect } from "vitest";
import type { Case, OursScene } from "../../case.js";
import { followTask, requestAsTask } from "@mcp-codegen/runtime/tasks";

const RELATED = "io.modelcontextprotocol/related-task";
const task = (name: string, args: object = {}) => ({ name, arguments: args as never, task: {} });

/** Requests that are answered first and carried out afterwards. */
export const taskCases: readonly Case<OursScene>[] = [
  {
    name: "a call becomes a task whose result is fetched (TASK-04, TASK-05, TASK-09, TASK-10, TASK-17)",
    needs: ["tasks", "sessions"],
    run: async ({ client }) => {
      const created = await client.callTool(task("labour"));
      expect(created.task).toMatchObject({ status: "working", pollInterval: 20 });
      const { taskId } = created.task;
      expect(await client.getTask({ taskId })).toMatchObject({ taskId, status: "working" });
      const result = await followTask(client, created as never);
      expect(result).toMatchObject({
        content: [{ type: "text", text: "laboured" }],
        _meta: { [RELATED]: { taskId } },
      });
      expect((await client.getTask({ taskId })).status).toBe("completed");
      const listed = await client.listTasks();
      expect(listed.tasks.map((one) => one.taskId)).toContain(taskId);
    },
  },
  {
    name: "progress continues until the task ends (PROG-07)",
    needs: ["tasks", "sessions"],
    run: async ({ client }) => {
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress);
      const params = { name: "labour", arguments: {} };
      await requestAsTask(client, "tools/call", params, { onprogress });
      expect(seen).toEqual([1, 2]);
    },
  },
  {
    name: "a failed task has an error as result (TASK-10, TASK-19)",
    needs: ["tasks", "sessions"],
    run: async ({ client }) => {
      const created = await client.callTool(task("labour", { fails: true }));
      const result = await followTask(client, created as never);
      expect(result).toMatchObject({ isError: true });
      expect((await client.getTask({ taskId: created.task.taskId })).status).toBe("failed");
    },
  },
  {
    name: "a task is cancelled by its id, once (TASK-12, CANC-04)",
    needs: ["tasks", "sessions"],
    run: async ({ client }) => {
      const { taskId } = (await client.callTool(task("toil"))).task;
      expect(await client.cancelTask({ taskId })).toMatchObject({ taskId, status: "cancelled" });
      await expect(client.cancelTask({ taskId })).rejects.toMatchObject({ code: -32602 });
      await expect(client.getTask({ taskId: "none" })).rejects.toMatchObject({ code: -32602 });
    },
  },
  {
    name: "a task sends requests to the client while its result is fetched (TASK-14, TASK-15)",
    needs: ["tasks", "sessions", "asks"],
    run: async ({ client }) => {
      const result = await requestAsTask(client, "tools/call", { name: "consult" });
      expect(JSON.stringify(result)).toContain("file:///");
    },
  },
  {
    name: "tools decide whether they are called as tasks (TASK-07, TASK-08, GAP-04)",
    needs: ["tasks"],
    run: async ({ client }) => {
      await expect(client.callTool(task("echo"))).rejects.toMatchObject({ code: -32601 });
      const plain = client.callTool({ name: "task-only" });
      await expect(plain).rejects.toMatchObject({ code: -32601 });
    },
  },
  {
    name: "a client runs tasks too (TASK-01, TASK-02)",
    needs: ["tasks", "asks"],
    run: async ({ json }) => {
      const result = await json("delegate");
      expect(result).toMatchObject({ model: "adder" });
      expect(result["_meta"][RELATED].taskId).toBeTypeOf("string");
    },
  },
];
