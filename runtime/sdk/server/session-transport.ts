import { createHttpHandler, revisions } from "@mcp-codegen/universal";
import type { HttpHandler, HttpHandlerOptions } from "@mcp-codegen/runtime/http/server";
import {
  type AuthInfo,
  authOf,
  isJsonContentType,
  type JSONRPCMessage,
  type MessageExtraInfo,
  SdkError,
  SdkErrorCode,
} from "../shared/index.js";
import type {
  Connection,
  ServedServer,
  ServingTransport,
  StartedConnection,
} from "./connection.js";
import { tellThrough } from "../shared/internal/index.js";
import { AdaptedEventStore, type EventStore } from "./event-store.js";

const ofSessions = revisions.filter(({ traits }) => traits.lifecycle === "initialize");

/** Options of a transport for one session, or for requests without sessions. */
export interface SessionTransportOptions {
  /** Generates the id of the session; without it, there is no session. */
  sessionIdGenerator?: (() => string) | undefined;
  onsessioninitialized?: ((sessionId: string) => void | Promise<void>) | undefined;
  onsessionclosed?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** True for responses that are never streams. */
  enableJsonResponse?: boolean | undefined;
  /** Store of events for clients that reconnect. */
  eventStore?: EventStore | undefined;
  allowedHosts?: string[] | undefined;
  allowedOrigins?: string[] | undefined;
  /** True to check the two lists above; origins of pages are always checked. */
  enableDnsRebindingProtection?: boolean | undefined;
  /** Milliseconds after which a client should reconnect if its stream ends early. */
  retryInterval?: number | undefined;
  /** Milliseconds between keep-alive messages on open streams. */
  keepAliveMs?: number | undefined;
  supportedProtocolVersions?: string[] | undefined;
}

/**
 * Transport of one session over Streamable HTTP, which hosts of the official SDK keep by session id; without a
 * `sessionIdGenerator`, it serves requests without sessions. `createMcpHandler` needs no such transports.
 */
export abstract class SessionTransport implements ServingTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  sessionId?: string | undefined;
  private readonly _options: SessionTransportOptions;
  private _handler: HttpHandler | undefined;
  private _connection: Connection | undefined;
  private _end: (() => void) | undefined;

  constructor(options: SessionTransportOptions = {}) {
    this._options = options;
  }

  /** Runtime handler behind this transport; undefined before a server is connected. */
  get handler(): HttpHandler | undefined {
    return this._handler;
  }

  async start(): Promise<void> {}

  /** Connects a server; called by `server.connect(transport)`. */
  async serveDefinition(server: ServedServer, connection: Connection): Promise<StartedConnection> {
    const hasSession = this._options.sessionIdGenerator !== undefined;
    if (hasSession) this._connection = connection;
    const served = hasSession
      ? { revisions: ofSessions, fork: () => connection }
      : { revisions: server.definition.revisions, fork: () => server.fork() };
    this._handler = createHttpHandler(served, this._nativeOptions());
    const ended = new Promise<void>((resolve) => {
      this._end = resolve;
    });
    return { ended };
  }

  /** Sends a notification. @throws SdkError for any other message: the server sends its requests and responses itself */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) || "id" in message || this._connection === undefined) {
      throw new SdkError(
        SdkErrorCode.SendFailed,
        "Requests and responses are sent by the server, not by its transport",
      );
    }
    await tellThrough(this._connection)(message);
  }

  /** Terminates the session. */
  async close(): Promise<void> {
    await this._handler?.close(0);
    this._over();
  }

  /** @throws SdkError if no server is connected */
  protected connected(): HttpHandler {
    if (this._handler) return this._handler;
    throw new SdkError(
      SdkErrorCode.NotConnected,
      "Connect a server first: server.connect(transport)",
    );
  }

  private _over(): void {
    if (this._end === undefined) return;
    this._end();
    this._end = undefined;
    this.onclose?.();
  }

  private _nativeOptions(): HttpHandlerOptions {
    const { sessionIdGenerator, eventStore, enableJsonResponse, retryInterval, keepAliveMs } =
      this._options;
    const {
      enableDnsRebindingProtection: guards = false,
      allowedHosts,
      allowedOrigins,
    } = this._options;
    return {
      sessions: sessionIdGenerator !== undefined,
      allowedHosts: guards && allowedHosts ? allowedHosts : "any",
      ...(guards && allowedOrigins ? { allowedOrigins } : {}),
      ...(sessionIdGenerator ? { newSessionId: sessionIdGenerator, maxSessions: 1 } : {}),
      responses: enableJsonResponse ? "json" : "events",
      maxParsedBodyBytes: Infinity,
      eventStore: eventStore ? new AdaptedEventStore(eventStore) : null,
      ...(retryInterval === undefined ? {} : { retry: retryInterval }),
      ...(keepAliveMs === undefined ? {} : { keepAlive: keepAliveMs }),
      onsessionopen: (id) => {
        this.sessionId = id;
        void this._options.onsessioninitialized?.(id);
      },
      onsessionclose: (id) => {
        void this._options.onsessionclosed?.(id);
        this._over();
      },
      onerror: (error) => this.onerror?.(error),
    };
  }
}

/** Options of a transport for one session, or for requests without sessions. */
export type WebStandardStreamableHTTPServerTransportOptions = SessionTransportOptions;

/** Facts about a request, supplied by the host. */
export interface HandleRequestOptions {
  /** Body, if it was already parsed. */
  parsedBody?: unknown;
  authInfo?: AuthInfo | undefined;
}

/** {@link SessionTransport} for hosts with web-standard requests. */
export class WebStandardStreamableHTTPServerTransport extends SessionTransport {
  /**
   * Handles a request.
   * @throws SdkError if no server is connected
   */
  async handleRequest(request: Request, options: HandleRequestOptions = {}): Promise<Response> {
    const { authInfo, parsedBody } = options;
    const response = await this.connected()(request, {
      ...(authInfo ? { auth: authOf(authInfo) } : {}),
      ...(parsedBody === undefined ? {} : { body: parsedBody }),
    });
    return response.status < 400 ? response : withServerErrorCode(response);
  }
}

/**
 * Refusal of a request with the code of the SDK: -32000 for what HTTP requires of a request, where the runtime has
 * -32600.
 */
export async function withServerErrorCode(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (!isJsonContentType(headers.get("content-type"))) return response;
  const text = (await response.text()).replace(/"code":-32600\b/, `"code":${SERVER_ERROR}`);
  const allowed = headers.get("allow");
  const own = new Headers(headers);
  own.delete("content-length");
  if (allowed !== null) own.set("allow", allowed.replace(/, OPTIONS$/, ""));
  return new Response(text, { status, headers: own });
}

const SERVER_ERROR = -32000;

/** Header fields of a request: through `get`, and as members by their lower-case names. */
export type HeaderView = Headers & Record<string, string | undefined>;

/** View of the headers, for code that expects `Headers` and for code that expects a record. */
export function headersOf(header: (name: string) => string | undefined): HeaderView {
  const methods: Record<string, unknown> = {
    get: (name: string) => header(name.toLowerCase()) ?? null,
    has: (name: string) => header(name.toLowerCase()) !== undefined,
  };
  Object.setPrototypeOf(methods, Headers.prototype);
  return new Proxy(methods, {
    get: (target, name) =>
      typeof name === "string"
        ? ((Object.hasOwn(target, name) ? target[name] : undefined) ?? header(name.toLowerCase()))
        : undefined,
  }) as HeaderView;
}
