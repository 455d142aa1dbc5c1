import {
  ConnectionClosedError,
  type Frame,
  type Message,
  type NotificationMessage,
  type Origin,
  type Receiver,
  type RequestId,
  type RequestMessage,
  type Revision,
  type SendingOptions,
  type Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import {
  type Inside,
  insideOf,
  type MessageExtraInfo,
  NativeTransport,
  originOf,
  type Transport,
  type TransportSendOptions,
} from "./transport.js";
import type { JSONRPCMessage } from "./protocol-types.js";

type Hooks = NonNullable<RuntimeTransport["hooks"]>;

/**
 * Adapts a transport with the SDK's interface to the runtime. Existing callbacks are kept and called first. A transport
 * of this package also keeps its additional abilities, such as a stream per request.
 *
 * @param supported - the revisions that this side supports, for transports that need to know them
 */
export function runtimeTransport(
  theirs: Transport,
  supported: readonly string[] = [],
): RuntimeTransport {
  return new TransportAdapter(theirs, supported);
}

class TransportAdapter implements RuntimeTransport {
  readonly #theirs: Transport;
  readonly #supported: readonly string[];
  /** Maps the ids of received requests to functions that close their streams. */
  readonly #streams = new Map<RequestId, () => void>();
  /** Maps the ids of requests that are about to be sent to their options. */
  readonly #wishes = new Map<RequestId, TransportSendOptions>();
  /** Maps the ids of stateless requests to the controllers that end their exchanges. */
  readonly #exchanges = new Map<RequestId, AbortController>();
  readonly #inside: Inside | undefined;
  readonly hooks: Hooks | undefined;
  #receiver: Receiver | undefined;

  constructor(theirs: Transport, supported: readonly string[]) {
    this.#theirs = theirs;
    this.#supported = supported;
    this.#inside = insideOf(theirs);
    const native = this.#inside?.native.hooks;
    this.hooks = this.#inside ? native && this.#nativeHooks(native) : this.#ownHooks();
  }

  start(receiver: Receiver): Promise<void> {
    const theirs = this.#theirs;
    const inside = this.#inside;
    const isStarted = inside?.isStarted === true && inside.receiver === undefined;
    this.#receiver = receiver;
    if (inside) inside.receiver = receiver;
    const { onmessage, onclose, onerror } = theirs;
    theirs.onmessage = (message, extra) => {
      // A line on standard input can be any JSON value. The receiver rejects values that are not messages.
      if (!isObject(message)) return receiver.message(message, originOf(extra));
      if (!("method" in message) && isRequestId(message.id)) this.#exchanges.delete(message.id);
      onmessage?.call(theirs, message, extra);
      receiver.message(message, this.#originOf(message, extra));
    };
    theirs.onclose = () => {
      onclose?.call(theirs);
      receiver.closed(inside?.reason);
    };
    theirs.onerror = (error) => {
      onerror?.call(theirs, error);
      receiver.failed(undefined, error);
    };
    theirs.setSupportedProtocolVersions?.([...this.#supported]);
    // A program may have started the process itself in order to read its first output on standard error.
    return isStarted ? Promise.resolve() : theirs.start();
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    if (this.#inside && !isReplaced(this.#theirs))
      return this.#inside.native.send(frame, relatedTo);
    if (!isBatch(frame)) return this.#send(frame, relatedTo);
    return Promise.all(frame.map((message) => this.#send(message, relatedTo))).then(() => {});
  }

  close(): Promise<void> {
    return this.#theirs.close();
  }

  #send(
    message: Message,
    relatedTo: RequestId | undefined,
    own?: TransportSendOptions,
  ): Promise<void> {
    const isAnswer = !("method" in message);
    if (isAnswer && isRequestId(message.id)) this.#streams.delete(message.id);
    const options = isAnswer ? undefined : this.#optionsOf(message, relatedTo, own);
    return this.#theirs.send(message as JSONRPCMessage, options).catch((error: unknown) => {
      const id = !isAnswer && "id" in message ? message.id : undefined;
      this.#receiver?.failed(id, error instanceof Error ? error : new Error(String(error)));
    });
  }

  #optionsOf(
    message: Message,
    relatedTo: RequestId | undefined,
    own: TransportSendOptions | undefined,
  ): TransportSendOptions | undefined {
    const id = "id" in message && isRequestId(message.id) ? message.id : undefined;
    const wishes = id === undefined ? undefined : this.#wishes.get(id);
    if (id !== undefined) this.#wishes.delete(id);
    const related = relatedTo === undefined ? undefined : { relatedRequestId: relatedTo };
    return (wishes ?? own ?? related) && { ...wishes, ...own, ...related };
  }

  /** Sends a stateless message. Ending a request's exchange cancels the request. */
  #exchange(message: RequestMessage | NotificationMessage): Promise<void> | undefined {
    if (!("id" in message)) return this.#send(message, undefined);
    const { id } = message;
    const exchange = new AbortController();
    this.#exchanges.set(id, exchange);
    const onRequestStreamEnd = (): void => {
      if (!this.#exchanges.delete(id) || exchange.signal.aborted) return;
      this.#receiver?.failed(id, new ConnectionClosedError("The exchange has ended"));
    };
    void this.#send(message, undefined, { requestSignal: exchange.signal, onRequestStreamEnd });
    return undefined;
  }

  #originOf(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): Origin | undefined {
    if (extra?.closeSSEStream && "method" in message && "id" in message) {
      this.#streams.set(message.id, extra.closeSSEStream);
    }
    return originOf(extra);
  }

  /**
   * Returns the hooks for a transport of this package. If the program has replaced the transport's `send`, stateless
   * messages pass through the program's function.
   */
  #nativeHooks(native: Hooks): Hooks {
    const theirs = this.#theirs;
    const viaProgram = (message: RequestMessage | NotificationMessage) => this.#exchange(message);
    const exchanges = this.#exchanges;
    return {
      get sessionId() {
        return native.sessionId;
      },
      get requestIds() {
        return native.requestIds;
      },
      get opened() {
        return native.opened;
      },
      get stateless(): Hooks["stateless"] {
        const own = native.stateless;
        if (own === undefined) return undefined;
        return {
          send: (message, revision) =>
            isReplaced(theirs) ? viaProgram(message) : own.send(message, revision),
          cancel: (id) => {
            exchanges.get(id)?.abort();
            exchanges.delete(id);
            return own.cancel(id);
          },
        };
      },
      offered: (revision) => native.offered?.(revision),
      agreed: (revision) => {
        native.agreed?.(revision);
        theirs.setProtocolVersion?.(revision.id);
      },
      ...(native.sending && { sending: (id, options) => native.sending?.(id, options) }),
      ...(native.canAsk && { canAsk: (during) => native.canAsk!(during) }),
      releaseStream: (id, retry) => native.releaseStream?.(id, retry),
      unanswered: (id) => native.unanswered?.(id),
    };
  }

  #ownHooks(): Hooks {
    const theirs = this.#theirs;
    const streams = this.#streams;
    const exchanges = this.#exchanges;
    const perRequest = {
      send: (message: RequestMessage | NotificationMessage) => this.#exchange(message),
      cancel: (id: RequestId) => {
        const exchange = exchanges.get(id);
        exchanges.delete(id);
        exchange?.abort();
        return exchange !== undefined;
      },
    };
    return {
      ...(theirs.hasPerRequestStream ? { stateless: perRequest } : {}),
      sending: (id, options) => {
        if (options.headers ?? options.resumption) this.#wishes.set(id, sendOptionsOf(options));
      },
      get sessionId() {
        return theirs.sessionId;
      },
      agreed: ({ id }: Revision) => theirs.setProtocolVersion?.(id),
      releaseStream: (id) => streams.get(id)?.(),
      unanswered: (id) => void streams.delete(id),
    };
  }
}

function sendOptionsOf({ headers, resumption }: SendingOptions): TransportSendOptions {
  return {
    ...(headers ? { headers } : {}),
    ...(resumption?.token === undefined ? {} : { resumptionToken: resumption.token }),
    ...(resumption?.ontoken ? { onresumptiontoken: resumption.ontoken } : {}),
  };
}

/** True if the program has replaced the transport's `send`, for example in a subclass or a proxy. */
function isReplaced({ send }: Transport): boolean {
  return send !== NativeTransport.prototype.send;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || typeof id === "number";
}

function isBatch(frame: Frame): frame is Exclude<Frame, Message> {
  return Array.isArray(frame);
}
