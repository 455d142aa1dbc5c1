import type { FetchLike } from "../shared/index.js";

/** A function that wraps another one, such as `fetch`. */
export type Middleware = (next: FetchLike) => FetchLike;

/** A function that receives a log entry about a request. */
export type RequestLogger = (input: {
  method: string;
  url: string | URL;
  /** The response status; 0 if there was no response. */
  status: number;
  statusText: string;
  /** Duration in milliseconds. */
  duration: number;
  requestHeaders?: Headers;
  responseHeaders?: Headers;
  error?: Error;
}) => void;

/** The options of {@link withLogging}. */
export type LoggingOptions = {
  /** Writes a log entry. Default: writes to the console. */
  logger?: RequestLogger | undefined;
  /** True to include request headers, except credentials, in log entries. Default: false. */
  includeRequestHeaders?: boolean | undefined;
  includeResponseHeaders?: boolean | undefined;
  /** The lowest status to log. Default: 0. */
  statusLevel?: number | undefined;
};

/** Combines several middlewares; the last one is the outermost. */
export function applyMiddlewares(...middleware: Middleware[]): Middleware {
  return (next) => middleware.reduce((inner, wrap) => wrap(inner), next);
}

/** Creates a middleware from a function that receives the next `fetch` and the request. */
export function createMiddleware(
  handler: (next: FetchLike, input: string | URL, init?: RequestInit) => Promise<Response>,
): Middleware {
  return (next) => (input, init) => handler(next, input, init);
}

/** Returns middleware that logs requests. */
export function withLogging({
  logger = toConsole,
  includeRequestHeaders = false,
  includeResponseHeaders = false,
  statusLevel = 0,
}: LoggingOptions = {}): Middleware {
  return createMiddleware(async (next, input, init) => {
    const start = performance.now();
    const request = {
      method: init?.method ?? "GET",
      url: input,
      ...(includeRequestHeaders ? { requestHeaders: withoutCredentials(init?.headers) } : {}),
    };
    try {
      const response = await next(input, init);
      const { status, statusText, headers } = response;
      if (status >= statusLevel) {
        const duration = performance.now() - start;
        const shown = includeResponseHeaders ? { responseHeaders: headers } : {};
        logger({ ...request, status, statusText, duration, ...shown });
      }
      return response;
    } catch (error) {
      const duration = performance.now() - start;
      logger({ ...request, status: 0, statusText: "", duration, error: error as Error });
      throw error;
    }
  });
}

function withoutCredentials(init: HeadersInit | undefined): Headers {
  const headers = new Headers(init);
  for (const name of ["authorization", "cookie", "dpop", "mcp-session-id"]) headers.delete(name);
  return headers;
}

function toConsole(entry: Parameters<RequestLogger>[0]): void {
  const { method, url, status, statusText, duration, requestHeaders, responseHeaders, error } =
    entry;
  const outcome = error ? `failed: ${error.message}` : `${status} ${statusText}`;
  const lines = [
    `HTTP ${method} ${url} ${outcome} (${duration.toFixed(1)} ms)`,
    ...(requestHeaders ? [`  Request Headers: ${listOf(requestHeaders)}`] : []),
    ...(responseHeaders ? [`  Response Headers: ${listOf(responseHeaders)}`] : []),
  ];
  if (error || status >= 400) console.error(lines.join("\n"));
  else console.log(lines.join("\n"));
}

function listOf(headers: Headers): string {
  return [...headers].map(([name, value]) => `${name}: ${value}`).join(", ");
}
