import type {
  Frame,
  Malformed,
  Origin,
  Receiver,
  Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import { SdkErrorCode } from "./error-codes.js";
import { extraOf } from "./message-origin.js";
import type { JSONRPCMessage, RequestId } from "./message-types.js";
import { SdkError } from "./sdk-error.js";
import { sdkErrorOf } from "./sdk-error-of.js";
import type { MessageExtraInfo, Transport, TransportSendOptions } from "./transport.js";

/** Inside of a {@link NativeTransport}. */
export interface Inside {
  readonly native: RuntimeTransport;
  /** Receiver of what the SDK's shape has no callback for. */
  receiver?: Receiver | undefined;
  /** Error that ended the connection. */
  reason?: Error | undefined;
}

const insides = new WeakMap<object, Inside>();

function isRequest(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return "method" in message && "id" in message;
}

/** Inside of a transport, if it is of this package. */
export function insideOf(transport: Transport): Inside | undefined {
  return insides.get(transport);
}

/**
 * A transport of our runtime in the SDK's shape. `runtimeTransport` takes it apart again, so that nothing that ours can
 * do is lost on the way to a `Client` or server of this package.
 */
export class NativeTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  readonly #native: RuntimeTransport;
  #isClosed = false;

  constructor(native: RuntimeTransport) {
    this.#native = native;
    insides.set(this, { native });
  }

  get sessionId(): string | undefined {
    return this.#native.hooks?.sessionId;
  }

  async start(): Promise<void> {
    await this.#native.start(new Callbacks(this, () => this.#closed()));
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#isClosed) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
    const { relatedRequestId, resumptionToken: token, onresumptiontoken, headers } = options ?? {};
    const resumption =
      token === undefined && !onresumptiontoken ? undefined : { token, ontoken: onresumptiontoken };
    if (isRequest(message) && (resumption ?? headers)) {
      this.#native.hooks?.sending?.(message.id, { resumption, headers });
    }
    await this.#native.send(message as Frame, relatedRequestId);
  }

  async close(): Promise<void> {
    await this.#native.close();
    this.#closed();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }
}

/** Calls the callbacks of a transport in the SDK's shape. */
class Callbacks implements Receiver {
  readonly #transport: NativeTransport;
  readonly #inside: Inside;
  readonly #closed: () => void;

  constructor(transport: NativeTransport, closed: () => void) {
    this.#transport = transport;
    this.#inside = insides.get(transport)!;
    this.#closed = closed;
  }

  message(value: unknown, origin?: Origin): void {
    this.#transport.onmessage?.(value as JSONRPCMessage, extraOf(origin));
  }

  malformed(problem: Malformed): void {
    const { receiver } = this.#inside;
    if (receiver) receiver.malformed(problem);
    else this.#transport.onerror?.(new SyntaxError(`Received ${problem.problem}`));
  }

  failed(id: string | number | undefined, error: Error): void {
    const { receiver } = this.#inside;
    if (receiver && id !== undefined) receiver.failed(id, error);
    else this.#transport.onerror?.(receiver ? error : (sdkErrorOf(error) as Error));
  }

  ended(): void {
    this.#inside.receiver?.ended();
  }

  closed(error?: Error): void {
    this.#inside.reason = error;
    this.#closed();
  }
}
