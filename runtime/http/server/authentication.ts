import { type Auth, isObject } from "../../wire/index.js";
import type { Exchange, HeaderFields, RequestHead } from "./exchange.js";
import { type Problem, problem } from "./problem.js";

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
 * Finds out who sent a request, from its headers. Called for every request: a session is no proof of anything (MCP:
 * security best practices, session hijacking).
 */
export type Authenticate = (request: RequestHead) => Identity | Promise<Identity>;

/** JSON text, or a function that fetches it. */
export type PublicDocument = string | (() => Promise<string>);

/** Authentication that also says how to obtain what it asks for, as that of an OAuth resource server. */
export interface Authenticator {
  readonly authenticate: Authenticate;
  /**
   * Response to a sender who lacks scopes.
   *
   * @param scopes - all that the request needs
   * @param auth - the sender, where it is known
   */
  forbid(scopes: readonly string[], auth: Auth | undefined): Refusal;
  /** Public JSON documents by path, such as the metadata of a protected resource. Served to everybody, from every origin. */
  readonly documents: Readonly<Record<string, PublicDocument>>;
}

/**
 * Identifies the caller from a framework's request object, where its middleware has authenticated the caller. Undefined
 * is answered 401.
 */
export type IdentifyBy<Source> = (
  source: Source,
) => Identity | undefined | Promise<Identity | undefined>;

export type Identify = () => ReturnType<IdentifyBy<never>>;

/** Refusal of whoever has proved nothing. */
export const UNAUTHORIZED: Problem = problem(
  401,
  "Unauthorized: the request does not prove who sent it",
  { "WWW-Authenticate": "Bearer" },
);

export function isAuthenticator(value: unknown): value is Authenticate | Authenticator {
  if (!isObject(value)) return typeof value === "function";
  const { authenticate, forbid, documents } = value;
  return typeof authenticate === "function" && typeof forbid === "function" && isObject(documents);
}

/** Authenticator of an option that may be just a function. */
export function authenticatorOf(
  given: Authenticate | Authenticator | undefined,
): Authenticator | undefined {
  if (typeof given !== "function") return given;
  return { authenticate: given, forbid: forbidWithoutMetadata, documents: {} };
}

/** Refusal of a sender who lacks scopes, without a place where they could be obtained. */
export function forbidWithoutMetadata(scopes: readonly string[], auth: Auth | undefined): Refusal {
  const reason = auth ? 'error="insufficient_scope", ' : "";
  const challenge = `Bearer ${reason}scope="${scopes.join(" ")}"`;
  return { status: auth ? 403 : 401, headers: { "WWW-Authenticate": challenge } };
}

/** Fields with credentials: whoever authenticates sees them, handlers do not, so that no token is passed on. */
const CREDENTIALS: ReadonlySet<string> = new Set(["authorization", "dpop"]);

/** Header field of a request as handlers see it. */
export function headerFor(exchange: Exchange, name: string): string | undefined {
  return exchange.authenticator && CREDENTIALS.has(name) ? undefined : exchange.header(name);
}

/**
 * Reads what a hook has given, so that nothing but a principal or `"anonymous"` opens the door.
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
