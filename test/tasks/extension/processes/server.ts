import { createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import { serverTasks } from "@mcp-codegen/universal/tasks";
import { FileTaskStore } from "./file-task-store.js";

const [folder = "", lease = ""] = process.argv.slice(2);
const tasks = serverTasks({
  store: new FileTaskStore(folder),
  lease: Number(lease),
  pollInterval: 50,
});
const server = new McpServer({ name: "worker", version: "1.0.0" }, { extensions: [tasks] });
server.registerTool("work", { task: "required" }, async () => {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  return "done";
});
server.registerTool("ask", { task: "required" }, async (ctx) => {
  const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } } } as const;
  const { action } = await ctx.elicit({ message: "Sure?", requestedSchema });
  return action;
});
server.registerTool("wait", { task: "required" }, async ({ signal }) => {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
  console.log(JSON.stringify({ event: "aborted" }));
  return "";
});
const { url } = await listen(createHttpHandler(server));
console.log(JSON.stringify({ event: "listening", url }));
