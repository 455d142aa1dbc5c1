import {
  type Frame,
  type Receiver,
  type Transport,
  UsedTransportError,
  deliver,
  frameText,
} from "../wire/index.js";

export interface MemoryPairOptions {
  /** Called with the text of each message, and the index of the end that sent it. */
  readonly ontext?: (text: string, from: 0 | 1) => void;
}

/**
 * Creates two transports that are connected to each other within this process, one for a client and one for a server.
 * Messages are converted to JSON text and parsed again, as they would be over a real connection, and arrive in a later
 * microtask.
 */
export function memoryPair(options: MemoryPairOptions = {}): [Transport, Transport] {
  const first = memoryEnd((text) => options.ontext?.(text, 0));
  const second = memoryEnd((text) => options.ontext?.(text, 1));
  first.connect(second);
  second.connect(first);
  return [first, second];
}

interface MemoryEnd extends Transport {
  connect(other: MemoryEnd): void;
  arrive(text: string): void;
  end(): void;
}

function memoryEnd(tap: (text: string) => void): MemoryEnd {
  let other!: MemoryEnd;
  let receiver: Receiver | undefined;
  let early: string[] = [];
  let isClosed = false;
  const end: MemoryEnd = {
    connect(given) {
      other = given;
    },
    start(given) {
      if (receiver) throw new UsedTransportError();
      receiver = given;
      const texts = early;
      early = [];
      for (const text of texts) end.arrive(text);
      if (isClosed) queueMicrotask(() => given.closed());
    },
    send(frame: Frame): undefined {
      const text = frameText(frame);
      if (isClosed) return;
      tap(text);
      other.arrive(text);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      queueMicrotask(() => other.end());
    },
    arrive(text) {
      const to = receiver;
      if (to === undefined) early.push(text);
      else queueMicrotask(() => deliver(text, to));
    },
    end() {
      if (isClosed) return;
      isClosed = true;
      receiver?.closed();
    },
  };
  return end;
}
