export {
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
  type FastifyHook,
} from "./fastify-guards.js";
