import { createHttpHandler } from "@mcp-codegen/runtime/http/server";
import { listen } from "@mcp-codegen/runtime/http/node";
import { Server } from "#revision";

const tools = [{ name: "roll", inputSchema: { type: "object" } }];
const server = new Server(
  { name: "dice", version: "1.0.0" },
  {
    "tools/list": () => ({ tools }),
    "tools/call": () => ({ content: [{ type: "text", text: "4" }] }),
  },
);
const { url } = await listen(createHttpHandler(server));
console.log(url);
