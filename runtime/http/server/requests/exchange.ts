import {
  type Auth,
  type Malformed,
  type RequestId,
  type Revision,
  answerToUnreadable,
  revisionOfErrors,
} from "../../../wire/index.js";
import type { ByteBudget, Reader, StreamSink } from "../limits.js";
import type { Authenticator, Identify } from "./authentication.js";
import { type HeaderFields, type Problem, problem } from "./problem.js";

/** The names of the header fields that are read from every request. */
export const FIELD_NAMES = [
  "accept",
  "access-control-request-headers",
  "access-control-request-method",
  "content-encoding",
  "content-length",
  "content-type",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "origin",
  "sec-fetch-site",
] as const;

export type RequestFields = Readonly<
  Partial<Record<(typeof FIELD_NAMES)[number], string | undefined>>
>;

export interface IncomingRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** The authority that the request names. */
  readonly host: string | undefined;
  readonly fields: RequestFields;
  /** The network address that the request came from, if known. Behind a proxy, it is the proxy's address. */
  readonly address: string | undefined;
  readonly parsedBody: unknown;
  /** Identifies the sender; undefined if nothing does so before the handler. */
  readonly identify: Identify | undefined;
  /** A value that the host program passes on to handlers. */
  readonly locals?: unknown;
}

export interface RefusalCounter {
  count(status: number, reason?: string): void;
}

/**
 * The fields that have a single value, by lower-case name. A request that repeats one is refused, because an
 * intermediary may have judged it by the other value (RFC 9110, section 5.3).
 */
export const SINGLE_FIELDS: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  [
    "Authorization",
    "DPoP",
    "Host",
    "Content-Type",
    "Content-Length",
    "Origin",
    "Sec-Fetch-Site",
    "Access-Control-Request-Method",
    "Last-Event-ID",
    "Mcp-Session-Id",
  ].map((name) => [name.toLowerCase(), name]),
);

/** The fields of a stateless request that mirror parts of its body. They are compared with the body. */
export const MIRROR_FIELDS: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"].map((name) => [name.toLowerCase(), name]),
);

export function repetition(name: string): Problem {
  return problem(400, `Bad request: there is more than one ${name} field`);
}

/**
 * Returns the revision that decides the form of an error without an id: the one that the request names, otherwise the
 * strictest.
 */
export function revisionOfRefusal(
  { head }: Exchange,
  revisions: readonly Revision[],
): Revision | undefined {
  const named = head.fields["mcp-protocol-version"];
  return revisions.find(({ id }) => id === named) ?? revisionOfErrors(revisions);
}

/** The fields that carry credentials. Only the authenticator receives them, so that handlers cannot forward a token. */
const CREDENTIALS: ReadonlySet<string> = /* @__PURE__ */ new Set(["authorization", "dpop"]);

export const JSON_FIELDS: HeaderFields = { "Content-Type": "application/json" };

export const EVENT_FIELDS: HeaderFields = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

/**
 * An HTTP request and its response, in a form that does not depend on the platform. It is answered once, by {@link
 * respond} or {@link openStream}.
 */
export abstract class Exchange {
  /** The method, target and header fields, which are read once. */
  readonly head: IncomingRequest;
  /** The sender of the request, once it is known. */
  auth: Auth | undefined;
  /** The handler's authenticator; undefined if the handler does not authenticate clients. */
  authenticator: Authenticator | undefined;
  /** The fields that every response to this request includes. */
  extraHeaders: HeaderFields | undefined;
  refusals: RefusalCounter | undefined;
  /** True if the request arrived when the handler no longer accepted new ones. */
  isLate = false;

  constructor(head: IncomingRequest) {
    this.head = head;
  }

  abstract header(name: string): string | undefined;
  abstract readonly isAnswered: boolean;
  /** The client, if it is known not to have read all of a long response. */
  abstract readonly unread: Reader | undefined;
  /** True if the client has disconnected, so no response can reach it. */
  abstract readonly isGone: boolean;
  /** True if the header field with this lower-case name was sent more than once, if that can be known. */
  abstract isRepeated(name: string): boolean;
  /** Returns the name of the first of these fields that was sent more than once. */
  abstract repeatedField(names: ReadonlyMap<string, string>): string | undefined;
  /** Calls the listener when the client disconnects, and possibly also when the client has been answered. */
  abstract whenGone(listener: () => void): void;
  /**
   * Reads the body, once, keeping at most this many bytes of it.
   *
   * @param budget - the budget shared by all bodies that are being read
   * @returns the text, or the reason why there is none; never rejects
   */
  abstract readBody(maxBytes: number, budget: ByteBudget): Promise<string | Problem>;
  abstract respond(status: number, headers?: HeaderFields, body?: string): void;
  /** Responds with status 200 and a body that is written piece by piece. */
  abstract openStream(headers: HeaderFields): StreamSink;
  /**
   * Ends the connection with the response, if the platform allows that, so that the client opens its next connection
   * elsewhere.
   */
  abstract endConnection(): void;

  /**
   * Returns a header field as handlers see it. If there is an authenticator, the result is undefined for credentials,
   * because handlers do not receive them.
   */
  publicHeader(name: string): string | undefined {
    return this.authenticator && CREDENTIALS.has(name) ? undefined : this.header(name);
  }

  /**
   * Responds with a JSON-RPC error. The error names no request if none was read (MCP: Streamable HTTP, sending
   * messages).
   *
   * @param revision - decides whether an error without a request has `id: null`; without a revision it has no id
   */
  refuse(refused: Problem, revision?: Revision, id: RequestId | null = null): void {
    const { status, message, code, headers, reason } = refused;
    this.refusals?.count(status, reason);
    const error = { code, message };
    const body =
      id === null && revision?.traits.errorId !== "required"
        ? { jsonrpc: "2.0", error }
        : { jsonrpc: "2.0", id, error };
    this.respond(
      status,
      { ...JSON_FIELDS, "Cache-Control": "no-store", ...headers },
      JSON.stringify(body),
    );
  }

  /** Responds to a body that contains no valid message. */
  refuseUnreadable(malformed: Malformed, revision?: Revision): void {
    const answer = answerToUnreadable(malformed, "server", revision);
    this.refusals?.count(400);
    if (answer) this.respond(400, JSON_FIELDS, JSON.stringify(answer));
    else this.respond(400);
  }
}
