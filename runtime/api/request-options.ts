import type { SendingOptions } from "../wire/index.js";

/** Progress of a request that is under way. */
export interface Progress {
  /** Increases with every report. */
  readonly progress: number;
  /** The value at which the work is done, when that is known. */
  readonly total?: number;
  /** Text for people. */
  readonly message?: string;
}

/** Times are in milliseconds; `Infinity` waits for ever, zero and less not at all. */
export interface Timeouts {
  /**
   * Time to wait for an answer, in milliseconds. While a client answers a request of the server,
   * its own requests keep waiting, up to `maxTotalTimeout`. Default: 60 000.
   */
  readonly timeout?: number | undefined;
  /** True when progress on a request restarts its `timeout`. Default: true. */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /**
   * Total time to wait, in milliseconds, whatever the progress; at least `timeout`. Default: 600
   * 000.
   */
  readonly maxTotalTimeout?: number | undefined;
}

export interface RequestOptions extends Timeouts, SendingOptions {
  /** Aborting it tells the peer to stop; the request rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Asks the peer for news, and is called with each. Under a flood only the newest are passed on. */
  readonly onprogress?: ((progress: Progress) => void) | undefined;
  /**
   * Anything that the handlers of what the peer asks during this request need to know: they get it as `call.context`.
   * It is never sent.
   */
  readonly context?: unknown;
  /**
   * Names the question where it travels inside a result, within the request of the client that it belongs to; such
   * a question keeps no time. Default: `ask-1`, `ask-2`, …
   */
  readonly key?: string | undefined;
  /**
   * Use of a result cache for this request, where there is one. `reload`: asks the server and
   * stores its answer; `no-store`: bypasses the cache; `default`: a fresh stored result replaces
   * the request. Default: `default`.
   */
  readonly cache?: "default" | "reload" | "no-store" | undefined;
  /**
   * Treatment of questions inside results. `automatic`: the handlers of this client answer them, and the request is sent
   * again; `manual`: the caller gets the result with the questions, and sends the request again with `inputResponses` and
   * the `requestState` (MCP: multi round trips). Default: `automatic`.
   */
  readonly rounds?: "automatic" | "manual" | undefined;
  /**
   * Treatment of a task that the server makes of the request, where this client has tasks. `automatic`: the client follows
   * it to its result; `manual`: the caller gets what tells of the task. Default: `automatic`.
   */
  readonly tasks?: "automatic" | "manual" | undefined;
}

/**
 * Options of each step of connecting: the start of the transport, then the handshake or the
 * discovery.
 */
export interface ConnectOptions extends Pick<RequestOptions, "signal" | "timeout"> {
  /**
   * Time that a client of both kinds waits for the answer to its discovery before it requests a session as well, in
   * milliseconds. A server that answers both is stateless. 0: it requests a session at once. Default: 1000; over HTTP, it
   * waits as long as for any answer.
   */
  readonly probeTimeout?: number | undefined;
  /**
   * Result of a discovery of this server that was made before, such as `discovered` of another client: connecting to a
   * stateless server then sends nothing. A server that has changed meanwhile refuses the first request.
   */
  readonly prior?: unknown;
}
