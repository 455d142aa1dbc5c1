import type { Auth } from "../../../wire/index.js";
import type { HeaderFields } from "./problem.js";

/** Properties of an HTTP request that are known before its body is read. */
export interface RequestHead {
  readonly method: string;
  /** Path without the query, such as `/mcp`. */
  readonly path: string;
  /** Query without the question mark; empty if there is none. */
  readonly query: string;
  /**
   * Returns the value of a header field by its lower-case name; repeated fields are joined by commas, as HTTP
   * prescribes.
   */
  header(name: string): string | undefined;
}

/** Response to a request whose sender is unknown, or not allowed to send it. */
export interface Refusal {
  /** Usually 401 or 403. */
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
   * Returns the response to a sender who lacks scopes.
   *
   * @param scopes - all scopes that the request needs
   * @param auth - the sender, if known
   */
  forbid(scopes: readonly string[], auth: Auth | undefined): Refusal;
  /**
   * Public JSON documents by path, such as the metadata of a protected resource. Every client from every origin can
   * read them.
   */
  readonly documents: Readonly<Record<string, PublicDocument>>;
}

/**
 * Identifies the caller from a framework's request object, if its middleware has authenticated the caller. If it
 * returns undefined, the response is 401.
 */
export type IdentifyBy<Source> = (
  source: Source,
) => Identity | undefined | Promise<Identity | undefined>;

export type Identify = () => ReturnType<IdentifyBy<never>>;

/** @param metadata - URL of the resource metadata, which names the authorization server */
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
