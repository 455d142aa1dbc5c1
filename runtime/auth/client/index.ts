/** Authorization for MCP clients over HTTP: `@mcp-codegen/auth/client`. */
export {
  authorizationCode,
  type OpenVisit,
  redirect,
  type RedirectOptions,
  type Visit,
} from "./authorization-code.js";
export type {
  Authorize,
  ClientNeeds,
  CodeRecord,
  Flow,
  RegisteredClient,
  TokenResponse,
} from "./authorize.js";
export { device, type DeviceOptions, type DevicePrompt } from "./device.js";
export {
  IssuerMismatchError,
  OAuthError,
  type OAuthFailure,
  type OAuthStage,
  RedirectPendingError,
} from "./errors.js";
export { LoginSteps, type LoginStepsOptions, type TokenStep } from "./login-steps.js";
export { oauth, type OAuth } from "./oauth.js";
export type {
  InteropOptions,
  KnownClient,
  LogoutResult,
  OAuthOptions,
  ServerMetadata,
} from "./options.js";
export { type AuthStore, memoryStore } from "./store.js";
export {
  type AssertionOptions,
  type ClientAuthentication,
  privateKeyJwt,
} from "./token-endpoint.js";
export {
  type AssertionSource,
  clientCredentials,
  enterprise,
  type EnterpriseOptions,
  jwtBearer,
  type JwtBearerOptions,
} from "./without-user.js";
