import { onDemand } from "../../ground/index.js";
import { type HttpEndpoint, type HttpHandler, webHandler } from "./handler.js";
import type { HealthHandlerOptions } from "./option-types.js";
import type { Exchange } from "./requests/exchange.js";

const whenHealth = onDemand(() => import("./health-responder.js"));

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
  let respond: ((exchange: Exchange) => Promise<void>) | undefined;
  return webHandler({
    sessions: 0,
    handle: (exchange) =>
      whenHealth(({ healthResponder }) => {
        respond ??= healthResponder(endpoint, options);
        return respond(exchange);
      }),
    /** Does nothing: the endpoint answers as long as requests arrive. */
    close: async () => {},
  });
}
