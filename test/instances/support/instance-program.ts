import { setTimeout as sleep } from "node:timers/promises";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal";
import { redis } from "@mcp-codegen/redis";
import { listen } from "@mcp-codegen/runtime/http/node";
import { SharedSessions } from "@mcp-codegen/runtime/http/sharing";
import { createClient } from "@redis/client";

/**
 * Runs an instance of a server. It prints its port, drains on SIGTERM, stops on a second one, and then prints how many
 * requests it has refused. It exits by itself when nothing is left. The argument is the URL of the Redis server that
 * stores its sessions, if there is one.
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
  // This takes long enough to be under way when the instance starts to refuse others.
  server.registerTool("long", {}, async () => {
    await sleep(2500);
    return String(process.pid);
  });
  const [, , url] = process.argv;
  const store = url === undefined ? undefined : await storeAt(url);
  const handler = createHttpHandler(server, {
    keepAlive: 1000,
    ...(store && { sessions: new SharedSessions(store.stores) }),
  });
  const listening = await listen(handler, {
    health: "/health",
    drainDelay: 60_000,
    // Longer than connections stay idle at the balancer.
    keepAliveTimeout: 60_000,
  });
  process.stdout.write(`${listening.port}\n`);
  const close = (): Promise<void> => listening.close(10_000);
  process.once("SIGTERM", async () => {
    process.on("SIGTERM", () => void close());
    await close();
    store?.close();
    process.stdout.write(`${JSON.stringify(handler.counts.refusals)}\n`);
  });
}

async function storeAt(url: string) {
  const client = createClient({ url });
  await client.connect();
  const stores = redis(client);
  const close = (): void => {
    stores.close();
    client.destroy();
  };
  return { stores, close };
}
