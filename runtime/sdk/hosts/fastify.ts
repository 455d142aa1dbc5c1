export { createMcpFastifyApp, type CreateMcpFastifyAppOptions } from "./fastify-guards.js";
export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
  type FastifyHook,
} from "./fastify-guards.js";
