import { serveStdio } from "@mcp-codegen/runtime/stdio";
import { revision } from "@mcp-codegen/universal/revision";
import { McpServer } from "@mcp-codegen/universal/server";

const server = new McpServer({ name: "dice", version: "1.0.0" }, { revisions: [revision] });
server.registerTool("roll", {}, () => "4");
await serveStdio(server);
