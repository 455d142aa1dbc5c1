import type { ArgumentsSchema } from "./adapted-callbacks.js";
import { McpServer as McpServerOfVersion2 } from "./mcp-server.js";
import { isZod3, withJsonSchema } from "./schemas/zod-3.js";

export * from "./index.js";

/** A server that also accepts schemas of zod 3, as version 1 of the SDK does. */
export class McpServer extends McpServerOfVersion2 {
  protected override readable(schema: ArgumentsSchema): ArgumentsSchema {
    return super.readable(withJsonSchema(schema) as ArgumentsSchema);
  }

  protected override isSchema(value: unknown): boolean {
    return super.isSchema(value) || isZod3(value);
  }
}
