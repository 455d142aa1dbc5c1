// Server on Muppet.
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { Hono } from "hono";
import { bridge, describeTool, mValidator, muppet } from "muppet";
import { z } from "zod";

const app = new Hono();
app.post(
  "/hello",
  describeTool({ name: "hello", description: "Greets" }),
  mValidator("json", z.object({ name: z.string() })),
  (context) => context.json([{ type: "text", text: `Hello ${context.req.valid("json").name}` }]),
);
await bridge({
  mcp: muppet(app, { name: "muppet", version: "1.0.0" }),
  transport: new StdioServerTransport(),
});
