import { quote } from "../../wire/index.js";
import { type HttpEndpoint, type HttpHandler, webHandler } from "./handler.js";
import { healthOf, latestState, sumOf } from "./handler-state.js";
import { PROBLEMS } from "./requests/problem.js";

/**
 * Serves several handlers by exact path, for example to old and new clients:
 * `createRouter({ "/mcp": http, "/sse": sse, "/messages": sse })`.
 *
 * @throws TypeError if a path is invalid
 */
export function createRouter(given: Readonly<Record<string, HttpEndpoint>>): HttpHandler {
  for (const [path, endpoint] of Object.entries(given)) {
    assertIsPath(path, "routes");
    if (typeof endpoint?.handle === "function") continue;
    throw new TypeError(
      `routes: the value at ${path} must be a handler: use createHttpHandler(server)`,
    );
  }
  const wellKnown = Object.values(given).flatMap((endpoint) =>
    (endpoint.wellKnownPaths ?? []).map((path) => [path, endpoint] as const),
  );
  const routes = new Map([...wellKnown, ...Object.entries(given)]);
  const endpoints = [...new Set(routes.values())];
  const place = routes.has("/mcp") ? "; MCP is served at /mcp" : "";
  const notFound = { ...PROBLEMS.notFound, message: PROBLEMS.notFound.message + place };
  return webHandler({
    get sessions() {
      return endpoints.reduce((sum, { sessions }) => sum + sessions, 0);
    },
    get state() {
      return latestState(endpoints.map(({ state }) => state ?? "open"));
    },
    get counts() {
      return sumOf(endpoints.flatMap(({ counts }) => counts ?? []));
    },
    async health(timeout) {
      const parts = await Promise.all(endpoints.map((one) => one.health?.(timeout)));
      return healthOf(parts.filter((part) => part !== undefined));
    },
    leave() {
      for (const endpoint of endpoints) endpoint.leave?.();
    },
    handle(exchange) {
      const endpoint = routes.get(exchange.head.path);
      return endpoint ? endpoint.handle(exchange) : exchange.refuse(notFound);
    },
    async close(drain) {
      await Promise.all(endpoints.map((endpoint) => endpoint.close(drain)));
    },
  });
}

export function assertIsPath(path: string, option: string): void {
  if (/^\/[\x21-\x7e]*$/.test(path) && !/[?#]/.test(path)) return;
  throw new TypeError(`${option}: ${quote(path)} is not a path such as "/mcp"`);
}
