import { LONGEST_DELAY, REQUESTS_OWN_IO, within } from "../../ground/index.js";

/** Limits how many bytes all clients together may use at once. */
export interface ByteBudget {
  readonly most: number;
  bytes: number;
}

/** Calls a function at the given interval for as long as it returns true, without keeping the process alive. */
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

export interface IntervalTimer {
  start(): void;
  stop(): void;
}

/**
 * Creates a timer that calls a function at the given interval for as long as it returns true, without keeping the
 * process alive.
 */
export function intervalTimer(milliseconds: number, work: () => boolean): IntervalTimer {
  let timer: ReturnType<typeof setInterval> | undefined;
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

export interface Drain {
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

/** A client that reads what is written to it at its own pace. */
export interface Reader {
  readonly waiting: number;
  /** A number that changes whenever the client reads something. */
  readonly taken: number;
  abort(): void;
}

/** A response body that is written piece by piece. */
export interface StreamSink extends Reader {
  /**
   * Calls the listener once, when nothing more can be written, whichever side has ended the stream. Supports only one
   * listener.
   */
  whenClosed(listener: () => void): void;
  write(text: string): void;
  /** Resolves when the reader has caught up, or when it no longer can. */
  drained(): Promise<void>;
  /** Ends the body once all written text has been sent. */
  end(): void;
}
