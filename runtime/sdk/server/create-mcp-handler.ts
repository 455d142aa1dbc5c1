import { createHttpHandler, revisions } from "@mcp-codegen/universal";
import type { HttpHandler, HttpHandlerOptions } from "@mcp-codegen/runtime/http/server";
import { type AuthInfo, authOf, type ProtocolEra } from "../shared/index.js";
import {
  InMemoryServerEventBus,
  notifierOf,
  relay,
  type ServerEventBus,
  type ServerNotifier,
} from "./event-bus.js";
import type { McpServer } from "./mcp-server.js";
import { sdkRefusal } from "./hosting/refusals.js";
import { eraOf } from "./request-era.js";
import { outlineOf } from "./request-server.js";
import type { Server } from "./server.js";

/** The request for which a server is created. */
export interface McpRequestContext {
  era: ProtocolEra;
  authInfo?: AuthInfo | undefined;
  requestInfo?: Request | undefined;
}

/** A function that creates the server for one request. */
export type McpServerFactory = (
  ctx: McpRequestContext,
) => McpServer | Server | Promise<McpServer | Server>;

/** Information about a request, supplied by the host. */
export interface McpHandlerRequestOptions {
  authInfo?: AuthInfo | undefined;
  /** The body, if it has already been parsed. */
  parsedBody?: unknown;
}

/** The options of `createMcpHandler`: those of the official SDK, plus the runtime's request guards. */
export interface CreateMcpHandlerOptions {
  /**
   * `reject` serves only stateless requests. Default: `stateless`, which also serves clients of earlier revisions,
   * without sessions.
   */
  legacy?: "stateless" | "reject" | undefined;
  onerror?: ((error: Error) => void) | undefined;
  /** `json` never streams responses, and `sse` always does; see the runtime option `responses`. Default: `auto`. */
  responseMode?: "auto" | "json" | "sse" | undefined;
  /** The bus that carries change notifications between this server's instances. */
  bus?: ServerEventBus | undefined;
  /** The maximum number of concurrent subscriptions per authenticated sender. */
  maxSubscriptions?: number | undefined;
  /** The interval between keep-alive messages on open streams, in milliseconds. */
  keepAliveMs?: number | undefined;
  /** The server's host names. Default: any, because apps of this package check them. */
  allowedHosts?: HttpHandlerOptions["allowedHosts"];
  /** The origins of pages that may use the server. Default: this machine's origins. */
  allowedOrigins?: HttpHandlerOptions["allowedOrigins"];
}

/** An HTTP handler, with functions that notify its subscribers of changes. */
export interface McpHttpHandler {
  fetch: (request: Request, options?: McpHandlerRequestOptions) => Promise<Response>;
  /** Returns the runtime handler for a request. Intended for hosts whose requests are not `Request` objects. */
  handlerFor: (context: McpRequestContext, isListening: boolean) => Promise<RequestHandler>;
  /** Rejects new requests and ends open subscriptions. */
  close: () => Promise<void>;
  notify: ServerNotifier;
  bus: ServerEventBus;
}

export interface RequestHandler {
  readonly handler: HttpHandler;
  /** The server that was created for the request. `handler` may belong to an earlier server with the same tables. */
  readonly locals: unknown;
}

const MAX_KEPT = 32;

const METHOD = "mcp-method";
const LISTEN = "subscriptions/listen";

/**
 * Serves each request with a server created by a factory, or all requests with one server, which costs less. Clients of
 * earlier revisions are served at the same URL, without sessions.
 *
 * @throws TypeError if an option is invalid
 */
export function createMcpHandler(
  source: McpServerFactory | McpServer | Server,
  options: CreateMcpHandlerOptions = {},
): McpHttpHandler {
  const { legacy = "stateless", bus = new InMemoryServerEventBus(options.onerror) } = options;
  const handlers = new WeakMap<McpServer | Server, HttpHandler>();
  /** Maps server outlines to their handlers; see `outlineOf`. */
  const kept = new Map<string, HttpHandler>();
  /**
   * The server for all subscriptions. They need their own, because they outlive the requests for which other servers
   * are created.
   */
  let listening: Promise<McpServer | Server> | undefined;
  let stopRelay: (() => void) | undefined;

  const key = crypto.getRandomValues(new Uint8Array(32));

  const create = async (context: McpRequestContext): Promise<McpServer | Server> => {
    if (typeof source !== "function") return source;
    const server = await source(context);
    lowLevel(server).shareRounds(key);
    return server;
  };
  const listener = (context: McpRequestContext): Promise<McpServer | Server> => {
    listening ??= create(context).then((server) => {
      stopRelay = bus.subscribe((event) => relay(event, server.definition));
      return server;
    });
    return listening;
  };
  const newHandler = (server: McpServer | Server): HttpHandler =>
    createHttpHandler(served(server, legacy), nativeOptions(options));
  const handlerOf = (server: McpServer | Server): HttpHandler => {
    const known = handlers.get(server) ?? newHandler(server);
    handlers.set(server, known);
    return known;
  };
  /** Returns the handler for a single request, which may belong to an earlier server with the same tables. */
  const keptHandlerOf = (server: McpServer | Server): HttpHandler => {
    const isAlone = typeof source !== "function" || lowLevel(server).hasOpening;
    const outline = isAlone ? undefined : outlineOf(server.definition);
    if (outline === undefined) return handlerOf(server);
    const known = kept.get(outline) ?? handlerOf(server);
    if (kept.size < MAX_KEPT) kept.set(outline, known);
    return known;
  };
  const handlerFor: McpHttpHandler["handlerFor"] = async (context, staysOpen) => {
    const server = await (staysOpen ? listener(context) : create(context));
    const handler = staysOpen ? handlerOf(server) : keptHandlerOf(server);
    return { handler, locals: server.definition };
  };

  return {
    bus,
    notify: notifierOf(bus),
    handlerFor,
    fetch: async (request, { authInfo, parsedBody } = {}) => {
      const { headers } = request;
      const context = { era: eraOf(headers), authInfo, requestInfo: request };
      const { handler, locals } = await handlerFor(context, isListening(headers));
      const response = await handler(request, {
        locals,
        ...(authInfo ? { auth: authOf(authInfo) } : {}),
        ...(parsedBody === undefined ? {} : { body: parsedBody }),
      });
      return response.status === 405 ? sdkRefusal(request, response) : response;
    },
    close: async () => {
      stopRelay?.();
      const server = await listening;
      const open = [...kept.values(), server && handlers.get(server)];
      await Promise.all(open.map((handler) => handler?.close(0)));
    },
  };
}

export function isListening(headers: { get(name: string): string | null }): boolean {
  return headers.get(METHOD) === LISTEN;
}

const stateless = revisions.filter(({ traits }) => traits.lifecycle !== "initialize");

function served(server: McpServer | Server, legacy: "stateless" | "reject"): ServedDefinition {
  const { revisions: all } = server.definition;
  return { revisions: legacy === "stateless" ? all : stateless, fork: () => server.fork() };
}

type ServedDefinition = Parameters<typeof createHttpHandler>[0];

function nativeOptions(options: CreateMcpHandlerOptions): HttpHandlerOptions {
  const { responseMode, maxSubscriptions, keepAliveMs, allowedHosts, allowedOrigins } = options;
  return {
    sessions: false,
    eventStore: null,
    allowedHosts: allowedHosts ?? "any",
    ...(allowedOrigins ? { allowedOrigins } : {}),
    responses: responseMode === "sse" ? "events" : responseMode,
    maxParsedBodyBytes: Infinity,
    ...(maxSubscriptions === undefined ? {} : { maxSubscriptionsPerPrincipal: maxSubscriptions }),
    ...(keepAliveMs === undefined ? {} : { keepAlive: keepAliveMs }),
    ...(options.onerror ? { onerror: options.onerror } : {}),
  };
}

/** A handler that serves older clients' requests without sessions. */
export type LegacyHttpHandler = (
  request: Request,
  options?: McpHandlerRequestOptions,
) => Promise<Response>;

/**
 * Returns a handler that serves older clients without sessions. Intended for hosts that detect such clients with
 * `isLegacyRequest`.
 */
export function legacyStatelessFallback(
  factory: McpServerFactory,
  onerror?: (error: Error) => void,
): LegacyHttpHandler {
  return createMcpHandler(factory, { onerror }).fetch;
}

function lowLevel(server: McpServer | Server): Server {
  return "server" in server ? server.server : server;
}
