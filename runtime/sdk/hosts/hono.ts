export { createMcpHonoApp, type CreateMcpHonoAppOptions } from "./hono-guards.js";
export { honoRoute } from "@mcp-codegen/runtime/http/hono";
export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
  type HonoMiddleware,
} from "./hono-guards.js";
