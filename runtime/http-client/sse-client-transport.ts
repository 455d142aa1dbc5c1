import { UsedTransportError } from "../errors.js";
import type { Frame, RequestId } from "../jsonrpc.js";
import type { Revision } from "../revision.js";
import type { Receiver, Transport } from "../transport/transport.js";
import { Courier } from "./courier.js";
import type { SseClientOptions } from "./options.js";
import { httpUrl } from "./settings.js";
import { SseConnection } from "./sse-connection.js";

/** A client's end of HTTP+SSE, for servers that have nothing newer. */
export class SseClientTransport implements Transport {
  readonly #url: URL;
  readonly #options: SseClientOptions;
  #courier: Courier | undefined;
  #isClosed = false;

  /**
   * @param url - of the stream
   * @throws TypeError when the URL is not http: or https:, or has a password in it
   */
  constructor(url: string | URL, options: SseClientOptions = {}) {
    this.#url = httpUrl(url);
    this.#options = options;
  }

  /** @throws HttpError when the server does not name an endpoint of its own origin */
  async start(receiver: Receiver): Promise<void> {
    if (this.#courier || this.#isClosed) throw new UsedTransportError();
    const connection = new SseConnection(this.#url, this.#options, receiver);
    this.#courier = new Courier(connection, receiver);
    await connection.open();
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    return this.#courier?.send(frame, relatedTo);
  }

  agreed(revision: Revision): void {
    this.#courier?.agreed(revision);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#courier?.close();
  }
}
