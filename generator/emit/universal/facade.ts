/** Module that has the way from a table to what the runtime calls. */
export const FACADE = "@mcp-codegen/runtime/facade/codegen";
