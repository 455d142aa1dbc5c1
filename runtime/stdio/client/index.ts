/** A client's end of stdio: `@mcp-codegen/runtime/stdio/client`. */
export { ServerExitError, type StdioClientOptions, StdioClientTransport } from "./stdio-client.js";
export { INHERITED_VARIABLES, inheritedEnvironment } from "./stdio-environment.js";
