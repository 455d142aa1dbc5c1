import {
  type Frame,
  type OpenSession,
  type Receiver,
  type RequestId,
  type Resumption,
  type Revision,
  type SendingOptions,
  type StatelessExchanges,
  type Transport,
  type TransportHooks,
  UsedTransportError,
  isObject,
  statelessErrors,
} from "../../wire/index.js";
import { HttpError } from "./errors.js";
import { notResumable } from "./exchange.js";
import type { SseConnection } from "./http-sse.js";
import { MessageSender } from "./message-sender.js";
import { type HttpClientOptions, type SseClientOptions, httpUrl } from "./options.js";
import { isSessionId } from "./session.js";
import { SessionConnection } from "./session-connection.js";
import { StatelessHttp } from "./stateless-http.js";

/** The statuses that HTTP+SSE servers use to refuse a POST, unless the revision names others. */
const FALLBACK_STATUSES = [400, 404, 405];

/**
 * Client transport for Streamable HTTP, with sessions and with stateless requests; it falls back to HTTP+SSE if the
 * server supports nothing newer (MCP: transports). Redirects are followed within the origin only.
 *
 * @example
 * ```ts
 * const transport = new HttpClientTransport("https://mcp.example.com/mcp", {
 *   headers: { "X-Team": "maps" },
 * });
 * const client = await connect(transport);
 * ```
 */
export class HttpClientTransport implements Transport, TransportHooks {
  readonly hooks: TransportHooks = this;
  readonly #url: URL;
  readonly #options: HttpClientOptions;
  #receiver: Receiver | undefined;
  #sender: MessageSender | undefined;
  #stateless: StatelessHttp | undefined;
  /**
   * True once a request or notification has been sent in a session, or if an earlier session is being continued. Before
   * that, responses are not sent, because the server is not waiting for any.
   */
  #hasSession = false;
  #fallbackStatuses: "4xx" | readonly number[] = FALLBACK_STATUSES;
  #statelessErrors: readonly number[] = [];
  #isClosed = false;
  /** The options of requests that are about to be sent. */
  readonly #sending = new Map<RequestId, SendingOptions>();

  /** @throws TypeError if the URL is not http: or https: or contains a password, or the session is invalid */
  constructor(url: string | URL, options: HttpClientOptions = {}) {
    this.#url = httpUrl(url);
    this.#options = authorized(this.#url, options);
    const isSse = options.sse === "only";
    if (options.session) {
      this.#hasSession = true;
      assertIsSession(options.session, isSse);
    }
    if (!isSse) this.#stateless = new StatelessHttp(this.#url, this.#options, this.#sending);
  }

  /** The session id, if the server has assigned one. Protect it like a password. */
  get sessionId(): string | undefined {
    return this.#sender ? this.#sender.connection.sessionId : this.#options.session?.id;
  }

  get stateless(): StatelessExchanges | undefined {
    return this.#stateless;
  }

  get opened(): OpenSession | undefined {
    return this.#options.session;
  }

  sending(id: RequestId, options: SendingOptions): void {
    const { headers, resumption, tool } = options;
    if (!(headers ?? resumption ?? tool)) return;
    if (this.#options.sse === "only") {
      if (resumption?.token !== undefined) throw notResumable("HTTP+SSE");
      return;
    }
    const own = resumption && { ...resumption, ontoken: this.#guarded(resumption.ontoken) };
    this.#sending.set(id, { headers, resumption: own, tool });
  }

  offered(revision: Revision): void {
    this.#fallbackStatuses = revision.conventions.fallbackStatuses;
    this.#statelessErrors = statelessErrors(revision);
  }

  start(receiver: Receiver): void | Promise<void> {
    if (this.#receiver || this.#isClosed) throw new UsedTransportError();
    this.#receiver = receiver;
    this.#stateless?.start(receiver);
    if (this.#options.sse === "only") return this.#startSse(receiver);
    const connection = new SessionConnection(this.#url, this.#options, receiver);
    this.#sender = new MessageSender(connection, receiver, (id, text, isRelated) =>
      this.#request(id, text, isRelated),
    );
  }

  async #startSse(receiver: Receiver): Promise<void> {
    const connection = await this.#sseConnection(receiver);
    this.#sender = new MessageSender(connection, receiver);
    if (this.#isClosed) return this.#sender.close();
    return connection.open();
  }

  /** Creates an HTTP+SSE connection. Its code is loaded only if a server needs it. */
  async #sseConnection(receiver: Receiver): Promise<SseConnection> {
    const { SseConnection: Connection } = await import("./http-sse.js");
    return new Connection(this.#url, this.#options, receiver);
  }

  /** Sends a message that belongs to a session. {@link stateless} sends stateless messages. */
  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    if ("method" in frame) this.#hasSession = true;
    return this.#hasSession ? this.#sender?.send(frame, relatedTo) : undefined;
  }

  agreed(revision: Revision): void {
    if (this.#stateless && revision.traits.lifecycle === "discover") return;
    void this.#stateless?.close();
    this.#stateless = undefined;
    this.#sender?.agreed(revision);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all([this.#sender?.close(), this.#stateless?.close()]);
  }

  /** Wraps the callback, so that its errors are reported, and do not end the stream. */
  #guarded(ontoken: Resumption["ontoken"]): Resumption["ontoken"] {
    return (token) => {
      try {
        ontoken?.(token);
      } catch (error) {
        this.#receiver?.failed(undefined, error as Error);
      }
    };
  }

  async #request(id: RequestId, text: string, isRelated: boolean): Promise<void> {
    const { connection } = this.#sender!;
    const options = this.#sending.get(id);
    this.#sending.delete(id);
    try {
      await connection.request(id, text, isRelated, options);
    } catch (error) {
      if (!this.#isForSse(connection, error)) throw error;
      await this.#fallBack(error as HttpError);
      await this.#sender!.connection.request(id, text, isRelated);
    }
  }

  /**
   * Returns true if falling back is allowed and the server seems to support only HTTP+SSE (MCP: transports, backwards
   * compatibility).
   */
  #isForSse(connection: object, error: unknown): boolean {
    const { sse = "fallback", fallbackStatuses = this.#fallbackStatuses } = this.#options;
    if (sse !== "fallback" || this.#isClosed || !(error instanceof HttpError)) return false;
    if (!(connection instanceof SessionConnection) || connection.hasSucceeded) return false;
    const { status = 0, rpcCode } = error;
    if (rpcCode !== undefined && this.#statelessErrors.includes(rpcCode)) return false;
    if (fallbackStatuses === "4xx") return status >= 400 && status <= 499;
    return fallbackStatuses.includes(status);
  }

  /**
   * Continues over HTTP+SSE.
   * @throws the given error, if the server does not support HTTP+SSE either
   */
  async #fallBack(error: HttpError): Promise<void> {
    const older = await this.#sseConnection(this.#receiver!);
    this.#sender!.connection = older;
    if (this.#isClosed) await older.close();
    try {
      await older.open();
    } catch {
      throw error;
    }
  }
}

function assertIsSession({ id, revision, server }: OpenSession, isSse: boolean): void {
  if (isSse) throw new RangeError("HTTP+SSE has no sessions to continue: leave out session");
  const isOne = isSessionId(id) && typeof revision === "string" && isObject(server?.capabilities);
  if (!isOne) throw new TypeError("session is not a session: pass `session` of a client");
}

function authorized(url: URL, options: HttpClientOptions): HttpClientOptions {
  const { auth, fetch: given = (to: URL, init: RequestInit) => fetch(to, init) } = options;
  return auth === undefined ? options : { ...options, fetch: auth.fetchFor(url, given) };
}

/**
 * The client transport for HTTP+SSE, for servers that support nothing newer.
 *
 * @deprecated MCP has deprecated HTTP+SSE: use Streamable HTTP.
 */
export class SseClientTransport extends HttpClientTransport {
  /**
   * @param url - URL of the stream
   * @throws TypeError if the URL is not http: or https:, or contains a password
   */
  constructor(url: string | URL, options: SseClientOptions = {}) {
    super(url, { ...options, sse: "only" });
  }
}
