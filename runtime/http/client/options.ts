import type { OpenSession } from "../../wire/index.js";

/** The schedule for reopening a stream that has ended. Times are in milliseconds. */
export interface ReconnectOptions {
  /** The first wait, unless the server sets one (`retry:`). Default: 1000. */
  readonly initialDelay?: number;
  /** The longest wait that this client chooses itself. Default: 30,000. */
  readonly maxDelay?: number;
  /** The factor by which each failure lengthens the wait. Default: 2. */
  readonly factor?: number;
  /**
   * The maximum number of consecutive failures to reopen the stream of a request that is waiting for its response.
   * After more than that, the request fails. The session's own stream is reopened without this limit. Default: 5.
   */
  readonly retries?: number;
}

/** An HTTP request that the server refused with 401 or 403. */
export interface RefusedRequest {
  readonly method: string;
  readonly url: URL;
}

/** The headers for a request. */
export type HeaderList =
  Headers | Readonly<Record<string, string>> | Iterable<readonly [string, string]>;

/** The headers of requests, or a function that returns them for each request. */
export type HeaderSource = HeaderList | (() => HeaderList | Promise<HeaderList>);

/** Performs HTTP requests. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** Handles a client's authorization, including 401 and 403 responses. */
export interface ClientAuth {
  /**
   * Creates the function that performs all requests to one server. If the returned function throws an `HttpError`, it
   * reaches callers unchanged.
   *
   * @param server - the URL of the connection
   * @param fetch - performs the requests
   */
  fetchFor(server: URL, fetch: Fetch): Fetch;
  /**
   * Returns the name of the account that requests are currently sent for. One account's cached results are not used for
   * another.
   */
  account(): string;
}

/** The options that all of a client's HTTP connections have. */
export interface HttpOptions {
  /**
   * The headers to send with every request, such as `Authorization`. Headers that the protocol prescribes override
   * them.
   */
  readonly headers?: HeaderSource;
  /** Performs the requests. Default: the platform's `fetch`. */
  readonly fetch?: Fetch;
  /** Obtains tokens if the server requires them, such as `oauth({ … })` from `@mcp-codegen/auth/client`. */
  readonly auth?: ClientAuth;
  /**
   * Called when the server answers with 401 or 403, once for all requests that are refused at the same time. It may
   * read the response. If it returns true, the request is sent once more. Default: such requests reject.
   */
  readonly authorize?: (response: Response, request: RefusedRequest) => Promise<boolean>;
  /** The maximum length of a message: bytes for a JSON body, characters for an event. Default: 64 MiB. */
  readonly maxMessageBytes?: number;
  /**
   * The longest wait, in milliseconds, that a server may request with `Retry-After` and status 429 or 503, which refuse
   * a request before it has any effect. The request is then sent again, up to 3 times. With 0, it fails immediately.
   * Default: 5000.
   */
  readonly maxRetryAfter?: number;
  /**
   * The time, in milliseconds, after which a response fails if no bytes arrive, not even comments. Default: 300,000.
   */
  readonly idleTimeout?: number;
}

export interface SseClientOptions extends HttpOptions {
  /** The time that the server may take to name its endpoint, in milliseconds. Default: 10,000. */
  readonly endpointTimeout?: number;
}

export interface HttpClientOptions extends SseClientOptions {
  readonly reconnect?: ReconnectOptions;
  /**
   * Controls the use of the older transport, HTTP+SSE. `fallback`: used if the server refuses the first message with
   * one of `fallbackStatuses`; `never`: not used; `only`: used from the start. Default: `fallback`.
   */
  readonly sse?: "fallback" | "never" | "only";
  /** The statuses after which the older transport is tried. Default: those that the preferred revision names. */
  readonly fallbackStatuses?: "4xx" | readonly number[];
  /**
   * The parameter that requests mirror in `Mcp-Name`, by method, for extension methods (`{ "tasks/get": "taskId" }`).
   * The revision's own methods need no entry.
   */
  readonly nameHeaders?: Readonly<Record<string, string>>;
  /**
   * True to open a stream for messages from the server that do not belong to a request sent by this client. Default:
   * true.
   */
  readonly listen?: boolean;
  /**
   * Controls how requests from the server are treated on the stream that `listen` opens. `answer` handles them, as in
   * the revisions with sessions; `refuse` answers them with the error -32602, as newer servers expect. Default:
   * `answer`.
   */
  readonly unrelatedRequests?: "answer" | "refuse";
  /**
   * True to start a new session after the server has ended the old one (404). Otherwise the connection ends with a
   * `SessionExpiredError`. Default: true.
   */
  readonly restart?: boolean;
  /**
   * Called when a new session has replaced the old one, which means that the server has lost its state about this
   * client. Messages that were waiting for the new session also wait for the returned promise, and fail if it rejects.
   *
   * @param opened - the result of the request that opened the new session
   */
  readonly onrestart?: (opened: Readonly<Record<string, unknown>>) => void | Promise<void>;
  /**
   * Called when the session's stream is open again after an interruption but could not be resumed. Messages may have
   * been missed.
   */
  readonly ongap?: () => void | Promise<void>;
  /**
   * A session that was opened over another connection (`client.session`) and continues over this one. It is not
   * replaced after the server has ended it. Default: a new session.
   */
  readonly session?: OpenSession | undefined;
  /**
   * True to end the session on the server (DELETE) when the client closes, or a function that decides this. Default:
   * true.
   */
  readonly endSession?: boolean | (() => boolean);
}

export interface ResponseLimits {
  readonly maxMessageBytes: number;
  readonly idleTimeout: number;
}

export type ReconnectSettings = Required<ReconnectOptions>;

const MIB = 1024 * 1024;

export function responseLimits(options: HttpOptions): ResponseLimits {
  const { maxMessageBytes = 64 * MIB, idleTimeout = 300_000 } = options;
  return { maxMessageBytes, idleTimeout };
}

export function reconnectSettings({ reconnect = {} }: HttpClientOptions): ReconnectSettings {
  const { initialDelay = 1000, maxDelay = 30_000, factor = 2, retries = 5 } = reconnect;
  return { initialDelay, maxDelay, factor, retries };
}

export function httpUrl(given: string | URL): URL {
  const url = new URL(given);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError(`${url.protocol} is not a protocol of this transport: use http: or https:`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(`Leave user and password out of the URL: send them with option "headers"`);
  }
  url.hash = "";
  return url;
}

export function place({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
