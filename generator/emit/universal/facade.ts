/** Module of the runtime that combines the tables of a package with the facade. */
export const FACADE = "@mcp-codegen/runtime/facade/codegen";
