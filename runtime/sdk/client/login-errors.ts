import { HttpError } from "@mcp-codegen/runtime/http/client";
import { OAuthError } from "../shared/index.js";
import type { OAuthClientMetadata } from "../shared/index.js";
import { UnauthorizedError } from "./auth-provider.js";

/** An error in the steps of a login, as opposed to an error from the authorization server. */
export class OAuthClientFlowError extends Error {
  override readonly name: string = "OAuthClientFlowError";

  /** True if the value is an instance of this class. */
  static isInstance<Instance>(
    this: abstract new (...args: never[]) => Instance,
    value: unknown,
  ): value is Instance {
    return value instanceof this;
  }
}

/**
 * The error for metadata or an authorization response from an unexpected authorization server. The other contents of
 * the metadata or response are not trusted.
 */
export class IssuerMismatchError extends OAuthClientFlowError {
  override readonly name: string = "IssuerMismatchError";
  readonly kind: "metadata" | "authorization_response";
  readonly expected: string | undefined;
  readonly received: string | undefined;

  constructor(
    kind: IssuerMismatchError["kind"],
    expected: string | undefined,
    received: string | undefined,
  ) {
    const what = kind === "metadata" ? "metadata" : "authorization response";
    super(`The ${what} is from ${JSON.stringify(received)}, not from ${JSON.stringify(expected)}`);
    this.kind = kind;
    this.expected = expected;
    this.received = received;
  }
}

/** The error for client credentials that belong to another authorization server. They were not sent. */
export class AuthorizationServerMismatchError extends OAuthClientFlowError {
  override readonly name: string = "AuthorizationServerMismatchError";
  /** The issuer to which the credentials belong. */
  readonly recordedIssuer: string;
  /** The issuer that the MCP server names. */
  readonly currentIssuer: string;

  constructor(recordedIssuer: string, currentIssuer: string) {
    super(`The credentials are for ${recordedIssuer}, but the MCP server names ${currentIssuer}`);
    this.recordedIssuer = recordedIssuer;
    this.currentIssuer = currentIssuer;
  }
}

/** The error for an authorization server that refused to register this client. */
export class RegistrationRejectedError extends OAuthClientFlowError {
  override readonly name: string = "RegistrationRejectedError";
  readonly status: number;
  readonly body: string;
  readonly submittedMetadata: OAuthClientMetadata;

  constructor({
    status,
    body,
    submittedMetadata,
  }: Pick<RegistrationRejectedError, "status" | "body" | "submittedMetadata">) {
    super(`The authorization server refused to register this client (${status}): ${body}`);
    this.status = status;
    this.body = body;
    this.submittedMetadata = submittedMetadata;
  }
}

/** The error for a token endpoint without TLS. The credentials were not sent. */
export class InsecureTokenEndpointError extends OAuthClientFlowError {
  override readonly name: string = "InsecureTokenEndpointError";
  readonly tokenEndpoint: string;

  constructor(tokenEndpoint: string | URL) {
    super(`The token endpoint must use https:, or be on this machine: ${String(tokenEndpoint)}`);
    this.tokenEndpoint = String(tokenEndpoint);
  }
}

/** The error for a server that requires scopes that this client could not obtain. */
export class InsufficientScopeError extends OAuthClientFlowError {
  override readonly name: string = "InsufficientScopeError";
  readonly requiredScope?: string;
  readonly resourceMetadataUrl?: URL;
  readonly errorDescription?: string;

  constructor(init: {
    requiredScope?: string;
    resourceMetadataUrl?: URL;
    errorDescription?: string;
  }) {
    super(init.requiredScope ? `Missing scopes: ${init.requiredScope}` : "Missing scopes");
    Object.assign(this, init);
  }
}

/**
 * The members of an `@mcp-codegen/auth/client` error that are read here. That package is loaded on demand, so its class
 * is not imported.
 */
interface NativeError extends Error {
  readonly stage?: string;
  readonly error?: string;
  readonly description?: string;
  readonly issuer?: string;
  readonly received?: string;
}

export function loginErrorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const flow = loginErrorIn(error);
  if (flow !== undefined) return flow;
  const { name, stage, issuer, received, message } = error as NativeError;
  const { error: code, description = message } = error as NativeError;
  if (stage === undefined) return error;
  if (name === "IssuerMismatchError") {
    return withCause(new IssuerMismatchError("metadata", issuer, received), error);
  }
  if (name !== "OAuthError" || code === undefined) return error;
  return withCause(new OAuthError(code, description), error);
}

function withCause<Kind extends Error>(error: Kind, cause: Error): Kind {
  error.cause = cause;
  return error;
}

/** Carries a login error through the transport. Callers receive the cause. */
export class LoginFailure extends HttpError {
  constructor(cause: Error) {
    super(cause.message, { status: 401, cause });
  }
}

export function loginErrorIn(error: unknown): Error | undefined {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
    if (inner instanceof LoginFailure) return inner.cause as Error;
    if (inner instanceof UnauthorizedError || inner instanceof OAuthClientFlowError) return inner;
    inner = inner.cause;
  }
  return undefined;
}
