// The server behind a middle, at one revision: node middle-upstream.mjs REVISION EFFECTS stdio | http PORT. It appends
// a line to the file EFFECTS each time a handler runs, and each time a run is cancelled.
import { appendFileSync } from "node:fs";
import { RpcError } from "@mcp-codegen/runtime";
import { listen } from "@mcp-codegen/runtime/http/node";
import {
  createHttpHandler,
  createSseHandler,
  McpServer,
  ResourceTemplate,
  revisions,
  serveStdio,
  ToolError,
} from "@mcp-codegen/universal";
import { serverTasks } from "@mcp-codegen/universal/tasks";
import * as z from "zod";

const [id, effects, over, port] = process.argv.slice(2);
const note = (line) => appendFileSync(effects, `${line}\n`);
const server = new McpServer(
  { name: "upstream", version: "1.0.0" },
  {
    revisions: revisions.filter((one) => one.id === id),
    extensions: [serverTasks({ after: 50, pollInterval: 50 })],
    instructions: "Try them all.",
    pageSize: 5,
    logging: true,
    onerror: () => {},
  },
);

const tool = (name, handler, shape, more) =>
  server.registerTool(
    name,
    { description: `The tool ${name}`, inputSchema: z.object(shape ?? {}), ...more },
    (input, ctx) => {
      note(name);
      return handler(ctx, input);
    },
  );

tool("echo", (_, { text }) => text, { text: z.string() });
tool(
  "add",
  (_, { a, b }) => ({ sum: a + b }),
  { a: z.number(), b: z.number() },
  {
    outputSchema: z.object({ sum: z.number() }),
  },
);
tool("image", () => [{ type: "image", data: "aGk=", mimeType: "image/png" }]);
tool("audio", () => [{ type: "audio", data: "aGk=", mimeType: "audio/wav" }]);
tool("fail", () => {
  throw new ToolError("no luck");
});
tool("refuse", () => {
  throw new RpcError(-31_999, "refused", { why: "because" });
});
tool("meta", (ctx) => JSON.stringify(ctx.meta?.["acme/key"] ?? null));
tool("progress", async (ctx) => {
  ctx.progress(1, 2, "half");
  // Clients lose what arrives in the same chunk as the result.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return "done";
});
tool("log", async (ctx) => {
  ctx.log("warning", "a line");
  await new Promise((resolve) => setTimeout(resolve, 100));
  return "logged";
});
tool("wait", (ctx) => {
  ctx.signal.addEventListener("abort", () => note("cancelled"));
  return new Promise((_, reject) => {
    ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason));
  });
});
const changing = tool("changing", () => "changing");
tool("change", () => {
  changing.update({ description: "Changed" });
  return "changed";
});
tool("touch", () => {
  server.resourceUpdated("notes://motd");
  return "touched";
});
tool("form", async (ctx) => {
  const requestedSchema = { type: "object", properties: { code: { type: "string" } } };
  const { action, content } = await ctx.elicit({ message: "Code?", requestedSchema });
  return `${action} ${content?.code}`;
});
tool("two-forms", async (ctx) => {
  const requestedSchema = { type: "object", properties: {} };
  const first = await ctx.elicit({ message: "First?", requestedSchema });
  const second = await ctx.elicit({ message: "Second?", requestedSchema });
  return `${first.action} ${second.action}`;
});
tool("page", async (ctx) => {
  const { action } = await ctx.elicitUrl({ message: "Go?", url: "https://example.com/pay" });
  return action;
});
const messages = [{ role: "user", content: { type: "text", text: "Capital?" } }];
const textOf = (content) => [content].flat()[0].text;
tool("sample", async (ctx) => textOf((await ctx.sample({ maxTokens: 9, messages })).content));
tool("sample-tools", async (ctx) => {
  const tools = [{ name: "look", inputSchema: { type: "object" } }];
  return textOf((await ctx.sample({ maxTokens: 9, messages, tools })).content);
});
tool("roots", async (ctx) => (await ctx.listRoots()).roots.map(({ uri }) => uri).join());
server.registerTool("bake", { task: "required" }, () => {
  note("bake");
  return "a cake";
});

server.registerPrompt(
  "greet",
  { arguments: [{ name: "who" }], complete: { who: () => ["Ada", "Bob"] } },
  ({ who }) => `Hello ${who}`,
);
server.registerResource("motd", "notes://motd", { mimeType: "text/plain" }, () => "Be kind");
server.registerResource(
  "user",
  new ResourceTemplate("notes://users/{id}"),
  {},
  (_uri, { id: user }) => (user === "7" ? "Ada" : undefined),
);

if (over === "stdio") {
  await serveStdio(server);
} else {
  const isSession = id !== revisions[0].id;
  const sse = isSession && createSseHandler(server);
  const places = {
    "/mcp": createHttpHandler(server),
    ...(sse && { "/sse": sse, "/messages": sse }),
  };
  const { url } = await listen(places, { port: Number(port) });
  console.log(new URL(id === "2024-11-05" ? "/sse" : "/mcp", url).href);
}
