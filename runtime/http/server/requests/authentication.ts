import type { Auth } from "../../../wire/index.js";
import type { HeaderFields } from "./problem.js";

/** The properties of an HTTP request that are known before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** The path without the query, such as `/mcp`. */
  readonly path: string;
  /** The query without the question mark; empty if there is none. */
  readonly query: string;
  /**
   * Returns the value of a header field, given its lower-case name. Repeated fields are joined by commas, as HTTP
   * prescribes.
   */
  header(name: string): string | undefined;
}

/** The response to a request whose sender is unknown or is not allowed to send it. */
export interface Refusal {
  /** Usually 401 or 403. */
  readonly status: number;
  readonly headers?: HeaderFields | undefined;
  readonly body?: string | undefined;
}

/** The sender of a request, or the reason to refuse it. `"anonymous"` admits the request without a sender. */
export type Identity = Auth | Refusal | "anonymous";

/**
 * Identifies the sender of a request by its headers. It is called for every request, because a session id proves
 * nothing (MCP: security best practices, session hijacking).
 */
export type Authenticate = (request: RequestHead) => Identity | Promise<Identity>;

/** JSON text, or a function that fetches it. */
export type PublicDocument = string | (() => Promise<string>);

/** Authentication that also describes how to obtain the required credentials, as an OAuth resource server does. */
export interface Authenticator {
  readonly authenticate: Authenticate;
  /**
   * Returns the response to a sender who lacks scopes.
   *
   * @param scopes - all the scopes that the request needs
   * @param auth - the sender, if known
   */
  forbid(scopes: readonly string[], auth: Auth | undefined): Refusal;
  /**
   * The public JSON documents by path, such as a protected resource's metadata. Any client from any origin can read
   * them.
   */
  readonly documents: Readonly<Record<string, PublicDocument>>;
}

/**
 * Identifies the caller from a framework's request object, if its middleware has authenticated the caller. The response
 * is 401 if the result is undefined.
 */
export type IdentifyBy<Source> = (
  source: Source,
) => Identity | undefined | Promise<Identity | undefined>;

export type Identify = () => ReturnType<IdentifyBy<never>>;

/** @param metadata - the URL of the resource metadata, which names the authorization server */
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
