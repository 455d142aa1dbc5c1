export { StdioClientTransport } from "@mcp-codegen/runtime/stdio/client";
