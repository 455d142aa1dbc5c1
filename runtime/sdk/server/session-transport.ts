import { createHttpHandler, revisions } from "@mcp-codegen/universal";
import type { HttpHandler, HttpHandlerOptions } from "@mcp-codegen/runtime/http/server";
import {
  type AuthInfo,
  authOf,
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
import { notifyThrough } from "../shared/internal/index.js";
import { AdaptedEventStore, type EventStore } from "./event-store.js";
import { sdkRefusal } from "./hosting/refusals.js";
import { StoredStreams } from "./hosting/stored-streams.js";

const ofSessions = revisions.filter(({ traits }) => traits.lifecycle === "initialize");

/** The options of a transport that serves one session, or requests without sessions. */
export interface SessionTransportOptions {
  /** Generates the session's id. If undefined, there is no session. */
  sessionIdGenerator?: (() => string) | undefined;
  onsessioninitialized?: ((sessionId: string) => void | Promise<void>) | undefined;
  onsessionclosed?: ((sessionId: string) => void | Promise<void>) | undefined;
  /** True if responses are never streamed. */
  enableJsonResponse?: boolean | undefined;
  /** The store of events for clients that reconnect. */
  eventStore?: EventStore | undefined;
  allowedHosts?: string[] | undefined;
  allowedOrigins?: string[] | undefined;
  /** True to check `Host` and `Origin` against the two lists above. The origins of pages are always checked. */
  enableDnsRebindingProtection?: boolean | undefined;
  /** The time after which a client should reconnect if its stream ends early, in milliseconds. */
  retryInterval?: number | undefined;
  /** The interval between keep-alive messages on open streams, in milliseconds. */
  keepAliveMs?: number | undefined;
  supportedProtocolVersions?: string[] | undefined;
}

/**
 * A transport for one session over Streamable HTTP. Hosts of the official SDK keep such transports by session id.
 * Without a `sessionIdGenerator`, it serves requests without sessions. `createMcpHandler` does not need such
 * transports.
 */
export abstract class SessionTransport implements ServingTransport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  sessionId?: string | undefined;
  private readonly _options: SessionTransportOptions;
  private readonly _store: AdaptedEventStore | undefined;
  /** The streams whose events the program stores. */
  protected readonly _streams: StoredStreams | undefined;
  private _handler: HttpHandler | undefined;
  private _connection: Connection | undefined;
  private _end: (() => void) | undefined;

  constructor(options: SessionTransportOptions = {}) {
    this._options = options;
    this._store = options.eventStore && new AdaptedEventStore(options.eventStore);
    this._streams = this._store && new StoredStreams(this._store);
  }

  /** The runtime handler behind this transport, or undefined before a server is connected. */
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

  /**
   * Sends a notification.
   *
   * @throws SdkError if there is no session, or if the message is not a notification, because the server itself sends
   *   its requests and responses
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) || "id" in message || this._connection === undefined) {
      throw new SdkError(
        SdkErrorCode.SendFailed,
        "Requests and responses are sent by the server, not by its transport",
      );
    }
    await notifyThrough(this._connection)(message);
  }

  /** True if the streams' events are stored, so that clients lose none of them when a stream ends early. */
  get storesEvents(): boolean {
    return this._streams !== undefined;
  }

  /** Ends the stream for messages that do not belong to a request. The client then opens another one. */
  closeStandaloneSSEStream(): void {
    this._streams?.closeStandalone();
  }

  /** Terminates the session. */
  async close(): Promise<void> {
    await this._handler?.close(0);
    this._over();
  }

  /**
   * Returns the runtime handler.
   * @throws SdkError if no server is connected
   */
  protected connected(): HttpHandler {
    if (this._handler) return this._handler;
    throw new SdkError(
      SdkErrorCode.NotConnected,
      "Connect a server first: server.connect(transport)",
    );
  }

  /**
   * Returns the response to a web-standard request.
   * @throws SdkError if no server is connected
   */
  protected async respond(
    given: Request,
    { authInfo, parsedBody }: HandleRequestOptions,
  ): Promise<Response> {
    const streams = this._streams;
    const request = streams ? streams.request(given) : given;
    const response = await this.connected()(request, {
      locals: this,
      ...(authInfo ? { auth: authOf(authInfo) } : {}),
      ...(parsedBody === undefined ? {} : { body: parsedBody }),
    });
    if (response.status >= 400) {
      return sdkRefusal(request, response, (error) => this.onerror?.(error));
    }
    return streams ? streams.response(given, response) : response;
  }

  private _over(): void {
    if (this._end === undefined) return;
    this._end();
    this._end = undefined;
    this.onclose?.();
  }

  private _nativeOptions(): HttpHandlerOptions {
    const { sessionIdGenerator, enableJsonResponse, retryInterval, keepAliveMs } = this._options;
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
      eventStore: this._store ?? null,
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

/** The options of a transport that serves one session, or requests without sessions. */
export type WebStandardStreamableHTTPServerTransportOptions = SessionTransportOptions;

/** Information about a request, supplied by the host. */
export interface HandleRequestOptions {
  /** The body, if it has already been parsed. */
  parsedBody?: unknown;
  authInfo?: AuthInfo | undefined;
}

/** A {@link SessionTransport} for hosts with web-standard requests. */
export class WebStandardStreamableHTTPServerTransport extends SessionTransport {
  /**
   * Handles a request.
   * @throws SdkError if no server is connected
   */
  async handleRequest(request: Request, options: HandleRequestOptions = {}): Promise<Response> {
    return this.respond(request, options);
  }
}

export type HeaderView = Headers & Record<string, string | undefined>;

/**
 * Returns a view of the headers that works both for code that expects `Headers` and for code that expects a record with
 * lower-case names.
 */
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
