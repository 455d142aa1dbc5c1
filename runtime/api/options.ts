import type { CustomHandler } from "./handlers.js";
import type { OnLoss, RequestId, Revision } from "../wire/index.js";
import type { Bus } from "./bus.js";

import type { Feature } from "./feature.js";
import type { Limits, RateLimits } from "./limits.js";
import type { AnyMiddleware, AnySendMiddleware } from "./middleware.js";
import type { Timeouts } from "./request-options.js";
import type { RoundsOptions } from "./rounds-options.js";

/** Record of a received request that is over, for access logs and audits. */
export interface RequestRecord {
  readonly method: string;
  readonly id: RequestId;
  /** Revision under which it was handled, such as `2025-11-25`; undefined before one was agreed on. */
  readonly revision: string | undefined;
  /** Principal of its sender, where that was authenticated. */
  readonly principal: string | undefined;
  /** Id of its session, where the transport names its sessions. Whoever reads it may be able to join the session. */
  readonly sessionId: string | undefined;
  /** Time from its arrival, in milliseconds. */
  readonly milliseconds: number;
  readonly outcome: "result" | "error" | "cancelled";
  /** Code of the error. */
  readonly code?: number | undefined;
  /** Reason that the peer gave for cancelling, or why nobody waits for an answer. */
  readonly reason?: string | undefined;
}

export interface ServeOptions {
  /**
   * Id of a revision to serve without a handshake. Nothing is known of the client then, so that it
   * cannot be asked anything, unless `opening` is given.
   */
  readonly assume?: string | undefined;
  /**
   * Parameters of the `initialize` that opened the session elsewhere, under the revision of `assume`. With them, the
   * client is known, and can be asked.
   */
  readonly opening?: unknown;
}

/** Pings that find out whether the peer is still there; the connection ends when it is not. */
export interface KeepAlive {
  /** Milliseconds between two pings. */
  readonly interval: number;
  /** Milliseconds to wait for an answer. Default: the interval, 10 000 at most. */
  readonly timeout?: number | undefined;
}

/** Options that clients and servers have in common. */
export interface EndpointOptions<Capabilities, Around = AnyMiddleware> extends Timeouts {
  /** Parts that bring handlers of their own: tools, resources, the log. */
  readonly features?: readonly Feature[] | undefined;
  /** Messages in addition to those of the protocol, with their handlers; see `onCustom`. */
  readonly custom?: readonly CustomHandler[] | undefined;
  /** Stands around the handlers, the first outermost. */
  readonly middleware?: readonly Around[] | undefined;
  /** Stands around what is sent: requests and notifications of this side, the first outermost. */
  readonly sending?: readonly AnySendMiddleware[] | undefined;
  /**
   * True to check what the structure of messages does not show: base64, URIs, MIME types, keys of `_meta`. What this side
   * sends is refused then, with an error that says where; of what it receives, a server refuses answers, and a client
   * reports each kind of problem to `onerror` once. Default: true.
   */
  readonly checkContent?: boolean | undefined;
  /** Called with what a revision cannot express, where handlers are written for the newest one. */
  readonly onloss?: OnLoss | undefined;
  /**
   * True to leave out your name and version where messages carry them each time (`_meta`, MCP:
   * `clientInfo`, `serverInfo`). Default: false.
   */
  readonly anonymous?: boolean | undefined;
  /** Default: no pings. */
  readonly keepAlive?: KeepAlive | undefined;
  /** Capabilities in addition to what the handlers imply; where both say something, this wins. */
  readonly capabilities?: Capabilities | undefined;
  /**
   * Time that a handler may take, in milliseconds; then its signal aborts and the peer gets -32603.
   * Default: no limit.
   */
  readonly handlerTimeout?: number | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Called with everything that can be told to nobody else: unreadable input, answers to no question,
   * handlers that fail. Default: one line on `console.error`.
   */
  readonly onerror?: ((error: Error) => void) | undefined;
  /**
   * Called when a received request is over, answered or cancelled: for access logs and audits. Arguments and results are
   * not part of the record. Default: none.
   */
  readonly onrequestend?: ((record: RequestRecord) => void) | undefined;
}

export interface ClientOptions<
  Capabilities = object,
  Around = AnyMiddleware,
> extends EndpointOptions<Capabilities, Around> {
  /**
   * Treatment of an invalid item of a list, such as a tool without a schema. `drop`: the others are given, and it is
   * reported to `onerror`, once by its name; `refuse`: the request rejects. Default: `drop`.
   */
  readonly onInvalidItem?: "drop" | "refuse" | undefined;
  /**
   * Revisions whose results are accepted, too, the newest first: there are servers that send what is newer than what was
   * agreed on. Default: those that this client can negotiate.
   */
  readonly newerRevisions?: readonly Revision[] | undefined;
}

export interface ServerOptions<
  Capabilities = object,
  Around = AnyMiddleware,
> extends EndpointOptions<Capabilities, Around> {
  /**
   * Requests per second that one sender may send, by method; beyond, they are answered -32603. `false` for no limit.
   * Default: 100 tool calls and 100 completions per second and principal, and ten times as many after a pause. Senders
   * without a principal are not counted.
   *
   * @example
   * ```ts
   * const rateLimits = { "tools/call": { perSecond: 5, burst: 20, anonymous: true } };
   * const server = new McpServer({ name: "notes", version: "1.0.0" }, { rateLimits });
   * ```
   */
  readonly rateLimits?: RateLimits | false | undefined;
  /** Instructions for the client's model on using the server (`InitializeResult.instructions`). */
  readonly instructions?: string | undefined;
  /**
   * True to send log messages that handlers send by `ctx.notify` although the client has not asked for them, which
   * stateless revisions forbid. `ctx.log` never does. Default: false.
   */
  readonly unaskedLogs?: boolean | undefined;
  /** Carries news of change between the instances of a server. Default: there is this one only. */
  readonly bus?: Bus | undefined;
  /** Freshness of results by method, where results carry it and the handler does not set it. */
  readonly freshness?: Readonly<Record<string, Freshness>> | undefined;
  /** Options for questions to the client inside results, at revisions that have them there. */
  readonly rounds?: RoundsOptions | undefined;
}

/** Time and scope for which a result may be cached (MCP: caching). */
export interface Freshness {
  /** Milliseconds. Default: 0. */
  readonly ttlMs?: number | undefined;
  /** `public`: the result is the same for all clients. Default: `private`. */
  readonly cacheScope?: "public" | "private" | undefined;
}
