import { type McpServer, RpcError, ToolError } from "@mcp-codegen/universal";
import * as z from "zod";

/** Adds tools, prompts and resources that fail in every possible way. */
export function addFailingTools(server: McpServer): void {
  server.registerTool("fail", {}, () => {
    throw new Error("secret of /home/me");
  });
  server.registerTool("refuse", {}, () => {
    throw new ToolError("Not today");
  });
  server.registerTool("own-code", {}, () => {
    throw new RpcError(4711, "Own", { why: "so" });
  });
  server.registerTool("old-code", {}, () => {
    throw new RpcError(-32002, "Not found");
  });
  server.registerResource("old-code", "old-code://one", {}, () => {
    throw new RpcError(-32002, "Not found");
  });
  server.registerTool("add", { inputSchema: z.object({ a: z.number() }) }, ({ a }) => String(a));
  server.registerTool("needs", {}, (ctx) => ctx.require("sampleWithTools"));
  server.registerPrompt("fail", {}, () => {
    throw new Error("secret of /home/me");
  });
  server.registerPrompt("needs", {}, (ctx) => {
    ctx.require("roots");
    return "";
  });
  server.registerResource("gone", "gone://one", {}, () => undefined);
}
