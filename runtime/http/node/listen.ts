import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { LONGEST_DELAY } from "../../ground/index.js";
import { assertIsPath } from "../server/assert-is-path.js";
import { createHealthHandler } from "../server/create-health-handler.js";
import type { HttpEndpoint, HttpHandler } from "../server/handler.js";
import { createRouter } from "../server/router.js";
import { closeIfLeaving } from "./close-if-leaving.js";
import { NodeExchange } from "./node-exchange.js";
import { toNodeListener } from "./to-node-listener.js";

export interface ListenOptions {
  /** Default: 0, which takes one that is free. */
  readonly port?: number | undefined;
  /** Address to listen on. Default: `127.0.0.1`, for this machine only. */
  readonly host?: string | undefined;
  /** Path of the handler, when there is only one. Default: `/mcp`. */
  readonly path?: string | undefined;
  /** Milliseconds that a client has to send the header of a request. Default: 10 000. */
  readonly headersTimeout?: number | undefined;
  /** Milliseconds that a client has to send all of a request. Default: 30 000. */
  readonly requestTimeout?: number | undefined;
  /** Milliseconds that an unused connection stays open. Default: 5000. */
  readonly keepAliveTimeout?: number | undefined;
  /**
   * Milliseconds after which a connection ends that has carried nothing in either direction. Open streams carry signs
   * of life. Default: 300 000.
   */
  readonly idleTimeout?: number | undefined;
  /** Connections at once. Default: no limit of its own. */
  readonly maxConnections?: number | undefined;
  /**
   * Path at which balancers ask whether requests should come here, such as `/health`: see `createHealthHandler`. Default:
   * none.
   */
  readonly health?: string | undefined;
  /**
   * Milliseconds that `close()` goes on as before, but for answering 503 at the path of `health`, and ending each
   * connection with the next response: the time that a balancer needs to see it, two of its checks or more. Default: 0.
   */
  readonly drainDelay?: number | undefined;
}

export interface Listening {
  /** URL of the first path: `http://127.0.0.1:3000/mcp`. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /**
   * Waits for `drainDelay`, unless it leaves already, stops accepting, waits for requests under way, ends sessions and
   * streams, then all connections. A second call ends the delay. Resolves when the port is free.
   *
   * @param drain - milliseconds to wait at most for requests under way. Default: 2000
   */
  close(drain?: number): Promise<void>;
}

/**
 * Serves a handler, or several by their paths, on a `node:http` server of its own. Signals such as SIGTERM are left to
 * the program: it calls `close()` when it gets one.
 *
 * @example
 * ```ts
 * const listening = await listen(createHttpHandler(server), { port: 3000 });
 * console.error(`Listening at ${listening.url}`);
 * process.once("SIGTERM", () => void listening.close());
 * ```
 *
 * @throws TypeError for what is no handler and no path; an error of Node's when the port cannot be had
 */
export async function listen(
  handlers: HttpEndpoint | Readonly<Record<string, HttpEndpoint>>,
  options: ListenOptions = {},
): Promise<Listening> {
  const { port = 0, host = "127.0.0.1", path = "/mcp" } = options;
  const { health, drainDelay = 0 } = options;
  const routes = isEndpoint(handlers) ? { [path]: handlers } : handlers;
  assertIsPath(path, "path");
  if (!(drainDelay >= 0)) throw new TypeError("drainDelay: a number of milliseconds, 0 or more");
  if (!isRoutes(routes)) {
    throw new TypeError("listen() takes a handler, or handlers by path: createHttpHandler(server)");
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
    closeIfLeaving(all, response);
    void all.handle(new NodeExchange(request, response, undefined, undefined, true));
  });
  server.timeout = options.idleTimeout ?? 300_000;
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const delay = new Delay(Math.min(drainDelay, LONGEST_DELAY));
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${address.port}${Object.keys(routes)[0] ?? "/"}`,
    port: address.port,
    server,
    close: (drain) => close(server, all, delay, drain),
  };
}

function withHealth(
  router: HttpHandler,
  routes: Readonly<Record<string, HttpEndpoint>>,
  path: string,
): HttpHandler {
  if (path in routes) throw new TypeError(`health: there is a handler at ${path} already`);
  return createRouter({ ...routes, [path]: createHealthHandler(router) });
}

async function close(
  server: Server,
  endpoint: HttpHandler,
  delay: Delay,
  drain?: number,
): Promise<void> {
  const isFirst = endpoint.state === "open";
  endpoint.leave();
  if (!isFirst) delay.end();
  else if (delay.milliseconds > 0) await delay.wait();
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

/** Time to wait that can end early; a process with nothing else to do ends meanwhile. */
class Delay {
  readonly milliseconds: number;
  #end = (): void => {};

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds;
  }

  wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.milliseconds).unref();
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  end(): void {
    this.#end();
  }
}

function isEndpoint(
  handlers: HttpEndpoint | Readonly<Record<string, HttpEndpoint>>,
): handlers is HttpEndpoint {
  return typeof (handlers as Partial<HttpEndpoint> | undefined)?.handle === "function";
}

/** A server in the place of its handler has no paths. */
function isRoutes(given: object): boolean {
  const paths = Object.keys(given);
  return typeof given === "object" && !("fork" in given) && paths.length > 0;
}
