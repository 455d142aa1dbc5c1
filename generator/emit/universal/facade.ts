/** The runtime module that combines a package's tables with the client and server for several revisions. */
export const FACADE = "@mcp-codegen/runtime/facade/codegen";
