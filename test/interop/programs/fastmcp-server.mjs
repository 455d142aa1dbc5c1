// Server on FastMCP: node fastmcp-server.mjs [PORT]
import { FastMCP } from "fastmcp";
import { z } from "zod";

const server = new FastMCP({ name: "fast", version: "1.0.0" });
server.addTool({
  name: "add",
  description: "Adds two numbers",
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});
server.addResource({
  uri: "file:///logs/app.log",
  name: "Log",
  mimeType: "text/plain",
  load: async () => ({ text: "a line" }),
});
server.addPrompt({
  name: "greet",
  description: "Greets",
  arguments: [{ name: "who", description: "Somebody", required: false }],
  load: async () => "Hello",
});
const [port] = process.argv.slice(2);
await server.start(
  port === undefined
    ? { transportType: "stdio" }
    : { transportType: "httpStream", httpStream: { port: Number(port) } },
);
