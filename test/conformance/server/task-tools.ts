import { acceptedContent, inputRequired, type McpServer } from "@mcp-codegen/universal";
import { RpcError } from "@mcp-codegen/runtime";
import { ToolError } from "@mcp-codegen/runtime/features";
import * as z from "zod";

/** Adds tools that work as tasks, under names that the suite knows. */
export function addTaskTools(server: McpServer): void {
  server.registerTool(
    "greet",
    { description: "Greets somebody.", inputSchema: z.object({ name: z.string() }) },
    ({ name }) => `Hello, ${name}!`,
  );
  const computing = z.object({ seconds: z.number().min(0), label: z.string().optional() });
  server.registerTool(
    "slow_compute",
    { description: "Takes its time.", task: "optional", inputSchema: computing },
    async ({ seconds, label = "work" }, { signal }) => {
      await sleep(seconds * 1000, signal);
      return `Computed ${label}`;
    },
  );
  server.registerTool("failing_job", { description: "Fails.", task: "required" }, async (ctx) => {
    await sleep(1000, ctx.signal);
    throw new ToolError("The job has failed");
  });
  server.registerTool(
    "protocol_error_job",
    { description: "Ends with an error of the request.", task: "required" },
    async (ctx) => {
      await sleep(100, ctx.signal);
      throw new RpcError(-32603, "The job cannot be done");
    },
  );
  addAskingTools(server);
}

function addAskingTools(server: McpServer): void {
  server.registerTool(
    "confirm_delete",
    {
      description: "Asks before it deletes.",
      task: "required",
      inputSchema: z.object({ filename: z.string() }),
    },
    async ({ filename }, ctx) => {
      const confirm = z.object({ confirm: z.boolean() });
      const answer = await ctx.elicit({ message: `Delete ${filename}?`, requestedSchema: confirm });
      const isConfirmed = answer.action === "accept" && answer.content.confirm;
      return isConfirmed ? `Deleted ${filename}` : `Kept ${filename}`;
    },
  );
  server.registerTool(
    "multi_input",
    { description: "Asks two things at once.", task: "required" },
    async (ctx) => {
      const name = z.object({ name: z.string() });
      const color = z.object({ color: z.string() });
      const answers = await Promise.all([
        ctx.elicit({ message: "What is your name?", requestedSchema: name }),
        ctx.elicit({ message: "What is your color?", requestedSchema: color }),
      ]);
      return JSON.stringify(answers.map(({ action }) => action));
    },
  );
  server.registerTool(
    "test_tool_with_task",
    { description: "Asks first, then goes on as a task.", task: "optional" },
    async (ctx) => {
      const given = acceptedContent(ctx.answers, "user_name");
      if (given === undefined) return inputRequired({ requests: { user_name: NAME } });
      await sleep(1000, ctx.signal);
      return `Hello, ${String(given["name"])}`;
    },
  );
}

const NAME = inputRequired.elicit({
  message: "What is your name?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  },
});

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
