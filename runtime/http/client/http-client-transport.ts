import {
  type Frame,
  type Receiver,
  type RequestId,
  type Revision,
  type Transport,
  UsedTransportError,
  standsAlone,
} from "../../wire/index.js";
import { MessageSender } from "./message-sender.js";
import { HttpError } from "./errors.js";
import type { HttpClientOptions } from "./options.js";
import { httpUrl } from "./settings.js";
import { SseConnection } from "./sse-connection.js";
import { StandaloneConnection } from "./standalone-connection.js";
import { StreamableConnection } from "./streamable-connection.js";

/** Statuses with which servers of the older transport refuse a POST, where no revision says otherwise. */
const FALLBACK_STATUSES = [400, 404, 405];

/**
 * A client's end of Streamable HTTP, with or without sessions, which makes do with HTTP+SSE where a server has no more
 * (MCP: transports). Redirects are followed within the origin only.
 */
export class HttpClientTransport implements Transport {
  readonly #url: URL;
  readonly #options: HttpClientOptions;
  #receiver: Receiver | undefined;
  #courier: MessageSender | undefined;
  #standalone: StandaloneConnection | undefined;
  /** Whether the last request said all about itself: then the server has no requests of its own to be answered. */
  #isStandalone = false;
  #revision: Revision | undefined;
  #fallbackStatuses: "4xx" | readonly number[] = FALLBACK_STATUSES;
  #isClosed = false;

  /** @throws TypeError when the URL is not http: or https:, or has a password in it */
  constructor(url: string | URL, options: HttpClientOptions = {}) {
    this.#url = httpUrl(url);
    this.#options = options;
  }

  /** The server's name for the session, if it gave one. Keep it as safe as a password. */
  get sessionId(): string | undefined {
    return this.#courier?.connection.sessionId;
  }

  offered(revision: Revision): void {
    this.#fallbackStatuses = revision.conventions.fallbackStatuses;
    this.#revision = revision;
  }

  start(receiver: Receiver): void | Promise<void> {
    if (this.#receiver || this.#isClosed) throw new UsedTransportError();
    this.#receiver = receiver;
    if (this.#options.sse === "only") {
      const connection = new SseConnection(this.#url, this.#options, receiver);
      this.#courier = new MessageSender(connection, receiver);
      return connection.open();
    }
    const connection = new StreamableConnection(this.#url, this.#options, receiver);
    this.#courier = new MessageSender(connection, receiver, (...message) =>
      this.#request(...message),
    );
    this.#standalone = new StandaloneConnection(this.#url, this.#options, receiver);
    if (this.#revision) this.#standalone.revision = this.#revision;
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    const standalone = this.#standalone;
    if (standalone && "id" in frame && "method" in frame) {
      this.#isStandalone = standsAlone(frame.params);
    }
    if (!standalone || !this.#isStandalone) return this.#courier?.send(frame, relatedTo);
    if (!("method" in frame)) return undefined;
    const text = JSON.stringify(frame);
    if (this.#isClosed) return undefined;
    if (!("id" in frame)) return standalone.notify(frame, text);
    void standalone.request(frame, text);
    return undefined;
  }

  giveUp(id: RequestId): boolean {
    return this.#standalone?.giveUp(id) ?? false;
  }

  agreed(revision: Revision): void {
    if (this.#standalone && revision.traits.lifecycle === "discover") {
      this.#standalone.revision = revision;
      return;
    }
    void this.#standalone?.close();
    this.#standalone = undefined;
    this.#courier?.agreed(revision);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all([this.#courier?.close(), this.#standalone?.close()]);
  }

  async #request(id: RequestId, text: string, isRelated: boolean): Promise<void> {
    const { connection } = this.#courier!;
    try {
      await connection.request(id, text, isRelated);
    } catch (error) {
      if (!this.#isForOlder(connection, error)) throw error;
      await this.#fallBack(error as HttpError);
      await this.#courier!.connection.request(id, text, isRelated);
    }
  }

  /** Whether it seems that the server has only the older transport (MCP: transports, backwards compatibility). */
  #isForOlder(connection: object, error: unknown): boolean {
    const { sse = "fallback", fallbackStatuses = this.#fallbackStatuses } = this.#options;
    if (sse !== "fallback" || this.#isClosed || !(error instanceof HttpError)) return false;
    if (!(connection instanceof StreamableConnection) || connection.hasSucceeded) return false;
    const { status = 0 } = error;
    if (fallbackStatuses === "4xx") return status >= 400 && status <= 499;
    return fallbackStatuses.includes(status);
  }

  /** @throws the error that made it try, when the older transport is not there either */
  async #fallBack(error: HttpError): Promise<void> {
    const older = new SseConnection(this.#url, this.#options, this.#receiver!);
    this.#courier!.connection = older;
    try {
      await older.open();
    } catch {
      throw error;
    }
  }
}
