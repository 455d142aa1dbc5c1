import { listen } from "@mcp-codegen/runtime/http/node";
import { createHttpHandler, McpServer } from "@mcp-codegen/universal";

const server = new McpServer({ name: "dice", version: "1.0.0" });
server.registerTool("roll", {}, () => "4");
const { url } = await listen(createHttpHandler(server));
console.log(url);
