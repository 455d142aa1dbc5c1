import type { CustomHandler } from "./handlers.js";
import type { OnLoss, RequestId, Revision } from "../wire/index.js";
import type { Bus } from "./bus.js";

import type { Feature } from "./feature.js";
import type { Limits, RateLimits } from "./limits.js";
import type { AnyMiddleware, AnySendMiddleware } from "./middleware.js";
import type { Timeouts } from "./request-options.js";
import type { RoundsOptions } from "./rounds-options.js";

/** A record of a completed incoming request, for access logs and audits. */
export interface RequestRecord {
  readonly method: string;
  readonly id: RequestId;
  /** The revision under which the request was handled, such as `2025-11-25`, or undefined before one was negotiated. */
  readonly revision: string | undefined;
  /** The principal that sent the request, if the sender is authenticated. */
  readonly principal: string | undefined;
  /** The session's id, if the transport has session ids. Anyone who reads it may be able to join the session. */
  readonly sessionId: string | undefined;
  /** The time from the request's arrival to its end, in milliseconds. */
  readonly milliseconds: number;
  readonly outcome: "result" | "error" | "cancelled";
  /** The error code. */
  readonly code?: number | undefined;
  /** The peer's stated reason for cancelling, or the reason why the response is no longer needed. */
  readonly reason?: string | undefined;
}

export interface ServeOptions {
  /**
   * The id of a revision to serve without a handshake. The client is then unknown, so no requests can be sent to it
   * unless `opening` is passed.
   */
  readonly assume?: string | undefined;
  /**
   * The parameters of the `initialize` request that opened the session elsewhere, under the revision given in `assume`.
   * With them, the client is known and requests can be sent to it.
   */
  readonly opening?: unknown;
}

/** Pings to detect whether the peer is still reachable. The connection is closed if it is not. */
export interface KeepAlive {
  /** Milliseconds between pings. */
  readonly interval: number;
  /** The time to wait for a response, in milliseconds. Default: the interval, but at most 10,000. */
  readonly timeout?: number | undefined;
}

/** Options that clients and servers have in common. */
export interface EndpointOptions<Capabilities, Around = AnyMiddleware> extends Timeouts {
  /** Parts with their own handlers, such as tools, resources and the log. */
  readonly features?: readonly Feature[] | undefined;
  /** Messages in addition to those of the protocol, with their handlers; see `onCustom`. */
  readonly custom?: readonly CustomHandler[] | undefined;
  /** Middleware around the handlers, outermost first. */
  readonly middleware?: readonly Around[] | undefined;
  /** Middleware around the requests and notifications that this side sends, outermost first. */
  readonly sending?: readonly AnySendMiddleware[] | undefined;
  /**
   * True to check formats that message structure does not capture: base64, URIs, MIME types and `_meta` keys. Sending
   * invalid content fails with an error that says where it is. A server rejects invalid answers to its questions. A
   * client accepts invalid content and reports each kind of problem to `onerror` once. Default: true.
   */
  readonly checkContent?: boolean | undefined;
  /** Called for each value that a revision cannot express, if handlers are written for the newest revision. */
  readonly onloss?: OnLoss | undefined;
  /**
   * True to leave your name and version out of individual messages that would otherwise carry them (`_meta`, MCP:
   * `clientInfo`, `serverInfo`). Default: false.
   */
  readonly anonymous?: boolean | undefined;
  /** Pings to detect whether the peer is still reachable. Default: no pings. */
  readonly keepAlive?: KeepAlive | undefined;
  /**
   * Capabilities in addition to those that the handlers imply; where both declare the same member, these take
   * precedence.
   */
  readonly capabilities?: Capabilities | undefined;
  /**
   * The maximum time that a handler may take, in milliseconds. After that, its signal aborts and the peer receives
   * -32603. Default: no limit.
   */
  readonly handlerTimeout?: number | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Called with errors that do not reach any caller, such as unreadable input, responses without a request, and failed
   * handlers. Default: prints one line with `console.error`.
   */
  readonly onerror?: ((error: Error) => void) | undefined;
  /**
   * Called when a received request has been answered or cancelled, for access logs and audits. The record does not
   * contain arguments or results. Default: none.
   */
  readonly onrequestend?: ((record: RequestRecord) => void) | undefined;
}

export interface ClientOptions<
  Capabilities = object,
  Around = AnyMiddleware,
> extends EndpointOptions<Capabilities, Around> {
  /**
   * Controls the handling of an invalid list item, such as a tool without a schema. `drop`: the other items are
   * returned, and the invalid one is reported to `onerror`, once per name. `refuse`: the request rejects. Default:
   * `drop`.
   */
  readonly onInvalidItem?: "drop" | "refuse" | undefined;
  /**
   * Additional revisions whose results are accepted, newest first, because some servers send results of a newer
   * revision than the negotiated one. Default: those that this client can negotiate.
   */
  readonly newerRevisions?: readonly Revision[] | undefined;
}

export interface ServerOptions<
  Capabilities = object,
  Around = AnyMiddleware,
> extends EndpointOptions<Capabilities, Around> {
  /**
   * Maximum rates at which one sender may send requests, by method; further requests are answered
   * with -32603. `false` for no limit. Default: 100 tool calls and 100 completions per second for
   * each principal, and ten times as many after a pause. Senders without a principal are not counted.
   *
   * @example
   * ```ts
   * const rateLimits = { "tools/call": { perSecond: 5, burst: 20, anonymous: true } };
   * const server = new McpServer({ name: "notes", version: "1.0.0" }, { rateLimits });
   * ```
   */
  readonly rateLimits?: RateLimits | false | undefined;
  /** Instructions that tell the client's model how to use the server (`InitializeResult.instructions`). */
  readonly instructions?: string | undefined;
  /**
   * True to send clients log messages that they have not requested, if a handler sends the messages with
   * `ctx.notify`. Stateless revisions forbid this. `ctx.log` never sends such messages. Default: false.
   */
  readonly unaskedLogs?: boolean | undefined;
  /** The bus that carries change notifications between a server's instances. Default: a single instance. */
  readonly bus?: Bus | undefined;
  /** Result freshness by method. Used if the revision's results carry freshness and the handler does not set it. */
  readonly freshness?: Readonly<Record<string, Freshness>> | undefined;
  /** Options for questions to the client that travel inside results, in revisions where results can contain them. */
  readonly rounds?: RoundsOptions | undefined;
}

/** The time and scope for which a result may be cached (MCP: caching). */
export interface Freshness {
  /** The time for which the result stays fresh, in milliseconds. Default: 0. */
  readonly ttlMs?: number | undefined;
  /** `public` if the result is the same for all clients. Default: `private`. */
  readonly cacheScope?: "public" | "private" | undefined;
}
