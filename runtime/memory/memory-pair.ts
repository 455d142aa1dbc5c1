import {
  type Frame,
  type Receiver,
  type Transport,
  UsedTransportError,
  deliver,
  frameText,
} from "../wire/index.js";

export interface MemoryPairOptions {
  /** Sees the text of each message, and which end of the pair sent it. */
  readonly ontext?: (text: string, from: 0 | 1) => void;
}

/**
 * Two transports that are connected to each other inside this process, one for a client and one for a
 * server. Messages travel as JSON text, through everything that a real connection has but the
 * wire, and arrive in a later microtask.
 */
export function memoryPair(options: MemoryPairOptions = {}): [Transport, Transport] {
  const first = new MemoryTransport((text) => options.ontext?.(text, 0));
  const second = new MemoryTransport((text) => options.ontext?.(text, 1));
  first.other = second;
  second.other = first;
  return [first, second];
}

class MemoryTransport implements Transport {
  other: MemoryTransport | undefined;
  readonly #tap: (text: string) => void;
  #receiver: Receiver | undefined;
  /** Messages that arrived before the start. */
  #early: string[] = [];
  #isClosed = false;

  constructor(tap: (text: string) => void) {
    this.#tap = tap;
  }

  start(receiver: Receiver): void {
    if (this.#receiver) throw new UsedTransportError();
    this.#receiver = receiver;
    const early = this.#early;
    this.#early = [];
    for (const text of early) this.#arrive(text);
    if (this.#isClosed) queueMicrotask(() => receiver.closed());
  }

  send(frame: Frame): undefined {
    const text = frameText(frame);
    const { other } = this;
    if (this.#isClosed || other === undefined) return;
    this.#tap(text);
    other.#arrive(text);
  }

  close(): void {
    const { other } = this;
    if (this.#isClosed || other === undefined) return;
    this.#isClosed = true;
    queueMicrotask(() => other.#end());
  }

  #arrive(text: string): void {
    const receiver = this.#receiver;
    if (receiver === undefined) this.#early.push(text);
    else queueMicrotask(() => deliver(text, receiver));
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#receiver?.closed();
  }
}
