import { type HttpEndpoint, type HttpHandler, webHandler } from "./handler.js";
import {
  failedChecks,
  type HandlerState,
  type HealthChecks,
  healthOf,
  reporter,
} from "./handler-state.js";
import { type Exchange, JSON_FIELDS } from "./requests/exchange.js";
import { problem } from "./requests/problem.js";

export interface HealthHandlerOptions {
  /**
   * Further dependencies, such as a database, by name: functions that throw or reject if it is not available. Default:
   * none.
   */
  readonly checks?: HealthChecks | undefined;
  /**
   * False to answer 200 even if the stores of shared sessions do not answer: the handler then serves requests that need
   * none, and answers others with 503. Default: true.
   */
  readonly stores?: boolean | undefined;
  /** Milliseconds that all checks may take. Default: 1000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for which the result of a check is cached, so that requests cannot flood the stores. Default: 1000. */
  readonly maxAge?: number | undefined;
  /** Called once if a dependency stops answering. Default: one line on `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

const DEFAULTS = { timeout: 1000, maxAge: 1000 };

const WRONG_METHOD = /* @__PURE__ */ problem(405, "Only GET and HEAD are served here", {
  Allow: "GET, HEAD",
});

/**
 * Creates a handler for the health checks of load balancers: 200 while the given handler is open and its stores answer,
 * else 503. With the query `live` the response is 200 for as long as the process answers at all. Any client may send the
 * request; the response contains nothing else. Like other handlers, it can be passed to a router, a mount, or `listen`.
 *
 * @example
 * ```ts
 * const handler = createHttpHandler(server);
 * await listen({ "/mcp": handler, "/health": createHealthHandler(handler) }, { port: 3000 });
 * ```
 *
 * @param endpoint - handler whose health is reported; for several: `createRouter(…)`
 * @throws TypeError if a value is invalid
 */
export function createHealthHandler(
  endpoint: HttpEndpoint,
  options: HealthHandlerOptions = {},
): HttpHandler {
  if (typeof endpoint?.handle !== "function") {
    throw new TypeError("createHealthHandler() needs a handler: createHttpHandler(server)");
  }
  for (const name of ["timeout", "maxAge"] as const) {
    const value = options[name];
    if (value !== undefined && !(value >= 0))
      throw new TypeError(`${name} must be a number, 0 or more`);
  }
  for (const [name, check] of Object.entries(options.checks ?? {})) {
    if (typeof check !== "function") throw new TypeError(`checks: ${name} must be a function`);
  }
  return webHandler(new HealthEndpoint(endpoint, options));
}

/** Endpoint of health checks. */
class HealthEndpoint implements HttpEndpoint {
  readonly sessions = 0;
  readonly #subject: HttpEndpoint;
  readonly #checks: HealthChecks;
  readonly #checksStores: boolean;
  readonly #timeout: number;
  readonly #maxAge: number;
  readonly #report: (error: Error) => void;
  /** Result of the last check, and the time at which it began. */
  #last: { readonly isReady: Promise<boolean>; readonly since: number } | undefined;
  /** Names of the dependencies that did not answer the last check. */
  #away: ReadonlySet<string> = new Set();

  constructor(subject: HttpEndpoint, options: HealthHandlerOptions) {
    this.#subject = subject;
    this.#checks = options.checks ?? {};
    this.#checksStores = options.stores ?? true;
    this.#timeout = options.timeout ?? DEFAULTS.timeout;
    this.#maxAge = options.maxAge ?? DEFAULTS.maxAge;
    this.#report = reporter(options.onerror);
  }

  async handle(exchange: Exchange): Promise<void> {
    const { method, query } = exchange.head;
    if (this.#state !== "open") exchange.endConnection();
    if (method !== "GET" && method !== "HEAD") return exchange.refuse(WRONG_METHOD);
    const isLive = new URLSearchParams(query).has("live");
    const isReady = this.#state === "open" && (isLive || (await this.#isReady()));
    const state = this.#state;
    const isGood = isLive || (isReady && state === "open");
    const text = JSON.stringify({ state, ready: isReady && state === "open" });
    const fields = {
      ...JSON_FIELDS,
      "Cache-Control": "no-store",
      ...(!isGood && { "Retry-After": "5" }),
      ...(method === "HEAD" && { "Content-Length": `${text.length}` }),
    };
    exchange.respond(isGood ? 200 : 503, fields, method === "HEAD" ? undefined : text);
  }

  /** Does nothing: the endpoint answers as long as requests arrive. */
  async close(): Promise<void> {}

  get #state(): HandlerState {
    return this.#subject.state ?? "open";
  }

  #isReady(): Promise<boolean> {
    const now = performance.now();
    if (this.#last === undefined || now - this.#last.since >= this.#maxAge) {
      this.#last = { isReady: this.#check(), since: now };
    }
    return this.#last.isReady;
  }

  async #check(): Promise<boolean> {
    const timeout = this.#timeout;
    const [own, more] = await Promise.all([
      this.#checksStores ? this.#subject.health?.(timeout) : undefined,
      failedChecks(this.#checks, timeout),
    ]);
    const { away } = healthOf([
      ...(own ? [own] : []),
      { state: "open", isReady: true, away: more },
    ]);
    for (const [name, cause] of Object.entries(away)) {
      if (this.#away.has(name)) continue;
      this.#report(new Error(`Not ready: the check ${name} failed: ${cause.message}`, { cause }));
    }
    this.#away = new Set(Object.keys(away));
    return this.#away.size === 0;
  }
}
