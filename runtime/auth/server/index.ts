export { introspection, type IntrospectionOptions } from "./introspection.js";
export { jwt, type JwtOptions } from "./jwt.js";
export { resourceServer, type ResourceServerOptions } from "./resource-server.js";
export type { ScopeHierarchy } from "./token.js";
export type { MoreMetadata } from "./resource-server.js";
export {
  InvalidTokenError,
  type TokenClaims,
  type TokenVerifier,
  type VerifierContext,
} from "./token.js";
