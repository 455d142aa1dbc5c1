import type { Frame, RequestId } from "../../../runtime/wire/jsonrpc.js";
import type { Revision } from "../../../runtime/wire/revision.js";
import type { Receiver, Transport } from "../../../runtime/wire/transport.js";
import type { Tap } from "./tap.js";

/** A transport that lets a tap see all that goes through it, as it is on the wire. */
export class TappedTransport implements Transport {
  readonly #inner: Transport;
  readonly #tap: Tap;

  constructor(inner: Transport, tap: Tap) {
    this.#inner = inner;
    this.#tap = tap;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(receiver: Receiver): void | Promise<void> {
    return this.#inner.start({
      message: (value, origin) => {
        this.#tap.received(structuredClone(value));
        receiver.message(value, origin);
      },
      malformed: (problem) => {
        this.#tap.unreadable(problem.value);
        receiver.malformed(problem);
      },
      failed: (id, error) => receiver.failed(id, error),
      abandoned: (id) => receiver.abandoned(id),
      ended: () => receiver.ended(),
      closed: (error) => receiver.closed(error),
    });
  }

  send(frame: Frame, relatedTo?: RequestId): Promise<void> | undefined {
    this.#tap.sent(JSON.parse(JSON.stringify(frame)));
    return this.#inner.send(frame, relatedTo);
  }

  close(): void | Promise<void> {
    return this.#inner.close();
  }

  agreed(revision: Revision): void {
    this.#inner.agreed?.(revision);
  }

  canAsk(relatedTo?: RequestId): boolean {
    return this.#inner.canAsk?.(relatedTo) ?? true;
  }

  releaseStream(relatedTo: RequestId, retry?: number): void {
    this.#inner.releaseStream?.(relatedTo, retry);
  }

  unanswered(id: RequestId): void {
    (this.#inner as { unanswered?: (id: RequestId) => void }).unanswered?.(id);
  }
}
