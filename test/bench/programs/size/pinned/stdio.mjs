import { Server } from "#revision";
import { serveStdio } from "@mcp-codegen/runtime/stdio";

const tools = [{ name: "roll", inputSchema: { type: "object" } }];
const server = new Server(
  { name: "dice", version: "1.0.0" },
  {
    "tools/list": () => ({ tools }),
    "tools/call": () => ({ content: [{ type: "text", text: "4" }] }),
  },
);
await serveStdio(server);
