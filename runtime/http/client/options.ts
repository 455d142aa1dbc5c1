import type { OpenSession } from "../../wire/index.js";

/** Schedule for reopening a stream that ended. Times are in milliseconds. */
export interface ReconnectOptions {
  /** The first wait, unless the server sets it (`retry:`). Default: 1000. */
  readonly initialDelay?: number;
  /** The longest wait that this client chooses itself. Default: 30 000. */
  readonly maxDelay?: number;
  /** Factor by which each failure lengthens the wait. Default: 2. */
  readonly factor?: number;
  /**
   * Maximum number of consecutive failures to reopen the stream of a request that waits for its
   * response; after more, the request fails. The stream of the session is reopened without this
   * limit. Default: 5.
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

/** Headers of requests, or a function that returns them for each request. */
export type HeaderSource = HeaderList | (() => HeaderList | Promise<HeaderList>);

/** Function that performs HTTP requests. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>;

/** Authorization of a client, which handles 401 and 403 responses. */
export interface ClientAuth {
  /**
   * Creates the function for all requests to one server. An `HttpError` that the returned function throws reaches
   * callers unchanged.
   * @param server - URL of the connection
   * @param fetch - performs the requests
   */
  fetchFor(server: URL, fetch: Fetch): Fetch;
  /**
   * Returns the name of the account that requests are currently sent for; cached results of one account are not used
   * for another.
   */
  account(): string;
}

/** Options of all HTTP connections of a client. */
export interface HttpOptions {
  /** Headers sent with every request, such as `Authorization`. Headers that the protocol prescribes override them. */
  readonly headers?: HeaderSource;
  /** Performs the requests. Default: the platform's `fetch`. */
  readonly fetch?: Fetch;
  /** Obtains tokens if the server requires them, such as `oauth({ … })` from `@mcp-codegen/auth/client`. */
  readonly auth?: ClientAuth;
  /**
   * Called when the server answers with 401 or 403, once for all requests that are refused at the same time; may read
   * the response. If it returns true, the request is sent once more. Default: such requests reject.
   */
  readonly authorize?: (response: Response, request: RefusedRequest) => Promise<boolean>;
  /** Longest message: bytes of a JSON body, characters of an event. Default: 64 MiB. */
  readonly maxMessageBytes?: number;
  /**
   * Longest wait, in milliseconds, that a server may request with `Retry-After` and 429 or 503, which refuse a request
   * before it has any effect. The request is then sent again, up to 3 times. 0: it fails immediately. Default: 5000.
   */
  readonly maxRetryAfter?: number;
  /**
   * Time without any bytes, comments included, after which a response has failed, in milliseconds.
   * Default: 300 000.
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
   * The member of the parameters that requests mirror in `Mcp-Name`, by method, for methods of extensions
   * (`{ "tasks/get": "taskId" }`). Methods of the revision need no entry.
   */
  readonly nameHeaders?: Readonly<Record<string, string>>;
  /**
   * True to open a stream for messages from the server that belong to no request sent by this
   * client. Default: true.
   */
  readonly listen?: boolean;
  /**
   * Treatment of requests from the server on the stream that `listen` opens: `answer` handles them, as in the
   * revisions with sessions; `refuse` answers them with the error -32602, as newer servers expect. Default: `answer`.
   */
  readonly unrelatedRequests?: "answer" | "refuse";
  /**
   * True to start a new session after the server has ended the old one (404). Otherwise the connection ends with a
   * `SessionExpiredError`. Default: true.
   */
  readonly restart?: boolean;
  /**
   * Called when a new session has replaced the old one: the server has lost its state about this client. Messages
   * that were waiting for the new session also wait for the returned promise, and fail if it rejects.
   *
   * @param opened - result of the request that opened the new session
   */
  readonly onrestart?: (opened: Readonly<Record<string, unknown>>) => void | Promise<void>;
  /**
   * Called when the stream of the session is open again after an interruption and could not be resumed: messages may
   * have been missed.
   */
  readonly ongap?: () => void | Promise<void>;
  /**
   * Session that was opened over another connection (`client.session`) and continues over this one. It is not replaced
   * after the server has ended it. Default: a new session.
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
