import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { assertKnownNames, assertTime } from "../../ground/index.js";
import { createHealthHandler } from "../server/create-health-handler.js";
import type { HttpEndpoint, HttpHandler } from "../server/handler.js";
import { newDrain } from "../server/limits.js";
import { assertIsPath, createRouter } from "../server/router.js";
import { NodeExchange, toNodeListener } from "./node-exchange.js";

export interface ListenOptions {
  /** The port to listen on. Default: 0, which chooses a free port. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: `127.0.0.1`, which accepts connections only from this machine. */
  readonly host?: string | undefined;
  /** The handler's path, if there is only one handler. Default: `/mcp`. */
  readonly path?: string | undefined;
  /** The time that a client has to send a request's header, in milliseconds. Default: 10,000. */
  readonly headersTimeout?: number | undefined;
  /** The time that a client has to send a whole request, in milliseconds. Default: 30,000. */
  readonly requestTimeout?: number | undefined;
  /** The time that an unused connection stays open, in milliseconds. Default: 5000. */
  readonly keepAliveTimeout?: number | undefined;
  /**
   * The time, in milliseconds, after which a connection ends if nothing is sent in either direction. The keep-alive
   * comments on open streams count. Default: 300,000.
   */
  readonly idleTimeout?: number | undefined;
  /** The maximum number of connections. Default: no separate limit. */
  readonly maxConnections?: number | undefined;
  /**
   * The path at which load balancers check whether to send requests here, such as `/health`. See `createHealthHandler`.
   * Default: none.
   */
  readonly health?: string | undefined;
  /**
   * The time, in milliseconds, for which `close()` keeps serving requests, while the `health` path answers with 503 and
   * each connection ends with its next response. Choose the time that a load balancer needs to notice: two of its
   * checks or more. Default: 0.
   */
  readonly drainDelay?: number | undefined;
}

export interface Listening {
  /** The URL of the first path, such as `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /**
   * Waits for `drainDelay`, unless the handlers are already leaving. It then stops accepting connections, waits for
   * requests in progress, and ends sessions, streams and connections, in that order. A second call cuts the delay
   * short. Resolves when the port is free.
   *
   * @param drain - the maximum time to wait for requests in progress, in milliseconds. Default: 2000
   */
  close(drain?: number): Promise<void>;
}

/**
 * The maximum number of connections that may wait to be accepted, if the system permits that many. With Node's default
 * of 511, connections are reset during a burst of a thousand calls.
 */
const MOST_WAITING = 4096;

const OPTIONS: readonly (keyof ListenOptions)[] = [
  "port",
  "host",
  "path",
  "headersTimeout",
  "requestTimeout",
  "keepAliveTimeout",
  "idleTimeout",
  "maxConnections",
  "health",
  "drainDelay",
];

/**
 * Serves a handler, or several by their paths, on a `node:http` server of its own. It handles no signals: the program
 * calls `close()` when it receives one, such as SIGTERM.
 *
 * @example
 * ```ts
 * const listening = await listen(createHttpHandler(server), { port: 3000 });
 * console.error(`Listening at ${listening.url}`);
 * process.once("SIGTERM", () => void listening.close());
 * ```
 *
 * @throws TypeError if a handler or path is invalid, or an option is unknown; Node's error, with its `code`, if the port
 *   is not available
 */
export async function listen(
  handlers: HttpEndpoint | Readonly<Record<string, HttpEndpoint>>,
  options: ListenOptions = {},
): Promise<Listening> {
  assertKnownNames(options, OPTIONS, "listen");
  const { port = 0, host = "127.0.0.1", path = "/mcp" } = options;
  const { health, drainDelay = 0 } = options;
  const routes = isEndpoint(handlers) ? { [path]: handlers } : handlers;
  assertIsPath(path, "path");
  assertTime("drainDelay", drainDelay);
  if (!isRoutes(routes)) {
    throw new TypeError("listen() needs a handler, or handlers by path: createHttpHandler(server)");
  }
  const router = createRouter(routes);
  const all = health === undefined ? router : withHealth(router, routes, health);
  const server = createServer(
    {
      headersTimeout: options.headersTimeout ?? 10_000,
      requestTimeout: options.requestTimeout ?? 30_000,
      keepAliveTimeout: options.keepAliveTimeout ?? 5000,
      connectionsCheckingInterval: 1000,
    },
    toNodeListener(all),
  );
  server.on("checkContinue", (request, response) => {
    void all.handle(new NodeExchange(request, response, { isHeldBack: true }));
  });
  server.timeout = options.idleTimeout ?? 300_000;
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE")
        error.message = `Port ${port} is in use at ${host}: choose another one`;
      reject(error);
    });
    server.listen({ port, host, backlog: MOST_WAITING }, resolve);
  });
  const address = server.address() as AddressInfo;
  const delay = newDrain();
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${address.port}${Object.keys(routes)[0] ?? "/"}`,
    port: address.port,
    server,
    async close(drain) {
      const isFirst = all.state === "open";
      all.leave();
      if (!isFirst) delay.finish();
      else if (drainDelay > 0) await delay.wait(drainDelay);
      await close(server, all, drain);
    },
  };
}

function withHealth(
  router: HttpHandler,
  routes: Readonly<Record<string, HttpEndpoint>>,
  path: string,
): HttpHandler {
  if (path in routes) throw new TypeError(`health: there is already a handler at ${path}`);
  return createRouter({ ...routes, [path]: createHealthHandler(router) });
}

async function close(server: Server, endpoint: HttpHandler, drain?: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  await endpoint.close(drain);
  server.closeIdleConnections();
  const cutOff = setTimeout(() => server.closeAllConnections(), 500);
  await closed;
  clearTimeout(cutOff);
}

function isEndpoint(
  handlers: HttpEndpoint | Readonly<Record<string, HttpEndpoint>>,
): handlers is HttpEndpoint {
  return typeof (handlers as Partial<HttpEndpoint> | undefined)?.handle === "function";
}

/**
 * True if the argument maps paths to handlers. A server that is passed by mistake instead of its handler has `fork`.
 */
function isRoutes(given: object): boolean {
  const paths = Object.keys(given);
  return typeof given === "object" && !("fork" in given) && paths.length > 0;
}
