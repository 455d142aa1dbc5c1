import { listen } from "@mcp-codegen/runtime/http/node";
import { revision } from "@mcp-codegen/universal/revision";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal/server";

const server = new McpServer({ name: "dice", version: "1.0.0" }, { revisions: [revision] });
server.registerTool("roll", {}, () => "4");
const { url } = await listen(createHttpHandler(server));
console.log(url);
