import type { Auth } from "../origin.js";
import type { Exchange } from "./exchange.js";
import { WebExchange } from "./web-exchange.js";

/** What whoever calls a handler may know already. */
export interface RequestContext {
  /** Who sent the request, when that was made sure of before. */
  readonly auth?: Auth | undefined;
  /** The body, when it was parsed before. */
  readonly body?: unknown;
}

/** Something that answers HTTP requests, in either of the forms that they come in. */
export interface HttpEndpoint {
  /** Answers the request; the promise resolves when there is nothing more to decide, and never rejects. */
  handle(exchange: Exchange): void | Promise<void>;
  /** Sessions that are open. */
  readonly sessions: number;
  /**
   * Refuses new requests, waits for those under way, then ends all sessions and streams.
   *
   * @param drain - milliseconds to wait at most. Default: 2000
   */
  close(drain?: number): Promise<void>;
}

/** The web-standard form: what `fetch` handlers of Workers, Deno, Bun and Hono are. */
export interface HttpHandler extends HttpEndpoint {
  (request: Request, context?: RequestContext): Promise<Response>;
}

/** Makes an endpoint callable with a `Request`. */
export function webHandler(endpoint: HttpEndpoint): HttpHandler {
  const handler = (request: Request, context?: RequestContext): Promise<Response> => {
    const exchange = new WebExchange(request, context);
    void endpoint.handle(exchange);
    return exchange.response;
  };
  return Object.defineProperties(handler, {
    handle: { value: (exchange: Exchange) => endpoint.handle(exchange) },
    close: { value: (drain?: number) => endpoint.close(drain) },
    sessions: { get: () => endpoint.sessions },
  }) as unknown as HttpHandler;
}
