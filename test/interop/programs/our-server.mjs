// Our server with some of every feature: node our-server.mjs stdio | http PORT
import { setTimeout as delay } from "node:timers/promises";
import {
  completable,
  createHttpHandler,
  McpServer,
  ResourceTemplate,
  serveStdio,
  ToolError,
} from "@mcp-codegen/universal";
import { listen } from "@mcp-codegen/runtime/http/node";
import { createSseHandler } from "@mcp-codegen/runtime/http/server";
import * as z from "zod";

const server = new McpServer(
  { name: "ours", version: "1.0.0" },
  { instructions: "Try them all.", logging: true, onerror: () => {} },
);
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const seen = new Map();

const tool = (name, shape, handler) =>
  server.registerTool(name, { inputSchema: z.object(shape) }, handler);

tool("echo", { value: z.string() }, ({ value }) => value);
tool("fail", {}, () => {
  throw new ToolError("as asked");
});
tool("crash", {}, () => {
  throw new Error("a secret");
});
server.registerTool(
  "add",
  {
    inputSchema: z.object({ a: z.number(), b: z.number().default(1) }),
    outputSchema: z.object({ sum: z.number() }),
  },
  ({ a, b }) => ({ sum: a + b }),
);
tool("image", {}, () => [{ type: "image", data: pixel, mimeType: "image/png" }]);
tool("embedded", {}, () => [
  { type: "resource", resource: { uri: "note://1", mimeType: "text/plain", text: "remember" } },
]);
tool("long", { size: z.number() }, ({ size }) => "x".repeat(size));
tool("revision", {}, (_, ctx) => ctx.revision);
tool("progress", {}, async (_, ctx) => {
  for (const step of [1, 2, 3]) {
    ctx.progress(step, 3, `step ${step}`);
    // Old clients lose what arrives in the same chunk as the result.
    await delay(step < 3 ? 30 : 300);
  }
  return "done";
});
tool("wait", { label: z.string() }, ({ label }, ctx) => {
  seen.set(label, "started");
  return new Promise((_, reject) => {
    ctx.signal.addEventListener("abort", () => {
      seen.set(label, "aborted");
      reject(ctx.signal.reason);
    });
  });
});
tool("witness", { label: z.string() }, ({ label }) => seen.get(label) ?? "nothing");
tool("log", {}, async (_, ctx) => {
  ctx.log("debug", "small");
  ctx.log("error", "large");
  await delay(300);
  return "logged";
});
tool("elicit", {}, async (_, ctx) => {
  const requestedSchema = z.object({ name: z.string(), age: z.number().optional() });
  const { action, content } = await ctx.elicit({ message: "Name?", requestedSchema });
  return `${action} ${content?.name}`;
});
tool("sample", {}, async (_, ctx) => {
  const messages = [{ role: "user", content: { type: "text", text: "2 + 2?" } }];
  const { content } = await ctx.sample({ messages, maxTokens: 5 });
  return content.text ?? content[0].text;
});
tool("roots", {}, async (_, ctx) => (await ctx.listRoots()).roots.map(({ uri }) => uri).join());
const changing = tool("changing", {}, () => "changed");
tool("change", {}, () => {
  changing.update({ description: `Changed ${Date.now()}` });
  return "changed";
});
tool("touch", {}, () => {
  server.resourceUpdated("note://1");
  return "touched";
});

server.registerResource("note", "note://1", { mimeType: "text/plain" }, () => "remember");
server.registerResource("pixel", "pixel://1", { mimeType: "image/png" }, () =>
  Uint8Array.from(Buffer.from(pixel, "base64")),
);
const cities = ["paris", "parma", "rome"];
const complete = { city: (value) => cities.filter((city) => city.startsWith(value)) };
server.registerResource(
  "city",
  new ResourceTemplate("city://{city}", { list: undefined, complete }),
  {},
  (_uri, { city }) => (cities.includes(city) ? `the city of ${city}` : undefined),
);
server.registerPrompt(
  "greet",
  {
    argsSchema: z.object({
      who: completable(z.string(), (value) =>
        ["Ada", "Alan"].filter((name) => name.startsWith(value)),
      ),
    }),
  },
  ({ who }) => `Hello ${who}`,
);

if (process.argv[2] === "stdio") {
  await serveStdio(server);
} else {
  const sse = createSseHandler(server);
  const places = { "/mcp": createHttpHandler(server), "/sse": sse, "/messages": sse };
  await listen(places, { port: Number(process.argv[3]) });
}
