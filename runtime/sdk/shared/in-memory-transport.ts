import type { AuthInfo } from "./oauth.js";
import { SdkError, SdkErrorCode } from "./errors.js";
import type { JSONRPCMessage, RequestId } from "./protocol-types.js";
import type { MessageExtraInfo, Transport } from "./transport.js";

interface Delivery {
  readonly message: JSONRPCMessage;
  readonly extra: MessageExtraInfo | undefined;
}

/** One of two connected transports in one process. */
export class InMemoryTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  sessionId?: string | undefined;
  private _other: InMemoryTransport | undefined;
  /** Messages received before the start. */
  private _early: Delivery[] | undefined = [];
  private _isClosed = false;

  /** Two connected transports: one for a client, one for a server. */
  static createLinkedPair(): [InMemoryTransport, InMemoryTransport] {
    const pair: [InMemoryTransport, InMemoryTransport] = [
      new InMemoryTransport(),
      new InMemoryTransport(),
    ];
    pair[0]._other = pair[1];
    pair[1]._other = pair[0];
    return pair;
  }

  async start(): Promise<void> {
    const early = this._early ?? [];
    this._early = undefined;
    for (const delivery of early) this._deliver(delivery);
  }

  /**
   * Sends a message after a round trip through JSON.
   * @throws SdkError if the connection is closed; TypeError if the message cannot be serialized
   */
  async send(
    message: JSONRPCMessage,
    options: { relatedRequestId?: RequestId | undefined; authInfo?: AuthInfo | undefined } = {},
  ): Promise<void> {
    const other = this._other;
    if (other === undefined) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
    const copy = JSON.parse(JSON.stringify(message)) as JSONRPCMessage;
    const { authInfo } = options;
    const delivery = { message: copy, extra: authInfo && { authInfo } };
    if (other._early && !other.onmessage) other._early.push(delivery);
    else queueMicrotask(() => other._deliver(delivery));
  }

  async close(): Promise<void> {
    if (this._isClosed) return;
    this._isClosed = true;
    const other = this._other;
    this._other = undefined;
    await other?.close();
    this.onclose?.();
  }

  private _deliver({ message, extra }: Delivery): void {
    this.onmessage?.(message, extra);
  }
}
