import type { SendingOptions } from "../wire/index.js";

/** Progress of a request. */
export interface Progress {
  /** Progress so far, which increases with every report. */
  readonly progress: number;
  /** Value at which the work is complete, if known. */
  readonly total?: number;
  /** Human-readable description of the progress. */
  readonly message?: string;
}

/** Time limits in milliseconds; with `Infinity` a request waits forever, with zero or less not at all. */
export interface Timeouts {
  /**
   * Time to wait for a response, in milliseconds. While a client handles a request from the server, its own
   * requests continue to wait, up to `maxTotalTimeout`. Default: 60 000.
   */
  readonly timeout?: number | undefined;
  /** True if progress on a request restarts its `timeout`. Default: true. */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /** Total time to wait, in milliseconds, regardless of progress; at least `timeout`. Default: 600 000. */
  readonly maxTotalTimeout?: number | undefined;
}

export interface RequestOptions extends Timeouts, SendingOptions {
  /** Signal that cancels the request at the peer; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with each progress notification; the peer sends them because this callback is present. At a high rate,
   * only the newest are passed on.
   */
  readonly onprogress?: ((progress: Progress) => void) | undefined;
  /**
   * Any value for the handlers of requests that the peer sends during this request: they receive it
   * as `call.context`. It is never sent.
   */
  readonly context?: unknown;
  /**
   * Key of the question, if it travels inside a result; unique within the client's request. Such a question has no
   * timeout. Default: `ask-1`, `ask-2`, …
   */
  readonly key?: string | undefined;
  /**
   * Use of the result cache for this request, if there is one. `default`: a fresh stored result is returned without
   * a request; `reload`: sends the request and stores its result; `no-store`: bypasses the cache. Default:
   * `default`.
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

/** Options for connecting; they apply to each step: the start of the transport, then the handshake or the discovery. */
export interface ConnectOptions extends Pick<RequestOptions, "signal" | "timeout"> {
  /**
   * Time that a client for both kinds of servers waits for the response to its discovery before it also opens a
   * session, in milliseconds. A server that answers both is treated as stateless, unless it refuses a second discovery
   * after the handshake. With 0, the client opens a session immediately. Default: 1000; over HTTP, as long as the
   * client waits for any response.
   */
  readonly probeTimeout?: number | undefined;
  /**
   * Result of an earlier discovery of this server, such as `discovered` of another client: connecting to a stateless
   * server then sends nothing. The client relies on the revisions and capabilities in the result; a server that no
   * longer supports the chosen revision refuses the first request.
   */
  readonly prior?: unknown;
}
