import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
import { Server } from "#revision";
import { Tools } from "#features";
import { inputSchema, tools } from "../tools.mjs";

const offered = new Tools({ schemas: jsonSchemas() });
for (const { name, description, handler } of tools)
  offered.add({ name, description, inputSchema }, handler);

const server = new Server({ name: "bench", version: "1.0.0" }, {}, { features: [offered] });
await serveStdio(server, { maxLineBytes: 2 ** 24 });
