import { jsonSchemas } from "@mcp-codegen/json-schema";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
import { inputSchema, tools } from "../tools.mjs";

/** As a server of one revision is written: all that it needs is imported before it runs. */
export function serveTools(Server, Tools) {
  const feature = new Tools({ schemas: jsonSchemas() });
  for (const { name, description, handler } of tools)
    feature.add({ name, description, inputSchema }, handler);
  return serveStdio(new Server({ name: "bench", version: "1.0.0" }, {}, { features: [feature] }));
}
