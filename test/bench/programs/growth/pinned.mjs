import { Server } from "@mcp-codegen/2025-11-25";
import { Tools } from "@mcp-codegen/2025-11-25/features";
import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
import { inputSchema, tools } from "../tools.mjs";

const feature = new Tools({ schemas: jsonSchemas() });
for (const { name, description, handler } of tools) {
  feature.add({ name, description, inputSchema }, handler);
}
const server = new Server({ name: "bench", version: "1.0.0" }, {}, { features: [feature] });
await serveStdio(server, { maxLineBytes: 2 ** 24 });
