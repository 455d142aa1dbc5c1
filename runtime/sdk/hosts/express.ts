export { createMcpExpressApp, type CreateMcpExpressAppOptions } from "./express-guards.js";
export {
  type AuthMetadataOptions,
  type BearerAuthMiddlewareOptions,
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
  type OAuthTokenVerifier,
  requireBearerAuth,
} from "./express-guards.js";
export {
  type ExpressMiddleware,
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
} from "./express-guards.js";
