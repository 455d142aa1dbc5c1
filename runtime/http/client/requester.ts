import { Authorizer } from "./authorizer.js";
import { HttpError, RedirectError } from "./errors.js";
import type { HeaderList, HttpOptions } from "./options.js";
import { discard } from "./read-text.js";
import { isRedirect, MOST_REDIRECTS, redirectTarget } from "./redirect.js";
import { retryAfter } from "./retry-after.js";
import { place } from "./settings.js";
import { wait } from "./wait.js";

/** Longest wait that a server can ask for with `Retry-After`, by default, in milliseconds. */
const LONGEST_WAIT = 5000;

/** Times that a request is sent again. */
const MOST_RETRIES = 3;

/** Milliseconds before something is sent again that may not have arrived; twice as many each time. */
const REPEAT_AFTER = 100;

/** Statuses with which something in between says that it got no answer. */
const UNKNOWN_ENDS: readonly number[] = [502, 504];

export interface HttpRequest {
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** True for what may arrive twice: it is sent again when there is no telling whether it has arrived. */
  readonly isRepeatable?: boolean;
}

/**
 * Does HTTP requests the way this transport wants them: own headers, careful redirects, one more try after a 401, and a
 * few where the server says when.
 */
export class Requester {
  readonly #options: HttpOptions;
  readonly #authorizer: Authorizer | undefined;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.#authorizer = options.authorize && new Authorizer(options.authorize);
  }

  /**
   * @returns the response, whatever its status, unless it is a redirect
   * @throws RedirectError when that cannot be followed, HttpError when there is no response or no authorization, the signal's reason
   *   when that aborts
   */
  async send(request: HttpRequest): Promise<Response> {
    const { maxRetryAfter = LONGEST_WAIT } = this.#options;
    for (let tries = 0; ; tries += 1) {
      const response = await this.#arrived(request);
      const delay = retryAfter(response);
      if (delay === undefined || delay > maxRetryAfter || tries === MOST_RETRIES) return response;
      discard(response);
      await wait(delay, request.signal);
    }
  }

  /** Sends what may arrive twice until there is an answer to it. */
  async #arrived(request: HttpRequest): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      const isLast = request.isRepeatable !== true || tries === MOST_RETRIES;
      try {
        const response = await this.#authorized(request);
        if (isLast || !UNKNOWN_ENDS.includes(response.status)) return response;
        discard(response);
      } catch (error) {
        const isUnanswered = error instanceof HttpError && error.status === undefined;
        if (isLast || !isUnanswered) throw error;
      }
      await wait(REPEAT_AFTER * 2 ** tries, request.signal);
    }
  }

  async #authorized(request: HttpRequest): Promise<Response> {
    const authorizer = this.#authorizer;
    if (authorizer === undefined) return this.#follow(request);
    const { round } = authorizer;
    const response = await this.#follow(request);
    if (response.status !== 401 && response.status !== 403) return response;
    if (!(await authorizer.renew(response, request, round))) return response;
    discard(response);
    return this.#follow(request);
  }

  async #follow(request: HttpRequest): Promise<Response> {
    const { method } = request;
    let { url } = request;
    for (let redirects = 0; ; redirects += 1) {
      const response = await this.#fetch(request, url);
      if (!isRedirect(response)) return response;
      discard(response);
      if (redirects === MOST_REDIRECTS) {
        const text = `${method} ${place(request.url)} was redirected more than ${MOST_REDIRECTS} times`;
        throw new RedirectError(text, undefined, { status: response.status });
      }
      url = redirectTarget(response, method, url);
    }
  }

  async #fetch({ method, headers, body, signal }: HttpRequest, url: URL): Promise<Response> {
    const { headers: given, fetch: doFetch = fetch } = this.#options;
    const list = typeof given === "function" ? await given() : given;
    const all = headersOf(list);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    const init = { method, headers: all, redirect: "manual", signal } as const;
    try {
      return await doFetch(url, body === undefined ? init : { ...init, body });
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof HttpError) throw cause;
      throw new HttpError(`${method} ${place(url)} got no response: ${reasonOf(cause)}`, { cause });
    }
  }
}

/** @throws TypeError that leaves out what was given: the platform's own quotes it, and it may be a secret */
function headersOf(list: HeaderList | undefined): Headers {
  try {
    return new Headers(list as Record<string, string> | undefined);
  } catch {
    const text = `Option "headers" has a name or a value that HTTP cannot carry, such as one with a line break`;
    throw new TypeError(text);
  }
}

/** `fetch` says that it failed; why is in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== "" ? cause.message : String(message);
}
