import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from "@mcp-codegen/sdk/node";
import { createMcpHandler, McpServer } from "@mcp-codegen/sdk/server";
import { createServer } from "node:http";

const handle = toNodeHandler(
  createMcpHandler(() => {
    const server = new McpServer({ name: "dice", version: "1.0.0" });
    server.registerTool("roll", {}, () => ({ content: [{ type: "text", text: "4" }] }));
    return server;
  }),
);
const isHostValid = localhostHostValidation();
const isOriginValid = localhostOriginValidation();
const http = createServer((request, response) => {
  if (isHostValid(request, response) && isOriginValid(request, response)) handle(request, response);
});
http.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${http.address().port}/mcp`));
