import { setTimeout as sleep } from "node:timers/promises";
import { createHttpHandler, McpServer, ResourceTemplate } from "@mcp-codegen/universal";
import { redis } from "@mcp-codegen/redis";
import { listen } from "@mcp-codegen/runtime/http/node";
import { SharedSessions } from "@mcp-codegen/runtime/http/sharing";
import { createClient } from "@redis/client";
import { z } from "zod";

/**
 * Runs an instance that counts a stream's events, and effects in Redis. It prints its port.
 *
 * Arguments: the URL of the Redis server, and the length of a lease in milliseconds.
 */
export async function main(): Promise<void> {
  const [, , url, lease] = process.argv;
  const client = createClient({ url: url! });
  client.on("error", () => {});
  await client.connect();
  const stores = redis(client, { prefix: "test:", maxEvents: 2000 });
  const info = { name: "counting", version: "1.0.0" };
  const server = new McpServer(info, {
    bus: stores.bus,
    logging: true,
    rateLimits: false,
    rounds: { keys: [new Uint8Array(32).fill(7)], redeem: stores.redeem },
    onerror: () => {},
  });

  const count = { events: z.number(), pause: z.number() };
  server.registerTool("count", { inputSchema: z.object(count) }, async (args, ctx) => {
    for (let event = 1; event <= args.events; event++) {
      // This does not use `log`, which is rate-limited.
      const notified = ctx.notify("notifications/message", { level: "info", data: event });
      // Stateless clients have to set a level, and these do not.
      await notified.catch(() => {});
      if (event % 10 === 0) await sleep(args.pause);
    }
    return `counted ${args.events}`;
  });
  server.registerTool(
    "take-effect",
    { inputSchema: z.object({ id: z.string() }) },
    async (args) => {
      await sleep(Math.random() * 200);
      await client.incr(`effect:${args.id}`);
      await sleep(Math.random() * 200);
      return args.id;
    },
  );
  server.registerTool("ask", { inputSchema: z.object({ id: z.string() }) }, async (args, ctx) => {
    const { roots } = await ctx.listRoots();
    await client.incr(`effect:${args.id}`);
    return `${args.id} ${roots.length}`;
  });
  server.registerTool("ask-all", {}, async (ctx) => {
    const requestedSchema = { type: "object", properties: { name: { type: "string" } } } as const;
    const form = await ctx.elicit({ message: "Who?", requestedSchema });
    const text = { type: "text", text: "2 + 2" } as const;
    const sampled = await ctx.sample({ messages: [{ role: "user", content: text }], maxTokens: 9 });
    const { roots } = await ctx.listRoots();
    return [form.action, JSON.stringify(sampled.content), roots.length].join(" ");
  });
  server.registerTool("report", {}, async (ctx) => {
    for (let step = 1; step <= 5; step++) {
      ctx.progress(step, 5);
      await sleep(50);
    }
    return "reported";
  });
  server.registerTool("change", { inputSchema: z.object({ id: z.string() }) }, (args) => {
    server.registerTool(`new-${args.id}`, {}, () => "new");
    return args.id;
  });
  server.registerTool("tell", { inputSchema: z.object({ id: z.string() }) }, (args) => {
    server.resourceUpdated(`news:///${args.id}`);
    return args.id;
  });
  server.registerResource(
    "news",
    new ResourceTemplate("news:///{id}", { list: undefined }),
    {},
    () => "news",
  );
  const sessions = new SharedSessions(stores, { lease: Number(lease) });
  const handler = createHttpHandler(server, { sessions, retry: 50 });
  const listening = await listen(handler, { health: "/health" });
  process.stdout.write(`${listening.port}\n`);
}
