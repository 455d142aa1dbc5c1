import type { SendingOptions } from "../wire/index.js";

/** The progress of a request. */
export interface Progress {
  /** The progress so far, which increases with every report. */
  readonly progress: number;
  /** The value at which the work is complete, if known. */
  readonly total?: number;
  /** A human-readable description of the progress. */
  readonly message?: string;
}

/**
 * Time limits in milliseconds. With `Infinity`, a request waits forever; with zero or less, it does not wait at all.
 */
export interface Timeouts {
  /**
   * The time to wait for a response, in milliseconds. While a client is handling a request from the server, its own
   * requests continue to wait, up to `maxTotalTimeout`. Default: 60,000.
   */
  readonly timeout?: number | undefined;
  /** True if progress on a request restarts its `timeout`. Default: true. */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /** The total time to wait, in milliseconds, regardless of progress. It is at least `timeout`. Default: 600,000. */
  readonly maxTotalTimeout?: number | undefined;
}

export interface RequestOptions extends Timeouts, SendingOptions {
  /** A signal that cancels the request at the peer. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called for each progress notification. The peer sends these only because this callback is present. At a high rate,
   * only the newest ones are passed on.
   */
  readonly onprogress?: ((progress: Progress) => void) | undefined;
  /**
   * Any value for the handlers of requests that the peer sends during this request. They receive it as `call.context`.
   * It is never sent to the peer.
   */
  readonly context?: unknown;
  /**
   * The question's key if it travels inside a result, unique within the client's request. Such a question has no
   * timeout. Default: `ask-1`, `ask-2`, …
   */
  readonly key?: string | undefined;
  /**
   * Controls how this request uses the result cache, if there is one. `default`: returns a fresh stored result without
   * sending a request. `reload`: sends the request and stores its result. `no-store`: bypasses the cache. Default:
   * `default`.
   */
  readonly cache?: "default" | "reload" | "no-store" | undefined;
  /**
   * Controls the handling of questions inside results. `automatic`: this client's handlers answer them, and the request
   * is sent again. `manual`: the caller receives the result with the questions and sends the request again with
   * `inputResponses` and the `requestState` (MCP: multi round trips). Default: `automatic`.
   */
  readonly rounds?: "automatic" | "manual" | undefined;
  /**
   * Controls the handling of a task that the server creates for the request, if this client supports tasks.
   * `automatic`: the client follows it to its result. `manual`: the caller receives the task's description. Default:
   * `automatic`.
   */
  readonly tasks?: "automatic" | "manual" | undefined;
}

/** Options for connecting. They apply to each step: starting the transport, then the handshake or the discovery. */
export interface ConnectOptions extends Pick<RequestOptions, "signal" | "timeout"> {
  /**
   * The time that a client for both kinds of servers waits for the discovery response before it also opens a session,
   * in milliseconds. A server that answers both is treated as stateless, unless it refuses a second discovery after the
   * handshake. With 0, the client opens a session immediately. Default: 1000; over HTTP, as long as the client waits
   * for any response.
   */
  readonly probeTimeout?: number | undefined;
  /**
   * The result of an earlier discovery of this server, such as another client's `discovered`. Connecting to a stateless
   * server then sends nothing. The client relies on the revisions and capabilities in the result; a server that no
   * longer supports the chosen revision refuses the first request.
   */
  readonly prior?: unknown;
}
