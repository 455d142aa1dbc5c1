import { createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import { redis } from "@mcp-codegen/redis";
import { serverTasks, type TaskStore } from "@mcp-codegen/universal/tasks";
import { createClient } from "@redis/client";
import { FileTaskStore } from "./file-task-store.js";

const [place = "", lease = ""] = process.argv.slice(2);

/** @param url - the URL of a Redis server, or a folder */
async function storeAt(url: string): Promise<TaskStore> {
  if (!url.startsWith("redis:")) return new FileTaskStore(url);
  const client = createClient({ url });
  await client.connect();
  return redis(client).tasks;
}

const tasks = serverTasks({
  store: await storeAt(place),
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
const { url } = await listen(
  createHttpHandler(server, { authenticate: () => ({ principal: "ada" }) }),
);
console.log(JSON.stringify({ event: "listening", url }));
