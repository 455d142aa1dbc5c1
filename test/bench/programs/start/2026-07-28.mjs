import { Server } from "@mcp-codegen/2026-07-28";
import { Tools } from "@mcp-codegen/2026-07-28/features";
import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
import { inputSchema, tools } from "../tools.mjs";

const feature = new Tools({ schemas: jsonSchemas() });
for (const { name, description, handler } of tools)
  feature.add({ name, description, inputSchema }, handler);

await serveStdio(new Server({ name: "bench", version: "1.0.0" }, {}, { features: [feature] }));
