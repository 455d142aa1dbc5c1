import { McpServer } from "@mcp-codegen/universal";
import type { Revision } from "@mcp-codegen/runtime";

const form = {
  message: "What is your name?",
  requestedSchema: {
    type: "object",
    properties: { name: { type: "string" } },
    required: ["name"],
  },
} as const;

/** Creates a server that sends every kind of request and notification. */
export function talkativeServer(revisions?: readonly Revision[]): McpServer {
  const server = new McpServer(
    { name: "talkative", version: "1.0.0" },
    { instructions: "Talk", logging: true, ...(revisions && { revisions }) },
  );
  let text = "first";
  server.registerTool("ask", { description: "Asks one after the other" }, async (ctx) => {
    const { roots } = await ctx.listRoots();
    const answer = ctx.can.elicit ? await ctx.elicit(form) : undefined;
    const name = answer?.action === "accept" ? answer.content.name : "nobody";
    const { model } = await ctx.sample({ messages: [], maxTokens: 10 });
    return `${name} works at ${roots[0]?.uri} with ${model}`;
  });
  server.registerTool("ask-together", { description: "Asks all at once" }, async (ctx) => {
    const [{ roots }, { model }] = await Promise.all([
      ctx.listRoots(),
      ctx.sample({ messages: [], maxTokens: 10 }),
    ]);
    return `${roots.length} ${model}`;
  });
  server.registerTool("count", { description: "Tells how far it is" }, (ctx) => {
    ctx.progress(1, 2);
    ctx.log("error", { message: "half way" });
    ctx.progress(2, 2);
    return "done";
  });
  server.registerTool(
    "wait",
    { description: "Waits until nobody waits for it" },
    (ctx) =>
      new Promise<string>((_, reject) => {
        ctx.signal.addEventListener("abort", () => {
          text = "aborted";
          server.resourceUpdated("memory://text");
          reject(new Error("aborted"));
        });
      }),
  );
  server.registerTool("change", { description: "Changes everything" }, () => {
    text = "second";
    server.resourceUpdated("memory://text");
    server.notify.toolsChanged();
    return "changed";
  });
  server.registerResource("text", "memory://text", { mimeType: "text/plain" }, () => text);
  return server;
}
