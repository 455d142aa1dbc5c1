import { requestAsTask } from "@mcp-codegen/runtime/tasks";
import { json, type Kit, text } from "./kit.js";

const anything = { type: "object" } as const;

/** Adds tools that can be called as tasks, and one that runs a task on the client. */
export function addTaskTools({ tools, knows }: Kit): void {
  if (!knows.tasks) return;
  const optional = { inputSchema: anything, execution: { taskSupport: "optional" } } as const;
  tools.add({ name: "labour", ...optional }, async ({ fails }, { progress }) => {
    progress(1, 2);
    await new Promise((resolve) => setTimeout(resolve, 60));
    progress(2, 2);
    return fails === true ? { ...text("no"), isError: true } : text("laboured");
  });
  tools.add({ name: "toil", ...optional }, (_args, { signal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  });
  tools.add({ name: "consult", ...optional }, async (_args, { request }) => {
    const { roots } = await request("roots/list");
    return json(roots);
  });
  const required = { taskSupport: "required" } as const;
  tools.add({ name: "task-only", inputSchema: anything, execution: required }, () => text("done"));
  tools.add({ name: "delegate", inputSchema: anything }, async (_args, context) => {
    const messages = [{ role: "user", content: { type: "text", text: "hi" } }];
    const params = { messages, maxTokens: 1 };
    return json(await requestAsTask(context, "sampling/createMessage", params));
  });
}
