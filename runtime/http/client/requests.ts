import { LONGEST_DELAY, pause } from "../../ground/index.js";
import { quote } from "../../wire/index.js";
import { HttpError, RedirectError } from "./errors.js";
import { type HeaderList, type HttpOptions, place } from "./options.js";
import { discard, readRefusal, readStart, retryAfter } from "./responses.js";

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** True if the server may receive the request twice, in which case it is sent again if it may not have arrived. */
  readonly isRepeatable?: boolean;
}

/**
 * Sends an HTTP request.
 *
 * @returns the response, whatever its status, unless it is a redirect
 */
export type SendRequest = (request: HttpRequest) => Promise<Response>;

const LONGEST_WAIT = 5000;

const MOST_RETRIES = 3;

/** The number of milliseconds before a request that may not have arrived is repeated. It doubles each time. */
const REPEAT_AFTER = 100;

/** The statuses a gateway sends if it received no response from the server. */
const UNKNOWN_ENDS: readonly number[] = [502, 504];

/**
 * Creates the function that sends a connection's requests. It adds headers, follows redirects, and handles
 * authorization and retries.
 */
export function requester(options: HttpOptions): SendRequest {
  const { authorize, maxRetryAfter = LONGEST_WAIT } = options;
  const follow = following(performing(options));
  const send = authorize ? authorizing(follow, authorize) : follow;
  return async (request) => {
    for (let tries = 0; ; tries += 1) {
      let delay = request.isRepeatable ? REPEAT_AFTER * 2 ** tries : undefined;
      try {
        const response = await send(request);
        if (!UNKNOWN_ENDS.includes(response.status)) delay = retryAfter(response, maxRetryAfter);
        if (delay === undefined || tries === MOST_RETRIES) return response;
        discard(response);
      } catch (error) {
        const isUnanswered = error instanceof HttpError && error.status === undefined;
        if (delay === undefined || !isUnanswered || tries === MOST_RETRIES) throw error;
      }
      await pause(delay, request.signal);
    }
  };
}

/**
 * Wraps a function so that a request refused with 401 or 403 is sent once more if the hook returns true. Concurrent
 * refusals share one call to the hook.
 */
function authorizing(
  send: SendRequest,
  authorize: NonNullable<HttpOptions["authorize"]>,
): SendRequest {
  let pending: Promise<boolean> | undefined;
  /** Counts the hook's successful calls. A request that was sent before the latest one carried outdated headers. */
  let renewals = 0;
  const renew = async (response: Response, request: HttpRequest): Promise<boolean> => {
    try {
      const isAuthorized = await authorize(response, request);
      if (isAuthorized) renewals += 1;
      return isAuthorized;
    } finally {
      pending = undefined;
    }
  };
  return async (request) => {
    const before = renewals;
    const response = await send(request);
    if (response.status !== 401 && response.status !== 403) return response;
    if (before === renewals && !(await (pending ??= renew(response, request)))) return response;
    discard(response);
    return send(request);
  };
}

const REDIRECTS: ReadonlySet<number> = /* @__PURE__ */ new Set([301, 302, 303, 307, 308]);

const KEEP_METHOD: ReadonlySet<number> = /* @__PURE__ */ new Set([307, 308]);

const MOST_REDIRECTS = 5;

function following(send: SendRequest): SendRequest {
  return async (request) => {
    const { method } = request;
    let { url } = request;
    for (let redirects = 0; ; redirects += 1) {
      const response = await send(url === request.url ? request : { ...request, url });
      const { status, type } = response;
      if (type !== "opaqueredirect" && !REDIRECTS.has(status)) return response;
      discard(response);
      if (redirects === MOST_REDIRECTS) {
        const text = `${method} ${place(request.url)} was redirected more than ${MOST_REDIRECTS} times`;
        throw new RedirectError(text, undefined, { status });
      }
      url = redirectTarget(response, method, url);
    }
  };
}

/** Returns the target of a redirect. It must have the same origin, because the request may carry credentials. */
function redirectTarget(response: Response, method: string, from: URL): URL {
  const { status } = response;
  const location = response.headers.get("location") ?? undefined;
  const refuse = (why: string): RedirectError =>
    new RedirectError(`${method} ${place(from)} was redirected ${why}`, location, { status });
  if (location === undefined)
    throw refuse("to a location that is not known here: use its final URL");
  let target: URL;
  try {
    target = new URL(location, from);
  } catch {
    throw refuse(`to ${quote(location)}, which is not a URL`);
  }
  if (target.origin !== from.origin || target.username !== "" || target.password !== "") {
    throw refuse(`to ${quote(location)}, another origin: if you trust it, use that URL`);
  }
  if (method !== "GET" && !KEEP_METHOD.has(status)) {
    throw refuse(`with status ${status}, which would turn it into a GET: use ${quote(location)}`);
  }
  return target;
}

function performing({ headers: source, fetch: perform }: HttpOptions): SendRequest {
  return async ({ method, url, headers, body, signal }) => {
    const all = headersOf(typeof source === "function" ? await source() : source);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    const init = { method, headers: all, redirect: "manual", signal } as const;
    try {
      return await (perform ?? fetch)(url, body === undefined ? init : { ...init, body });
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof HttpError) throw cause;
      throw new HttpError(`${method} ${place(url)} got no response: ${reasonOf(cause)}`, { cause });
    }
  };
}

/**
 * Converts the headers from the options. Unlike the platform's own error, this one does not quote the value, which may
 * be a secret.
 */
function headersOf(list: HeaderList | undefined): Headers {
  try {
    return new Headers(list as Record<string, string> | undefined);
  } catch {
    const text = `Option "headers" has a name or a value that HTTP cannot carry, such as one with a line break`;
    throw new TypeError(text);
  }
}

/** Returns the cause's message, because the error from `fetch` only says that it failed. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== "" ? cause.message : String(message);
}

/** The time, in milliseconds, within which a server must accept a message that needs no response. */
export const ACCEPT_TIME = 30_000;

/**
 * Limits how many response bodies of accepted messages are read concurrently. They are read so that their connections
 * can be reused.
 */
const MOST_READ = 8;
/** The maximum number of characters to read from such a body. */
const WORTH_READING = 16_384;

/** A connection's POSTs that the server answers only with 202. Closing the connection aborts them. */
export interface AcceptedPosts {
  /** Runs work with a signal that aborts after the given time, or when the connection closes. */
  within<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  send(send: SendRequest, url: URL, request: Pick<HttpRequest, "headers" | "body">): Promise<void>;
  /** Releases a response. A short body is read to the end so that its connection can be reused. */
  discard(response: Response): void;
  close(): void;
}

export function acceptedPosts(): AcceptedPosts {
  const controllers = new Set<AbortController>();
  const closing = new AbortController();
  let reading = 0;
  const posts: AcceptedPosts = {
    async within(milliseconds, work) {
      const controller = new AbortController();
      controllers.add(controller);
      const late = (): void => {
        controller.abort(new HttpError(`The server did not accept it within ${milliseconds} ms`));
      };
      const timer = milliseconds > LONGEST_DELAY ? undefined : setTimeout(late, milliseconds);
      try {
        return await work(controller.signal);
      } finally {
        clearTimeout(timer);
        controllers.delete(controller);
      }
    },
    send: (send, url, request) =>
      posts.within(ACCEPT_TIME, async (signal) => {
        const response = await send({ method: "POST", url, ...request, signal });
        if (!response.ok) throw (await readRefusal(response, "POST", url)).error;
        posts.discard(response);
      }),
    discard(response) {
      const { body, bodyUsed } = response;
      if (body === null || bodyUsed) return;
      const { signal } = closing;
      if (reading >= MOST_READ || signal.aborted) {
        body.cancel().catch(() => {});
        return;
      }
      reading += 1;
      void readStart(response, WORTH_READING, signal).finally(() => {
        reading -= 1;
      });
    },
    close() {
      for (const controller of controllers) controller.abort();
      closing.abort();
    },
  };
  return posts;
}
