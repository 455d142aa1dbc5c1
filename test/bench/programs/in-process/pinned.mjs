import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { memoryPair } from "@mcp-codegen/runtime/memory";
import { inputSchema, tools } from "../tools.mjs";
import { measure } from "./measure.mjs";

const revision = process.env.REVISION;
const { Client, Server } = await import(`@mcp-codegen/${revision}`);
const { Tools } = await import(`@mcp-codegen/${revision}/features`);

const feature = new Tools({ schemas: jsonSchemas() });
for (const { name, description, handler } of tools)
  feature.add({ name, description, inputSchema }, handler);
const server = new Server({ name: "bench", version: "1.0.0" }, {}, { features: [feature] });
const client = new Client({ name: "bench", version: "1.0.0" });

const [near, far] = memoryPair();
await Promise.all([server.connect(far), client.connect(near)]);
await measure((text) => client.callTool({ name: "echo", arguments: { text } }));
