import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
import { inputSchema, tools } from "../tools.mjs";

const revision = process.env.REVISION;
const { Server } = await import(`@mcp-codegen/${revision}`);
const { Tools } = await import(`@mcp-codegen/${revision}/features`);

const feature = new Tools({ schemas: jsonSchemas() });
for (const { name, description, handler } of tools)
  feature.add({ name, description, inputSchema }, handler);

await serveStdio(new Server({ name: "bench", version: "1.0.0" }, {}, { features: [feature] }));
