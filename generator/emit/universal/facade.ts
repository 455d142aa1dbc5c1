/** Module of the runtime that connects tables to its facade. */
export const FACADE = "@mcp-codegen/runtime/facade/codegen";
