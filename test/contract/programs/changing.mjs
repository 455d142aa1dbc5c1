// A shop that, at each start, says what the file STATE tells it to say, and writes the requests that it receives to the
// file LOG.
import { appendFileSync, readFileSync } from "node:fs";
import { McpServer, ResourceTemplate, serveStdio } from "@mcp-codegen/universal";

const [state, log] = process.argv.slice(2);
const drift = readFileSync(state, "utf8");
const said = (part) => (drift === part ? "Something else" : "As it was");
appendFileSync(log, `${drift} pid ${process.pid}\n`);
const server = new McpServer(
  { name: "shop", version: "1" },
  { instructions: said("instructions"), onerror: () => {} },
);
process.stdin.on("data", (chunk) => {
  for (const [, method] of String(chunk).matchAll(/"method":"([^"]*)"/g))
    appendFileSync(log, `${drift} ${method}\n`);
});
server.registerTool("buy", { description: said("tools") }, () => "Bought");
server.registerTool("end", {}, () => process.exit(0));
server.registerPrompt("advice", { description: said("prompts") }, () => "Do not");
server.registerResource("stock", "shop://stock", { description: said("resources") }, () => "None");
const template = new ResourceTemplate("shop://items/{id}", { complete: { id: () => ["1"] } });
server.registerResource("item", template, { description: said("resourceTemplates") }, () => "It");
await serveStdio(server);
