import { LONGEST_DELAY, REQUESTS_OWN_IO, within } from "../../ground/index.js";

/** Bytes that may be in use at once, over all clients. */
export interface ByteBudget {
  /** Bytes that may be in use. */
  readonly most: number;
  /** Bytes in use. */
  bytes: number;
}

/**
 * Calls a function at an interval while it returns true, without keeping the process alive.
 * @returns the timer
 */
export function repeat(milliseconds: number, work: () => boolean): ReturnType<typeof setInterval> {
  const timer = setInterval(
    () => {
      if (!work()) clearInterval(timer);
    },
    Math.min(milliseconds, LONGEST_DELAY),
  );
  (timer as { unref?: () => void }).unref?.();
  return timer;
}

/** Timer that calls a function for as long as there is work. */
export interface IntervalTimer {
  /** Starts the timer, unless it is running. */
  start(): void;
  stop(): void;
}

/**
 * Creates a timer that calls a function at an interval, without keeping the process alive.
 * @param work - returns whether there is more to do
 */
export function intervalTimer(milliseconds: number, work: () => boolean): IntervalTimer {
  let timer: ReturnType<typeof setInterval> | undefined;
  /** Time of the last call, on the clock of `performance.now()`. */
  let ticked = 0;
  const isGone = (): boolean => REQUESTS_OWN_IO && performance.now() - ticked > 2 * milliseconds;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    start() {
      if (timer !== undefined && !isGone()) return;
      ticked = performance.now();
      timer = repeat(milliseconds, () => {
        ticked = performance.now();
        const hasMore = work();
        if (!hasMore) stop();
        return hasMore;
      });
    },
    stop,
  };
}

/** A wait for the work in progress to finish. */
export interface Drain {
  /** Resolves when {@link finish} is called, or after the time. */
  wait(milliseconds: number): Promise<void>;
  finish(): void;
}

export function newDrain(): Drain {
  const waiting = new Set<() => void>();
  return {
    async wait(milliseconds) {
      const finished = new Promise<void>((resolve) => waiting.add(resolve));
      await within(milliseconds, finished);
    },
    finish() {
      for (const end of waiting) end();
      waiting.clear();
    },
  };
}

/** Client that reads, at its own pace, what is written to it. */
export interface Reader {
  /** Bytes that were written and not read. */
  readonly waiting: number;
  /** Number that changes whenever the client reads something. */
  readonly taken: number;
  /** Ends its connection at once. */
  abort(): void;
}

/** Body of a response that is written piece by piece. */
export interface StreamSink extends Reader {
  /**
   * Calls the listener once, when nothing more can be written, whichever side has ended the stream. For one listener.
   */
  whenClosed(listener: () => void): void;
  write(text: string): void;
  /** Resolves when the reader has caught up, or will never do so. */
  drained(): Promise<void>;
  /** Ends the body after all written text. */
  end(): void;
}

/** Comment that keeps a connection busy, so that no intermediary closes it as idle. */
export const KEEP_ALIVE = ": \n\n";

/** Limits of {@link UnreadOutput}; `HttpOptions` documents them. */
export interface UnreadLimits {
  readonly maxWaitingBytes: number;
  readonly maxUnreadBytes: number;
  readonly readerTimeout: number;
}

/** Waiting bytes of one client above which it is watched. */
export const MUCH: number = 256 * 1024;

/** Output that clients have not read. A client is judged by what it reads over time, not by what is written to it. */
export interface UnreadOutput {
  /** Bytes that wait for watched clients. */
  readonly bytes: number;
  /**
   * Watches a client with much unread output, until it has caught up.
   * @returns false if too much waits already; the client has then been dropped
   */
  write(sink: StreamSink, text: string): boolean;
  /** Watches a client that many bytes wait for, until it has caught up. */
  watch(reader: Reader): void;
}

export function unreadOutput(limits: UnreadLimits, report: (error: Error) => void): UnreadOutput {
  /** Watched clients, with the time since which each has read nothing, on the clock of `performance.now()`. */
  const watched = new Map<Reader, { taken: number; since: number }>();
  const bytesOfAll = (): number => {
    let bytes = 0;
    for (const reader of watched.keys()) bytes += reader.waiting;
    return bytes;
  };
  const drop = (reader: Reader, option: keyof UnreadLimits): void => {
    watched.delete(reader);
    const problem = `A client does not read its response: ${reader.waiting} bytes are waiting`;
    report(new Error(`${problem} (${option})`));
    reader.abort();
  };
  /** Drops the clients that have read nothing for longest until the rest is within the limit. */
  const makeRoom = (): void => {
    let bytes = bytesOfAll();
    while (bytes > limits.maxUnreadBytes) {
      const [slowest] = [...watched].reduce((one, other) =>
        other[1].since < one[1].since ? other : one,
      );
      bytes -= slowest.waiting;
      drop(slowest, "maxUnreadBytes");
    }
  };
  const timer = intervalTimer(Math.min(Math.max(limits.readerTimeout / 4, 10), 1000), () => {
    const now = performance.now();
    for (const [reader, state] of watched) {
      const { taken } = reader;
      if (reader.waiting <= MUCH) {
        watched.delete(reader);
      } else if (taken !== state.taken) {
        state.taken = taken;
        state.since = now;
      } else if (now - state.since >= limits.readerTimeout) {
        drop(reader, "readerTimeout");
      }
    }
    return watched.size > 0;
  });
  const output: UnreadOutput = {
    get bytes() {
      return bytesOfAll();
    },
    write(sink, text) {
      if (sink.waiting > limits.maxWaitingBytes) {
        drop(sink, "maxWaitingBytes");
        return false;
      }
      sink.write(text);
      if (sink.waiting > MUCH) output.watch(sink);
      return true;
    },
    watch(reader) {
      if (reader.waiting <= MUCH) return;
      if (!watched.has(reader)) {
        watched.set(reader, { taken: reader.taken, since: performance.now() });
        if (limits.readerTimeout !== Infinity) timer.start();
      }
      makeRoom();
    },
  };
  return output;
}

/** Connections of the streams of a handler, which are kept alive at an interval. */
export interface LiveStreams {
  readonly size: number;
  add(sink: StreamSink): void;
  delete(sink: StreamSink): void;
}

/** @param interval - milliseconds */
export function liveStreams(interval: number): LiveStreams {
  const sinks = new Set<StreamSink>();
  /** Keeps a connection alive, unless other output is waiting. */
  const keepAlive = (sink: StreamSink): void => {
    if (sink.waiting === 0) sink.write(KEEP_ALIVE);
  };
  const timer = intervalTimer(interval, () => {
    for (const sink of sinks) keepAlive(sink);
    return sinks.size > 0;
  });
  const keepOneAlive = (sink: StreamSink): boolean => {
    const isLive = sinks.has(sink);
    if (isLive) keepAlive(sink);
    return isLive;
  };
  return {
    get size() {
      return sinks.size;
    },
    add(sink) {
      sinks.add(sink);
      if (!REQUESTS_OWN_IO) timer.start();
      else repeat(interval, () => keepOneAlive(sink));
    },
    delete: (sink) => void sinks.delete(sink),
  };
}
