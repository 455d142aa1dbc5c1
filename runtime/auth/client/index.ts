/** Authorization of an MCP client over HTTP: `@mcp-codegen/auth/client`. */
export { authorizationCode, type OpenVisit, type Visit } from "./authorization-code.js";
export type { Authorize, CodeRecord, Flow } from "./authorize.js";
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
export { redirect, type RedirectOptions } from "./redirect.js";
export type { ClientNeeds, RegisteredClient } from "./registration.js";
export { type AuthStore, memoryStore } from "./store.js";
export type { TokenResponse } from "./token-endpoint.js";
export {
  type AssertionSource,
  clientCredentials,
  enterprise,
  type EnterpriseOptions,
  jwtBearer,
  type JwtBearerOptions,
} from "./without-user.js";
