import type { Frame, RequestId } from "../../../runtime/wire/messages/jsonrpc.js";
import type {
  Receiver,
  Transport,
  TransportHooks,
} from "../../../runtime/wire/messages/transport.js";
import { copyOf } from "./copy.js";
import type { Tap } from "./tap.js";

/** A transport whose messages a tap records as they are sent and received. */
export class TappedTransport implements Transport {
  readonly #inner: Transport;
  readonly #tap: Tap;

  constructor(inner: Transport, tap: Tap) {
    this.#inner = inner;
    this.#tap = tap;
  }

  get hooks(): TransportHooks | undefined {
    return this.#inner.hooks;
  }

  start(receiver: Receiver): void | Promise<void> {
    return this.#inner.start({
      message: (value, origin) => {
        this.#tap.received(copyOf(value));
        receiver.message(value, origin);
      },
      malformed: (problem) => {
        this.#tap.unreadable(problem.value);
        receiver.malformed(problem);
      },
      failed: (id, error) => receiver.failed(id, error),
      ended: () => receiver.ended(),
      closed: (error) => receiver.closed(error),
    });
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    this.#tap.sent(copyOf(frame));
    return this.#inner.send(frame, relatedTo);
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }
}
