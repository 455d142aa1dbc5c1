export { serveStdio } from "@mcp-codegen/universal";
