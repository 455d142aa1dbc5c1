import type { AuthInfo } from "./oauth.js";
import { SdkError, SdkErrorCode } from "./errors.js";
import type { JSONRPCMessage, RequestId } from "./protocol-types.js";
import type { MessageExtraInfo, Transport } from "./transport.js";

interface Delivery {
  readonly message: JSONRPCMessage;
  readonly extra: MessageExtraInfo | undefined;
}

/**
 * The state of one end of a connection. It is shared by the transport, its proxies, and objects that inherit from it.
 */
interface Side {
  /** The transport that was started, whose callbacks are called. */
  transport: InMemoryTransport;
  other?: Side | undefined;
  early?: Delivery[] | undefined;
  isClosed?: boolean;
}

/** One of two connected transports in one process. */
export class InMemoryTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  sessionId?: string | undefined;
  private readonly _side: Side = { transport: this, early: [] };

  /** Returns two connected transports: one for a client and one for a server. */
  static createLinkedPair(): [InMemoryTransport, InMemoryTransport] {
    const pair: [InMemoryTransport, InMemoryTransport] = [
      new InMemoryTransport(),
      new InMemoryTransport(),
    ];
    pair[0]._side.other = pair[1]._side;
    pair[1]._side.other = pair[0]._side;
    return pair;
  }

  async start(): Promise<void> {
    const { early = [] } = this._side;
    this._side.transport = this;
    this._side.early = undefined;
    for (const delivery of early) deliver(this._side, delivery);
  }

  /**
   * Sends a copy of the message, made by converting it to JSON and back.
   * @throws SdkError if the connection is closed; TypeError if the message cannot be serialized
   */
  async send(
    message: JSONRPCMessage,
    options: { relatedRequestId?: RequestId | undefined; authInfo?: AuthInfo | undefined } = {},
  ): Promise<void> {
    const { other } = this._side;
    if (other === undefined) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
    const copy = JSON.parse(JSON.stringify(message)) as JSONRPCMessage;
    const { authInfo } = options;
    const delivery = { message: copy, extra: authInfo && { authInfo } };
    if (other.early && !other.transport.onmessage) other.early.push(delivery);
    else queueMicrotask(() => deliver(other, delivery));
  }

  async close(): Promise<void> {
    const side = this._side;
    if (side.isClosed) return;
    side.isClosed = true;
    const { other } = side;
    side.other = undefined;
    await other?.transport.close();
    side.transport.onclose?.();
  }
}

function deliver({ transport }: Side, { message, extra }: Delivery): void {
  transport.onmessage?.(message, extra);
}
