import type { SendingOptions } from "../wire/index.js";

/** Progress of a request. */
export interface Progress {
  /** Increases with every report. */
  readonly progress: number;
  /** Value at which the work is complete, if known. */
  readonly total?: number;
  /** Human-readable description of the progress. */
  readonly message?: string;
}

/** Times in milliseconds; `Infinity` waits forever, zero or less does not wait. */
export interface Timeouts {
  /**
   * Time to wait for a response, in milliseconds. While a client handles a request of the server,
   * its own requests continue to wait, up to `maxTotalTimeout`. Default: 60 000.
   */
  readonly timeout?: number | undefined;
  /** True when progress on a request restarts its `timeout`. Default: true. */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /**
   * Total time to wait, in milliseconds, regardless of progress; at least `timeout`. Default: 600
   * 000.
   */
  readonly maxTotalTimeout?: number | undefined;
}

export interface RequestOptions extends Timeouts, SendingOptions {
  /** Aborting it cancels the request at the peer; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with each progress notification, which the peer is requested to send. At a high rate,
   * only the newest are passed on.
   */
  readonly onprogress?: ((progress: Progress) => void) | undefined;
  /**
   * Any value for the handlers of requests that the peer sends during this request: they receive it
   * as `call.context`. It is never sent.
   */
  readonly context?: unknown;
  /**
   * Name of the question, if it travels inside a result; unique within the client's request. Such a
   * question has no timeout. Default: `ask-1`, `ask-2`, …
   */
  readonly key?: string | undefined;
  /**
   * Use of a result cache for this request, if there is one. `reload`: sends the request and stores
   * its result; `no-store`: bypasses the cache; `default`: a fresh stored result replaces the
   * request. Default: `default`.
   */
  readonly cache?: "default" | "reload" | "no-store" | undefined;
  /**
   * Treatment of questions inside results. `automatic`: the handlers of this client answer them,
   * and the request is sent again; `manual`: the caller receives the result with the questions, and
   * sends the request again with `inputResponses` and the `requestState` (MCP: multi round trips).
   * Default: `automatic`.
   */
  readonly rounds?: "automatic" | "manual" | undefined;
  /**
   * Treatment of a task that the server creates for the request, if this client supports tasks.
   * `automatic`: the client follows it to its result; `manual`: the caller receives the description
   * of the task. Default: `automatic`.
   */
  readonly tasks?: "automatic" | "manual" | undefined;
}

/**
 * Options of each step of connecting: the start of the transport, then the handshake or the
 * discovery.
 */
export interface ConnectOptions extends Pick<RequestOptions, "signal" | "timeout"> {
  /**
   * Time that a client of both kinds waits for the response to its discovery before it also opens a
   * session, in milliseconds. A server that answers both is stateless. 0: it opens a session at
   * once. Default: 1000; over HTTP, it waits as long as for any response.
   */
  readonly probeTimeout?: number | undefined;
  /**
   * Result of an earlier discovery of this server, such as `discovered` of another client:
   * connecting to a stateless server then sends nothing. A server that has changed meanwhile
   * refuses the first request.
   */
  readonly prior?: unknown;
}
