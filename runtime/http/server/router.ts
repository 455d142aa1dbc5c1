import { assertIsPath } from "./assert-is-path.js";
import type { Exchange } from "./exchange.js";
import { type HttpEndpoint, type HttpHandler, webHandler } from "./handler.js";
import { type HandlerCounts, sumOf } from "./handler-counts.js";
import { type HandlerHealth, type HandlerState, healthOf, latestState } from "./handler-health.js";
import { problem, refuse } from "./problem.js";

const NOT_FOUND = problem(404, "Nothing is served at this path");

class Router implements HttpEndpoint {
  readonly #routes: ReadonlyMap<string, HttpEndpoint>;

  constructor(routes: Readonly<Record<string, HttpEndpoint>>) {
    for (const [path, endpoint] of Object.entries(routes)) {
      assertIsPath(path, "routes");
      if (typeof endpoint?.handle === "function") continue;
      throw new TypeError(
        `routes: what is at ${path} is no handler: use createHttpHandler(server)`,
      );
    }
    const wellKnown = Object.values(routes).flatMap((endpoint) =>
      (endpoint.wellKnownPaths ?? []).map((path) => [path, endpoint] as const),
    );
    this.#routes = new Map([...wellKnown, ...Object.entries(routes)]);
  }

  get sessions(): number {
    return this.#endpoints.reduce((sum, { sessions }) => sum + sessions, 0);
  }

  get state(): HandlerState {
    return latestState(this.#endpoints.map(({ state }) => state ?? "open"));
  }

  get counts(): HandlerCounts {
    return sumOf(this.#endpoints.flatMap(({ counts }) => counts ?? []));
  }

  async health(timeout?: number): Promise<HandlerHealth> {
    const parts = await Promise.all(this.#endpoints.map((one) => one.health?.(timeout)));
    return healthOf(parts.filter((part) => part !== undefined));
  }

  leave(): void {
    for (const endpoint of this.#endpoints) endpoint.leave?.();
  }

  handle(exchange: Exchange): void | Promise<void> {
    const endpoint = this.#routes.get(exchange.path);
    return endpoint ? endpoint.handle(exchange) : refuse(exchange, NOT_FOUND);
  }

  async close(drain?: number): Promise<void> {
    await Promise.all(this.#endpoints.map((endpoint) => endpoint.close(drain)));
  }

  get #endpoints(): HttpEndpoint[] {
    return [...new Set(this.#routes.values())];
  }
}

/**
 * Serves several handlers by exact path, to old and new clients side by side:
 * `createRouter({ "/mcp": http, "/sse": sse, "/messages": sse })`.
 *
 * @throws TypeError for a path that no request could have
 */
export function createRouter(routes: Readonly<Record<string, HttpEndpoint>>): HttpHandler {
  return webHandler(new Router(routes));
}
