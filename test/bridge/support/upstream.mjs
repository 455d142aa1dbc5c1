// A server over stdio at one revision: `node upstream.mjs <revision> [<name>]`. It appends a line to EFFECTS each time
// a handler runs, and its process id to PIDS.
import { appendFileSync } from "node:fs";
import { McpServer, revisions, serveStdio } from "@mcp-codegen/universal";

const [id = "2025-11-25", name = "child"] = process.argv.slice(2);
const { EFFECTS, PIDS } = process.env;
if (PIDS) appendFileSync(PIDS, `${process.pid}\n`);
const ran = (what) => EFFECTS && appendFileSync(EFFECTS, `${what}\n`);
const server = new McpServer(
  { name, version: "1.0.0" },
  { revisions: revisions.filter((one) => one.id === id), logging: true },
);
server.registerTool(
  "echo",
  { inputSchema: { type: "object", properties: { text: {} } } },
  ({ text }) => {
    ran(`echo ${text}`);
    return `${name}: ${text}`;
  },
);
server.registerTool("pid", {}, () => String(process.pid));
server.registerTool("die", {}, () => process.exit(3));
server.registerTool("wait", {}, () => {
  ran("wait");
  return new Promise(() => {});
});
server.registerTool(
  "ask",
  { inputSchema: { type: "object", properties: { text: {} } } },
  async ({ text }, ctx) => {
    ran(`ask ${text}`);
    const requestedSchema = { type: "object", properties: { text: { type: "string" } } };
    const { content } = await ctx.elicit({ message: String(text), requestedSchema });
    return `${text} ${content?.text}`;
  },
);
server.registerTool("touch", {}, () => {
  server.resourceUpdated("notes://motd");
  return "touched";
});
server.registerTool("log", {}, (ctx) => {
  ctx.log("warning", "a line");
  return "logged";
});
server.registerResource("motd", "notes://motd", {}, () => "Be kind");
await serveStdio(server);
