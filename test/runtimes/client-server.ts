import { setTimeout as wait } from "node:timers/promises";
import { type Listening, listen } from "@mcp-codegen/runtime/http/node";
import {
  completable,
  createHttpHandler,
  McpServer,
  ResourceTemplate,
  ToolError,
} from "@mcp-codegen/universal";
import * as z from "zod";

/** Serves what the clients in `programs/client-cases.ts` call, at every revision, and also for pages of any origin. */
export async function serveClients(): Promise<Listening> {
  return await listen(createHttpHandler(somethingOfEverything(), { allowedOrigins: "any" }));
}

function somethingOfEverything(): McpServer {
  const server = new McpServer({ name: "everything", version: "1.0.0" });
  const sum = server.registerTool(
    "add",
    {
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ sum: a + b }),
  );
  server.registerTool("fail", {}, () => {
    throw new ToolError("as requested");
  });
  server.registerTool("count", {}, async (ctx) => {
    for (const step of [1, 2, 3]) {
      ctx.progress(step, 3);
      await wait(30);
    }
    return "counted";
  });
  server.registerTool("wait", {}, async ({ signal }) => {
    await wait(60_000, undefined, { signal });
    return "waited";
  });
  server.registerTool("touch", {}, () => {
    server.resourceUpdated("note://one");
    return "touched";
  });
  server.registerTool("change", {}, () => {
    sum.update({ description: "Adds two numbers" });
    return "changed";
  });
  server.registerTool("large", {}, () => ({
    content: Array.from({ length: 500 }, (_, i) => ({
      type: "text" as const,
      text: "ü".repeat(i),
    })),
  }));
  addQuestions(server);
  server.registerResource("one", "note://one", {}, () => "One");
  server.registerResource(
    "any",
    new ResourceTemplate("note://by-id/{id}", { list: undefined }),
    {},
    (_uri, { id }) => String(id),
  );
  const who = completable(z.string(), (value) =>
    ["Ada", "Alan"].filter((n) => n.startsWith(value)),
  );
  server.registerPrompt("greet", { argsSchema: { who } }, (args) => `Greet ${args.who}`);
  return server;
}

function addQuestions(server: McpServer): void {
  server.registerTool("form", {}, async (ctx) => {
    if (!ctx.can.elicit) return "no forms";
    const { action, content } = await ctx.elicit({
      message: "Who are you?",
      requestedSchema: z.object({ name: z.string() }),
    });
    return `${action} ${content?.name}`;
  });
  server.registerTool("sample", {}, async (ctx) => {
    const messages = [{ role: "user" as const, content: { type: "text" as const, text: "2 + 2" } }];
    const { content } = await ctx.sample({ messages, maxTokens: 10 });
    return JSON.stringify(content);
  });
  server.registerTool("roots", {}, async (ctx) => JSON.stringify(await ctx.listRoots()));
}
