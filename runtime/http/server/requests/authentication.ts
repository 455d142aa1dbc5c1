import { isThenable } from "../../../ground/index.js";
import { type Auth, isObject } from "../../../wire/index.js";
import { type HeaderFields, type Problem, problem } from "./problem.js";

/** Properties of an HTTP request that are known before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** Path without the query: `/mcp`. */
  readonly path: string;
  /** Query without the question mark; empty if there is none. */
  readonly query: string;
  /**
   * Value of a header field by lower-case name; repeated fields are joined by commas, as HTTP
   * prescribes.
   */
  header(name: string): string | undefined;
}

/** Response to a request whose sender is unknown, or not allowed to do this. */
export interface Refusal {
  /** 401 or 403, as a rule. */
  readonly status: number;
  readonly headers?: HeaderFields | undefined;
  readonly body?: string | undefined;
}

/** Sender of a request, or the reason to refuse it; `"anonymous"` lets it pass without a sender. */
export type Identity = Auth | Refusal | "anonymous";

/**
 * Identifies the sender of a request by its headers. Called for every request: a session id proves nothing (MCP:
 * security best practices, session hijacking).
 */
export type Authenticate = (request: RequestHead) => Identity | Promise<Identity>;

/** JSON text, or a function that fetches it. */
export type PublicDocument = string | (() => Promise<string>);

/**
 * Authentication that also describes how to obtain the required credentials, such as that of an
 * OAuth resource server.
 */
export interface Authenticator {
  readonly authenticate: Authenticate;
  /**
   * Response to a sender who lacks scopes.
   *
   * @param scopes - all scopes that the request needs
   * @param auth - the sender, if known
   */
  forbid(scopes: readonly string[], auth: Auth | undefined): Refusal;
  /** Public JSON documents by path, such as the metadata of a protected resource. Every client from every origin can read them. */
  readonly documents: Readonly<Record<string, PublicDocument>>;
}

/**
 * Identifies the caller from a framework's request object, if its middleware has authenticated the caller. Undefined
 * is answered 401.
 */
export type IdentifyBy<Source> = (
  source: Source,
) => Identity | undefined | Promise<Identity | undefined>;

export type Identify = () => ReturnType<IdentifyBy<never>>;

/** Refusal of a request without credentials. */
export const UNAUTHORIZED: Problem = /* @__PURE__ */ problem(
  401,
  "Unauthorized: the request does not prove who sent it",
  { "WWW-Authenticate": "Bearer" },
);

export function isAuthenticator(value: unknown): value is Authenticate | Authenticator {
  if (!isObject(value)) return typeof value === "function";
  const { authenticate, forbid, documents } = value;
  return typeof authenticate === "function" && typeof forbid === "function" && isObject(documents);
}

/**
 * Authenticator of an option that may be just a function. Its 403 repeats the `resource_metadata` of the function's 401
 * (RFC 9728, section 5.1), so that clients know where to obtain more scopes; not if the function names several.
 */
export function authenticatorOf(
  given: Authenticate | Authenticator | undefined,
): Authenticator | undefined {
  if (typeof given !== "function") return given;
  const seen = new Set<string>();
  const note = (identity: Identity): Identity => {
    const metadata = metadataIn(identity);
    if (metadata !== undefined && seen.size < 2) seen.add(metadata);
    return identity;
  };
  return {
    authenticate: (request) => {
      const identity = given(request);
      return isThenable(identity) ? Promise.resolve(identity).then(note) : note(identity);
    },
    forbid: (scopes, auth) => {
      const [metadata] = seen.size === 1 ? seen : [];
      return forbidWithoutScopes(scopes, auth, metadata);
    },
    documents: {},
  };
}

/** Parameter `resource_metadata` of the challenge in a refusal. */
function metadataIn(identity: unknown): string | undefined {
  const { headers } = (identity ?? {}) as Partial<Refusal>;
  if (!isObject(headers)) return undefined;
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== "www-authenticate") continue;
    return /(?:^|[\s,])resource_metadata="([^"\\\s]+)"/i.exec(String(value))?.[1];
  }
  return undefined;
}

/** @param metadata - URL of the metadata that names the authorization server, if known */
export function forbidWithoutScopes(
  scopes: readonly string[],
  auth: Auth | undefined,
  metadata?: string,
): Refusal {
  const reason = auth ? 'error="insufficient_scope", ' : "";
  const place = metadata === undefined ? "" : `, resource_metadata="${metadata}"`;
  const challenge = `Bearer ${reason}scope="${scopes.join(" ")}"${place}`;
  return { status: auth ? 403 : 401, headers: { "WWW-Authenticate": challenge } };
}

/**
 * Checks what a hook has returned, so that only a principal or `"anonymous"` admits a request.
 * @throws TypeError for a value that is neither an identity nor a refusal
 */
export function checkIdentity(given: unknown): Auth | Refusal | undefined {
  if (given === "anonymous") return undefined;
  if (!given) return UNAUTHORIZED;
  const { principal, status } = given as Partial<Record<string, unknown>>;
  if (Number.isInteger(status)) return given as Refusal;
  if (principal === "") return UNAUTHORIZED;
  if (typeof principal === "string") return given as Auth;
  throw new TypeError('authenticate must give { principal } or { status }, or "anonymous"');
}

export function isRefusal(outcome: Auth | Refusal): outcome is Refusal {
  return "status" in outcome && Number.isInteger(outcome.status);
}
