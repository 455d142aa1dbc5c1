import type { CustomHandler } from "./custom.js";
import type { Feature } from "./feature.js";
import type { Limits } from "./limits.js";
import type { AnyMiddleware } from "./middleware.js";

/** News of a request that is under way. */
export interface Progress {
  /** Increases with every report. */
  readonly progress: number;
  /** The value at which the work is done, when that is known. */
  readonly total?: number;
  /** For people. */
  readonly message?: string;
}

/** Times are in milliseconds; `Infinity` waits for ever, zero and less not at all. */
export interface Timeouts {
  /** How long to wait for an answer. Default: 60 000. */
  readonly timeout?: number | undefined;
  /** Whether news of a request starts its `timeout` anew. Default: true. */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /** How long to wait in all, whatever the news; at least `timeout`. Default: 600 000. */
  readonly maxTotalTimeout?: number | undefined;
}

export interface RequestOptions extends Timeouts {
  /** Aborting it tells the peer to stop; the request rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Asks the peer for news, and is called with each. Under a flood only the newest are passed on. */
  readonly onprogress?: ((progress: Progress) => void) | undefined;
}

/** For each step of connecting: the start of the transport, then the handshake. */
export interface ConnectOptions extends Pick<RequestOptions, "signal" | "timeout"> {}

export interface ServeOptions {
  /**
   * Id of a revision to serve without a handshake. Nothing is known of the client then, so that it
   * cannot be asked anything.
   */
  readonly assume?: string | undefined;
}

/** Pings that find out whether the peer is still there; the connection ends when it is not. */
export interface KeepAlive {
  /** Milliseconds between two pings. */
  readonly interval: number;
  /** Milliseconds to wait for an answer. Default: the interval, 10 000 at most. */
  readonly timeout?: number | undefined;
}

/** What clients and servers have in common. */
export interface EndpointOptions<Capabilities, Around = AnyMiddleware> extends Timeouts {
  /** Parts that bring handlers of their own: tools, resources, the log. */
  readonly features?: readonly Feature[] | undefined;
  /** Messages beside those of the protocol, with their handlers; see `onCustom`. */
  readonly custom?: readonly CustomHandler[] | undefined;
  /** Stands around the handlers, the first outermost. */
  readonly middleware?: readonly Around[] | undefined;
  /** Default: no pings. */
  readonly keepAlive?: KeepAlive | undefined;
  /** Declared in addition to what the handlers imply; where both say something, this wins. */
  readonly capabilities?: Capabilities | undefined;
  /** How long a handler may take, in milliseconds; then its signal aborts and the peer gets -32603. Default: no limit. */
  readonly handlerTimeout?: number | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /**
   * Hears of everything that can be told to nobody else: unreadable input, answers to no question,
   * handlers that fail. Default: one line on `console.error`.
   */
  readonly onerror?: ((error: Error) => void) | undefined;
}

export interface ClientOptions<
  Capabilities = object,
  Around = AnyMiddleware,
> extends EndpointOptions<Capabilities, Around> {}

export interface ServerOptions<
  Capabilities = object,
  Around = AnyMiddleware,
> extends EndpointOptions<Capabilities, Around> {
  /** How to use the server, for the client's model (`InitializeResult.instructions`). */
  readonly instructions?: string | undefined;
}
