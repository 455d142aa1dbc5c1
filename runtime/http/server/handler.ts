import { onDemand } from "../../ground/index.js";
import {
  type HandlerCounts,
  type HandlerHealth,
  type HandlerState,
  NO_COUNTS,
} from "./handler-state.js";
import type { Exchange } from "./requests/exchange.js";
import type { HttpRequestContext } from "./requests/web-exchange.js";

/** An endpoint that answers HTTP requests, whether they come from `node:http` or a web API. */
export interface HttpEndpoint {
  /**
   * Answers the request. Never rejects; the promise resolves when the request has been dispatched or refused, which
   * may be before it is answered.
   */
  handle(exchange: Exchange): void | Promise<void>;
  /** The paths of the public documents that the endpoint serves. Mounts and routers add them. */
  readonly wellKnownPaths?: readonly string[] | undefined;
  /** The number of open sessions. */
  readonly sessions: number;
  /** The handler's phase. Default: `open`. */
  readonly state?: HandlerState | undefined;
  /** The current load. Default: all zero. */
  readonly counts?: HandlerCounts | undefined;
  /**
   * Checks whether the stores answer. Never rejects. Default: open and ready.
   *
   * @param timeout - the time that the stores may take, in milliseconds. Default: 1000
   */
  health?(timeout?: number): Promise<HandlerHealth>;
  /**
   * Sets {@link state} to `leaving` and serves as before, so that load balancers stop sending requests before `close()`
   * refuses them.
   */
  leave?(): void;
  /**
   * Refuses new requests, waits for those in progress, and then ends all sessions and streams.
   *
   * @param drain - the maximum time to wait, in milliseconds. Default: 2000
   */
  close(drain?: number): Promise<void>;
}

/** A web-standard `fetch` handler for Workers, Deno, Bun and Hono: `export default { fetch: handler }`. */
export interface HttpHandler extends HttpEndpoint {
  /** The handler itself, by the name that these platforms require. */
  readonly fetch: HttpHandler;
  readonly wellKnownPaths: readonly string[];
  readonly state: HandlerState;
  readonly counts: HandlerCounts;
  health(timeout?: number): Promise<HandlerHealth>;
  leave(): void;
  /** Platforms such as Workers pass further arguments, and pass their environment as the second one. */
  (
    request: Request,
    context?: HttpRequestContext,
    ...ofPlatform: readonly unknown[]
  ): Promise<Response>;
}

const whenWeb = onDemand(() => import("./requests/web-exchange.js"));

const READY: HandlerHealth = { state: "open", isReady: true, away: {} };

export function webHandler(endpoint: HttpEndpoint): HttpHandler {
  const handler = (
    request: Request,
    given?: HttpRequestContext,
    ...ofPlatform: readonly unknown[]
  ): Promise<Response> => {
    const context = ofPlatform.length > 0 ? undefined : given;
    if (!isWebRequest(request)) return refuseForeign(given);
    return whenWeb(({ WebExchange }) => {
      const exchange = new WebExchange(request, context);
      void endpoint.handle(exchange);
      return exchange.response;
    });
  };
  return Object.defineProperties(handler, {
    fetch: { get: () => handler },
    handle: { value: endpoint.handle.bind(endpoint) },
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
 * True if the value is a web `Request`. It is judged by its members, because the platform's implementation is not the
 * only one.
 */
function isWebRequest(request: unknown): boolean {
  const { url, headers } = (request ?? {}) as { url?: unknown; headers?: { get?: unknown } };
  return typeof url === "string" && typeof headers?.get === "function";
}

/**
 * Rejects a call from a framework that passes something other than a web `Request`. Also ends the framework's response,
 * which would otherwise stay open.
 */
function refuseForeign(context: unknown): Promise<never> {
  const response = context as
    { writeHead?: unknown; end?(): void; statusCode?: number } | undefined;
  if (typeof response?.writeHead === "function") {
    response.statusCode = 500;
    response.end?.();
  }
  return Promise.reject(
    new TypeError(
      "This handler needs a web Request: wrap it with expressRoute(), honoRoute() or toNodeListener()",
    ),
  );
}
