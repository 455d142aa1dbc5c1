/** A client's end of stdio: `@mcp-codegen/stdio-client`. */
export {
  ServerExitError,
  type StdioClientOptions,
  StdioClientTransport,
} from "../transport/stdio-client.js";
