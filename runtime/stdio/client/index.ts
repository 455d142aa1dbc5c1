/** The client transport for stdio: `@mcp-codegen/runtime/stdio/client`. */
export {
  INHERITED_VARIABLES,
  ServerExitError,
  type StdioClientOptions,
  StdioClientTransport,
  inheritedEnvironment,
} from "./stdio-client.js";
