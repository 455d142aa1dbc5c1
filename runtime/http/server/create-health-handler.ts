import { failedChecks, type HandlerState, type HealthChecks, healthOf } from "./handler-health.js";
import type { Exchange } from "./exchange.js";
import { type HttpEndpoint, type HttpHandler, webHandler } from "./handler.js";
import { JSON_FIELDS, problem, refuse } from "./problem.js";
import { reporter } from "./reporter.js";

export interface HealthHandlerOptions {
  /**
   * More that has to answer, such as a database, by name: functions that throw or reject when it does not. Default: none.
   */
  readonly checks?: HealthChecks | undefined;
  /**
   * False to answer 200 also while stores are away that shared sessions depend on: requests that need none are served
   * then, and others get 503 from here. Default: true.
   */
  readonly stores?: boolean | undefined;
  /** Milliseconds in which everything has to answer. Default: 1000. */
  readonly timeout?: number | undefined;
  /** Milliseconds for which what the stores answered is taken to be true, so that nobody floods them. Default: 1000. */
  readonly maxAge?: number | undefined;
  /** Called once with each thing that stops answering. Default: one line on `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

const DEFAULTS = { timeout: 1000, maxAge: 1000 };

const WRONG_METHOD = problem(405, "Only GET and HEAD are served here", { Allow: "GET, HEAD" });

/**
 * Creates a handler that tells balancers whether requests should come here: 200 while the given handler is open and its
 * stores answer, else 503. With the query `live` the answer is 200 for as long as the process answers at all. Everybody
 * may ask; the answer says nothing but that. It goes where other handlers go: into a router, a mount, `listen`.
 *
 * @example
 * ```ts
 * const handler = createHttpHandler(server);
 * await listen({ "/mcp": handler, "/health": createHealthHandler(handler) }, { port: 3000 });
 * ```
 *
 * @param endpoint - handler that the answer is about; for several: `createRouter(…)`
 * @throws TypeError for values that make no sense
 */
export function createHealthHandler(
  endpoint: HttpEndpoint,
  options: HealthHandlerOptions = {},
): HttpHandler {
  if (typeof endpoint?.handle !== "function") {
    throw new TypeError("createHealthHandler() takes a handler: createHttpHandler(server)");
  }
  for (const name of ["timeout", "maxAge"] as const) {
    const value = options[name];
    if (value !== undefined && !(value >= 0)) throw new TypeError(`${name} is a number, 0 or more`);
  }
  for (const [name, check] of Object.entries(options.checks ?? {})) {
    if (typeof check !== "function") throw new TypeError(`checks: ${name} is no function`);
  }
  return webHandler(new HealthEndpoint(endpoint, options));
}

class HealthEndpoint implements HttpEndpoint {
  readonly sessions = 0;
  readonly #subject: HttpEndpoint;
  readonly #checks: HealthChecks;
  readonly #asksStores: boolean;
  readonly #timeout: number;
  readonly #maxAge: number;
  readonly #report: (error: Error) => void;
  /** Outcome of the last look at the stores, and the time at which it began. */
  #look: { readonly isReady: Promise<boolean>; readonly since: number } | undefined;
  /** Names of what was away at the last look. */
  #away: ReadonlySet<string> = new Set();

  constructor(subject: HttpEndpoint, options: HealthHandlerOptions) {
    this.#subject = subject;
    this.#checks = options.checks ?? {};
    this.#asksStores = options.stores ?? true;
    this.#timeout = options.timeout ?? DEFAULTS.timeout;
    this.#maxAge = options.maxAge ?? DEFAULTS.maxAge;
    this.#report = reporter(options.onerror);
  }

  async handle(exchange: Exchange): Promise<void> {
    const { method, query } = exchange;
    if (method !== "GET" && method !== "HEAD") return refuse(exchange, WRONG_METHOD);
    const isLive = new URLSearchParams(query).has("live");
    const isReady = this.#state === "open" && (isLive || (await this.#areStoresThere()));
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

  /** Does nothing: it answers for as long as something listens. */
  async close(): Promise<void> {}

  get #state(): HandlerState {
    return this.#subject.state ?? "open";
  }

  #areStoresThere(): Promise<boolean> {
    const now = performance.now();
    if (this.#look === undefined || now - this.#look.since >= this.#maxAge) {
      this.#look = { isReady: this.#ask(), since: now };
    }
    return this.#look.isReady;
  }

  async #ask(): Promise<boolean> {
    const timeout = this.#timeout;
    const [own, more] = await Promise.all([
      this.#asksStores ? this.#subject.health?.(timeout) : undefined,
      failedChecks(this.#checks, timeout),
    ]);
    const { away } = healthOf([
      ...(own ? [own] : []),
      { state: "open", isReady: true, away: more },
    ]);
    for (const [name, cause] of Object.entries(away)) {
      if (this.#away.has(name)) continue;
      this.#report(new Error(`Not ready: ${name} does not answer: ${cause.message}`, { cause }));
    }
    this.#away = new Set(Object.keys(away));
    return this.#away.size === 0;
  }
}
