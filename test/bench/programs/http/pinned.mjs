import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";
import { Server } from "#revision";
import { Tools } from "#features";
import { echo, inputSchema, tools } from "../tools.mjs";
import { serve } from "./serve-ours.mjs";

const offered = new Tools({ schemas: jsonSchemas() });
for (const { name, description, handler } of tools) {
  offered.add({ name, description, inputSchema }, handler);
}
offered.add({ name: "tell", inputSchema }, (args, context) => {
  context.progress(1, 2);
  return echo(args);
});
await serve(new Server({ name: "bench", version: "1.0.0" }, {}, { features: [offered] }));
