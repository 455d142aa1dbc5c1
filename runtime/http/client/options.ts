import type { OpenSession } from "../../wire/index.js";

/** Schedule for reopening a stream that ended. Times are in milliseconds. */
export interface ReconnectOptions {
  /** The first wait, unless the server says how long (`retry:`). Default: 1000. */
  readonly initialDelay?: number;
  /** The longest wait of this client's own choice. Default: 30 000. */
  readonly maxDelay?: number;
  /** Factor by which each failure lengthens the wait. Default: 2. */
  readonly factor?: number;
  /**
   * Consecutive failures before a request that waits for its answer is given up. The stream for all
   * other messages is never given up. Default: 5.
   */
  readonly retries?: number;
}

/** An HTTP request that the server refused with 401 or 403. */
export interface RefusedRequest {
  readonly method: string;
  readonly url: URL;
}

/** Headers for a request. */
export type HeaderList =
  Headers | Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** Headers for a request, or what makes them anew for each. */
export type HeaderSource = HeaderList | (() => HeaderList | Promise<HeaderList>);

/** Function that does HTTP requests. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** Authorization of a client, which answers the refusals of servers by itself. */
export interface ClientAuth {
  /**
   * Makes the function for all requests to one server.
   * @param server - URL of the connection
   * @param fetch - does the requests. What the made function throws reaches callers as it is, if it is an `HttpError`
   */
  fetchFor(server: URL, fetch: Fetch): Fetch;
  /** Name of the account that requests are made for now: results that are kept for one are not given to another. */
  account(): string;
}

/** Options that all HTTP connections of a client have in common. */
export interface HttpOptions {
  /** Sent with every request, such as `Authorization`. What the protocol prescribes wins over them. */
  readonly headers?: HeaderSource;
  /** Does the requests. Default: the platform's `fetch`. */
  readonly fetch?: Fetch;
  /** Gets tokens where the server demands them, such as `oauth({ … })` of `@mcp-codegen/auth/client`. */
  readonly auth?: ClientAuth;
  /**
   * Called when the server answers 401 or 403, once for all requests that meet it together; may read the
   * response. True: the headers are good now, and the request is sent once more. Default: an
   * `AuthorizationError`.
   */
  readonly authorize?: (response: Response, request: RefusedRequest) => Promise<boolean>;
  /** Longest message: bytes of a JSON body, characters of an event. Default: 64 MiB. */
  readonly maxMessageBytes?: number;
  /**
   * Longest wait that a server may ask for (`Retry-After` with 429 or 503, which refuse a request before anything was
   * done), in milliseconds: the request is sent again then, up to 3 times. 0: it fails at once. Default: 5000.
   */
  readonly maxRetryAfter?: number;
  /**
   * Time without any bytes, comments included, after which a response counts as dead, in
   * milliseconds. Default: 300 000.
   */
  readonly idleTimeout?: number;
}

export interface SseClientOptions extends HttpOptions {
  /** Time that the server may take to name its endpoint, in milliseconds. Default: 10 000. */
  readonly endpointTimeout?: number;
}

export interface HttpClientOptions extends SseClientOptions {
  readonly reconnect?: ReconnectOptions;
  /**
   * The older transport, HTTP+SSE. `fallback`: when the server refuses the first message with one of
   * `fallbackStatuses`; `never`; `only`: from the start. Default: `fallback`.
   */
  readonly sse?: "fallback" | "never" | "only";
  /** Statuses after which the older transport is tried. Default: those that the preferred revision names. */
  readonly fallbackStatuses?: "4xx" | readonly number[];
  /**
   * The member of the parameters that requests repeat in `Mcp-Name`, by method, for methods of extensions
   * (`{ "tasks/get": "taskId" }`). Those of the revision are known.
   */
  readonly nameHeaders?: Readonly<Record<string, string>>;
  /** True to open a stream for messages that the server sends unasked. Default: true. */
  readonly listen?: boolean;
  /**
   * Treatment of requests on that stream, which belong to no request of this client. `answer`, as the revisions with
   * sessions have it; `refuse`: they get -32602, as newer servers expect. Default: `answer`.
   */
  readonly unrelatedRequests?: "answer" | "refuse";
  /**
   * True to start a new session when the server has ended the old one (404). Otherwise the
   * connection ends with a `SessionExpiredError`. Default: true.
   */
  readonly restart?: boolean;
  /**
   * Called when a new session has taken the place of the old one: what the server knew of this client is gone. Messages
   * that were sent before, and have not reached the server, wait for what it returns, and reject with what that rejects
   * with.
   *
   * @param opened - result of the request that has opened it
   */
  readonly onrestart?: (opened: Readonly<Record<string, unknown>>) => void | Promise<void>;
  /**
   * Called when the stream for what the server sends of its own accord is open again after an interruption, and could
   * not be resumed: something may have been missed.
   */
  readonly ongap?: () => void;
  /**
   * Session that was opened over another connection (`client.session`), and goes on over this one. It is not replaced when
   * the server has ended it. Default: a session of its own.
   */
  readonly session?: OpenSession | undefined;
  /** True, or a function that gives it then, to end the session on the server when you close the client (DELETE). Default: true. */
  readonly endSession?: boolean | (() => boolean);
}
