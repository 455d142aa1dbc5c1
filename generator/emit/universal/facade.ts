/** Runtime module that combines the tables of a package with the client and server for several revisions. */
export const FACADE = "@mcp-codegen/runtime/facade/codegen";
