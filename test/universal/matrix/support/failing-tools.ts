import { type McpServer, RpcError, ToolError } from "@mcp-codegen/universal";
import * as z from "zod";

/** Tools, prompts and resources that go wrong in all the ways that there are. */
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
  server.registerTool("add", { inputSchema: z.object({ a: z.number() }) }, ({ a }) => String(a));
  server.registerTool("needs", {}, ({ require }) => require("sampleWithTools"));
  server.registerPrompt("fail", {}, () => {
    throw new Error("secret of /home/me");
  });
  server.registerPrompt("needs", {}, ({ require }) => {
    require("roots");
    return "";
  });
  server.registerResource("gone", "gone://one", {}, () => undefined);
}
