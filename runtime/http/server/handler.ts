import type { Auth } from "../../wire/index.js";
import type { Identify } from "./authentication.js";
import type { Exchange } from "./exchange.js";
import { type HandlerCounts, NO_COUNTS } from "./handler-counts.js";
import type { HandlerHealth, HandlerState } from "./handler-health.js";
import { WebExchange } from "./web-exchange.js";

/** Request context from the host framework. */
export interface RequestContext {
  /** Sender of the request when it is already known, or a function that identifies it. */
  readonly auth?: Auth | Identify | undefined;
  /** Network address of the sender. Sessions without a principal are shared out fairly among addresses. */
  readonly address?: string | undefined;
  /** The body, when it was parsed before. */
  readonly body?: unknown;
  /** So that Node's requests do not pass for this: Express would take the handler for one of errors. */
  readonly headers?: never;
}

/** Something that answers HTTP requests, in either of the forms that they come in. */
export interface HttpEndpoint {
  /** Answers the request; the promise resolves when there is nothing more to decide, and never rejects. */
  handle(exchange: Exchange): void | Promise<void>;
  /** Paths of public documents that are served beside it; mounts and routers add them. */
  readonly wellKnownPaths?: readonly string[] | undefined;
  /** Sessions that are open. */
  readonly sessions: number;
  /** Phase of its life. Default: `open`. */
  readonly state?: HandlerState | undefined;
  /** Occupancy at this moment. Default: nothing. */
  readonly counts?: HandlerCounts | undefined;
  /**
   * Asks the stores whether they answer; never rejects. Default: open and ready.
   *
   * @param timeout - milliseconds that they have. Default: 1000
   */
  health?(timeout?: number): Promise<HandlerHealth>;
  /**
   * Serves as before while {@link state} says `leaving`, so that balancers stop sending requests before `close()`
   * refuses them.
   */
  leave?(): void;
  /**
   * Refuses new requests, waits for those under way, then ends all sessions and streams.
   *
   * @param drain - milliseconds to wait at most. Default: 2000
   */
  close(drain?: number): Promise<void>;
}

/** The web-standard form: what `fetch` handlers of Workers, Deno, Bun and Hono are, also as `export default handler`. */
export interface HttpHandler extends HttpEndpoint {
  /** The handler itself, by the name that these platforms look for. */
  readonly fetch: HttpHandler;
  readonly wellKnownPaths: readonly string[];
  readonly state: HandlerState;
  readonly counts: HandlerCounts;
  health(timeout?: number): Promise<HandlerHealth>;
  leave(): void;
  /** More arguments than these come from a platform such as Workers, which passes its environment as the second. */
  (
    request: Request,
    context?: RequestContext,
    ...ofPlatform: readonly unknown[]
  ): Promise<Response>;
}

const READY: HandlerHealth = { state: "open", isReady: true, away: {} };

/** Makes an endpoint callable with a `Request`. */
export function webHandler(endpoint: HttpEndpoint): HttpHandler {
  const handler = (
    request: Request,
    given?: RequestContext,
    ...ofPlatform: readonly unknown[]
  ): Promise<Response> => {
    const context = ofPlatform.length > 0 ? undefined : given;
    if (!isWebRequest(request)) return refuseForeign(given);
    const exchange = new WebExchange(request, context);
    void endpoint.handle(exchange);
    return exchange.response;
  };
  return Object.defineProperties(handler, {
    fetch: { get: () => handler },
    handle: { value: (exchange: Exchange) => endpoint.handle(exchange) },
    close: { value: (drain?: number) => endpoint.close(drain) },
    sessions: { get: () => endpoint.sessions },
    state: { get: () => endpoint.state ?? "open" },
    counts: { get: () => endpoint.counts ?? NO_COUNTS },
    health: { value: (timeout?: number) => endpoint.health?.(timeout) ?? Promise.resolve(READY) },
    leave: { value: () => endpoint.leave?.() },
    wellKnownPaths: { value: endpoint.wellKnownPaths ?? [] },
  }) as unknown as HttpHandler;
}

/**
 * True for a web `Request`, judged by its members: there are implementations besides the platform's.
 */
function isWebRequest(request: unknown): boolean {
  const { url, headers } = (request ?? {}) as { url?: unknown; headers?: { get?: unknown } };
  return typeof url === "string" && typeof headers?.get === "function";
}

/** Somebody has mounted the handler as it is; whoever waits for Node's response would wait for ever. */
function refuseForeign(context: unknown): Promise<never> {
  const response = context as
    { writeHead?: unknown; end?(): void; statusCode?: number } | undefined;
  if (typeof response?.writeHead === "function") {
    response.statusCode = 500;
    response.end?.();
  }
  return Promise.reject(
    new TypeError(
      "This handler takes a web Request: wrap it with expressRoute(), honoRoute() or toNodeListener()",
    ),
  );
}
