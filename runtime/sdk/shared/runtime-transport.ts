import type {
  Frame,
  Message,
  Origin,
  Receiver,
  RequestId,
  Revision,
  Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import { originOf } from "./message-origin.js";
import type { JSONRPCMessage } from "./message-types.js";
import { type Inside, insideOf } from "./native-transport.js";
import type { MessageExtraInfo, Transport } from "./transport.js";

type Hooks = NonNullable<RuntimeTransport["hooks"]>;

/**
 * Transport for our runtime, over one in the SDK's shape. Callbacks that it has already stay, and are called first. What
 * a transport of this package can do beside (streams of its own, stateless requests) stays, too.
 *
 * @param supported - revisions of this side, for transports that want to know them
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
  /** Closes the streams of received requests, by their ids. */
  readonly #streams = new Map<RequestId, () => void>();
  readonly #inside: Inside | undefined;
  readonly hooks: Hooks | undefined;
  #receiver: Receiver | undefined;

  constructor(theirs: Transport, supported: readonly string[]) {
    this.#theirs = theirs;
    this.#supported = supported;
    this.#inside = insideOf(theirs);
    this.hooks = this.#inside ? this.#inside.native.hooks : this.#ownHooks();
  }

  start(receiver: Receiver): Promise<void> {
    const theirs = this.#theirs;
    const inside = this.#inside;
    this.#receiver = receiver;
    if (inside) inside.receiver = receiver;
    const { onmessage, onclose, onerror } = theirs;
    theirs.onmessage = (message, extra) => {
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
    return theirs.start();
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    const isReplaced = Object.hasOwn(this.#theirs, "send");
    if (this.#inside && !isReplaced) return this.#inside.native.send(frame, relatedTo);
    if (!isBatch(frame)) return this.#send(frame, relatedTo);
    return Promise.all(frame.map((message) => this.#send(message, relatedTo))).then(() => {});
  }

  close(): Promise<void> {
    return this.#theirs.close();
  }

  #send(message: Message, relatedTo: RequestId | undefined): Promise<void> {
    const isAnswer = !("method" in message);
    if (isAnswer && isRequestId(message.id)) this.#streams.delete(message.id);
    const options = relatedTo === undefined ? undefined : { relatedRequestId: relatedTo };
    return this.#theirs.send(message as JSONRPCMessage, options).catch((error: unknown) => {
      const id = !isAnswer && "id" in message ? message.id : undefined;
      this.#receiver?.failed(id, error instanceof Error ? error : new Error(String(error)));
    });
  }

  #originOf(message: JSONRPCMessage, extra: MessageExtraInfo | undefined): Origin | undefined {
    if (extra?.closeSSEStream && "method" in message && "id" in message) {
      this.#streams.set(message.id, extra.closeSSEStream);
    }
    return originOf(extra);
  }

  #ownHooks(): Hooks {
    const theirs = this.#theirs;
    const streams = this.#streams;
    return {
      get sessionId() {
        return theirs.sessionId;
      },
      agreed: ({ id }: Revision) => theirs.setProtocolVersion?.(id),
      releaseStream: (id) => streams.get(id)?.(),
      unanswered: (id) => void streams.delete(id),
    };
  }
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === "string" || typeof id === "number";
}

function isBatch(frame: Frame): frame is Exclude<Frame, Message> {
  return Array.isArray(frame);
}
