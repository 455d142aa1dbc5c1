import { setTimeout as sleep } from "node:timers/promises";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";

/**
 * An instance of a server: it says its port, leaves on SIGTERM, and says then how many requests it has refused. It
 * exits by itself when nothing is left. The milliseconds for `drainDelay` are its argument.
 */
export async function main(): Promise<void> {
  const server = new McpServer({ name: "instance", version: "1.0.0" });
  server.registerTool("work", {}, async () => {
    await sleep(100 + Math.random() * 300);
    return String(process.pid);
  });
  server.registerTool("report", {}, async ({ progress }) => {
    progress(1);
    await sleep(100 + Math.random() * 300);
    return String(process.pid);
  });
  // Longer than `drainDelay`: it is under way when the instance begins to refuse others.
  server.registerTool("long", {}, async () => {
    await sleep(2500);
    return String(process.pid);
  });
  const handler = createHttpHandler(server, { keepAlive: 1000 });
  const drainDelay = Number(process.argv[2]);
  const listening = await listen(handler, { health: "/health", drainDelay });
  process.stdout.write(`${listening.port}\n`);
  process.once("SIGTERM", async () => {
    await listening.close(10_000);
    process.stdout.write(`${JSON.stringify(handler.counts.refusals)}\n`);
  });
}
