export { createMcpExpressApp, type CreateMcpExpressAppOptions } from "./express-app.js";
export {
  type AuthMetadataOptions,
  type BearerAuthMiddlewareOptions,
  getOAuthProtectedResourceMetadataUrl,
  mcpAuthMetadataRouter,
  type OAuthTokenVerifier,
  requireBearerAuth,
} from "./express-auth.js";
export {
  type ExpressMiddleware,
  hostHeaderValidation,
  localhostHostValidation,
  localhostOriginValidation,
  originValidation,
} from "./express-guards.js";
