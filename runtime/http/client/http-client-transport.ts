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
import { isSessionId } from "./client-session.js";
import { MessageSender } from "./message-sender.js";
import { HttpError } from "./errors.js";
import { notResumable } from "./response-reader.js";
import type { HttpClientOptions } from "./options.js";
import { httpUrl } from "./settings.js";
import { SseConnection } from "./sse-connection.js";
import { StatelessHttp } from "./stateless-http.js";
import { StreamableConnection } from "./streamable-connection.js";

/** Statuses with which servers of the older transport refuse a POST, where no revision says otherwise. */
const FALLBACK_STATUSES = [400, 404, 405];

/**
 * A client's end of Streamable HTTP, for sessions and for stateless requests; it makes do with HTTP+SSE where a server
 * has no more (MCP: transports). Redirects are followed within the origin only.
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
  readonly #url: URL;
  readonly #options: HttpClientOptions;
  #receiver: Receiver | undefined;
  #sender: MessageSender | undefined;
  #stateless: StatelessHttp | undefined;
  /** True once a request of a session was sent: before, there is nobody to get answers. */
  #hasSession = false;
  #fallbackStatuses: "4xx" | readonly number[] = FALLBACK_STATUSES;
  #statelessErrors: readonly number[] = [];
  #isClosed = false;
  /** Wishes of the callers of requests that are about to be sent. */
  readonly #wishes = new Map<RequestId, SendingOptions>();

  /** @throws TypeError when the URL is not http: or https:, or has a password in it, or the session is none */
  constructor(url: string | URL, options: HttpClientOptions = {}) {
    this.#url = httpUrl(url);
    this.#options = authorized(this.#url, options);
    const isOlder = options.sse === "only";
    if (options.session) {
      this.#hasSession = true;
      assertIsSession(options.session, isOlder);
    }
    if (!isOlder) this.#stateless = new StatelessHttp(this.#url, this.#options, this.#wishes);
  }

  /** The server's name for the session, if it gave one. Keep it as safe as a password. */
  get sessionId(): string | undefined {
    return this.#sender ? this.#sender.connection.sessionId : this.#options.session?.id;
  }

  get hooks(): this {
    return this;
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
    this.#wishes.set(id, { headers, resumption: own, tool });
  }

  offered(revision: Revision): void {
    this.#fallbackStatuses = revision.conventions.fallbackStatuses;
    this.#statelessErrors = statelessErrors(revision);
  }

  start(receiver: Receiver): void | Promise<void> {
    if (this.#receiver || this.#isClosed) throw new UsedTransportError();
    this.#receiver = receiver;
    this.#stateless?.start(receiver);
    if (this.#options.sse === "only") {
      const connection = new SseConnection(this.#url, this.#options, receiver);
      this.#sender = new MessageSender(connection, receiver);
      return connection.open();
    }
    const connection = new StreamableConnection(this.#url, this.#options, receiver);
    this.#sender = new MessageSender(connection, receiver, (id, text, isRelated) =>
      this.#request(id, text, isRelated),
    );
  }

  /** Sends a message of a session; stateless ones have their own way, see {@link hooks}. */
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

  /** The callback, whose failure concerns nobody but its author. */
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
    const wishes = this.#wishes.get(id);
    this.#wishes.delete(id);
    try {
      await connection.request(id, text, isRelated, wishes);
    } catch (error) {
      if (!this.#isForOlder(connection, error)) throw error;
      await this.#fallBack(error as HttpError);
      await this.#sender!.connection.request(id, text, isRelated);
    }
  }

  /** True when it seems that the server has only the older transport (MCP: transports, backwards compatibility). */
  #isForOlder(connection: object, error: unknown): boolean {
    const { sse = "fallback", fallbackStatuses = this.#fallbackStatuses } = this.#options;
    if (sse !== "fallback" || this.#isClosed || !(error instanceof HttpError)) return false;
    if (!(connection instanceof StreamableConnection) || connection.hasSucceeded) return false;
    const { status = 0, rpcCode } = error;
    if (rpcCode !== undefined && this.#statelessErrors.includes(rpcCode)) return false;
    if (fallbackStatuses === "4xx") return status >= 400 && status <= 499;
    return fallbackStatuses.includes(status);
  }

  /** @throws the error that made it try, when the older transport is not there either */
  async #fallBack(error: HttpError): Promise<void> {
    const older = new SseConnection(this.#url, this.#options, this.#receiver!);
    this.#sender!.connection = older;
    try {
      await older.open();
    } catch {
      throw error;
    }
  }
}

/** @throws TypeError for what is no session, RangeError where the transport has none */
function assertIsSession({ id, revision, server }: OpenSession, isOlder: boolean): void {
  if (isOlder) throw new RangeError("HTTP+SSE has no sessions that could go on: leave out session");
  const isOne = isSessionId(id) && typeof revision === "string" && isObject(server?.capabilities);
  if (!isOne) throw new TypeError("session is no session: give `session` of a client");
}

/** Options whose `fetch` authorizes requests. */
function authorized(url: URL, options: HttpClientOptions): HttpClientOptions {
  const { auth, fetch: given = (to: URL, init: RequestInit) => fetch(to, init) } = options;
  return auth === undefined ? options : { ...options, fetch: auth.fetchFor(url, given) };
}
