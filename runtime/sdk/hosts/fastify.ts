export { createMcpFastifyApp, type CreateMcpFastifyAppOptions } from "./fastify-app.js";
export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
  type FastifyHook,
} from "./fastify-guards.js";
