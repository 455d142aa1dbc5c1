export { honoRoute } from "@mcp-codegen/runtime/http/hono";
