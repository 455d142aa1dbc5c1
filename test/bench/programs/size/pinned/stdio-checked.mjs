import { Server } from "@mcp-codegen/revision";
import { Tools } from "@mcp-codegen/revision/features";
import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { serveStdio } from "@mcp-codegen/runtime/stdio";

const tools = new Tools({ schemas: jsonSchemas() });
tools.add({ name: "roll", inputSchema: { type: "object" } }, () => ({
  content: [{ type: "text", text: "4" }],
}));
await serveStdio(new Server({ name: "dice", version: "1.0.0" }, {}, { features: [tools] }));
