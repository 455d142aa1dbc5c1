import { REQUESTS_OWN_IO } from "../../../ground/index.js";
import { intervalTimer, type Reader, repeat, type StreamSink } from "../limits.js";
import type { EventStore, SharedEvents } from "./event-store.js";
import type { AnswerLimit } from "./server-sent-events.js";

export interface StreamSettings extends AnswerLimit {
  readonly store: EventStore | SharedEvents | undefined;
  readonly unread: UnreadOutput;
  readonly retry: number;
  readonly live: LiveStreams;
}

interface StreamOwner {
  readonly settings: UnreadLimits & {
    readonly maxAnswerBytes: number;
    readonly retry: number;
    readonly keepAlive: number;
  };
  readonly sharing: { readonly events: SharedEvents } | undefined;
  readonly report: (error: Error) => void;
  streams?: StreamSettings;
}

/** Returns an endpoint's stream settings, which are created when one of its parts first needs them. */
export function streamsOf(owner: StreamOwner): StreamSettings {
  const { settings, sharing, report } = owner;
  owner.streams ??= {
    store: sharing?.events,
    maxAnswerBytes: settings.maxAnswerBytes,
    unread: unreadOutput(settings, report),
    retry: settings.retry,
    live: liveStreams(settings.keepAlive),
    report,
  };
  return owner.streams;
}

/** A comment that keeps a connection busy, so that no intermediary closes it as idle. */
export const KEEP_ALIVE = ": \n\n";

/** The limits of {@link UnreadOutput}, which `HttpOptions` documents. */
export interface UnreadLimits {
  readonly maxWaitingBytes: number;
  readonly maxUnreadBytes: number;
  readonly readerTimeout: number;
}

/** A client's unread output is watched if it exceeds this number of bytes. */
export const MUCH: number = 256 * 1024;

/**
 * The output that clients have not read. A client is judged by what it reads over time, not by how much is written to
 * it.
 */
export interface UnreadOutput {
  readonly bytes: number;
  /**
   * Writes text to a client. If much output is unread afterwards, the client is watched until it has caught up.
   *
   * @returns false if too much output was already unread, in which case the client has been dropped
   */
  write(sink: StreamSink, text: string): boolean;
  watch(reader: Reader): void;
}

export function unreadOutput(limits: UnreadLimits, report: (error: Error) => void): UnreadOutput {
  /** The watched clients, each with the time since which it has read nothing, on the `performance.now()` clock. */
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

/** The connections of a handler's streams. They receive keep-alive comments at an interval. */
export interface LiveStreams {
  readonly size: number;
  add(sink: StreamSink): void;
  delete(sink: StreamSink): void;
}

export function liveStreams(interval: number): LiveStreams {
  const sinks = new Set<StreamSink>();
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

function keepAlive(sink: StreamSink): void {
  if (sink.waiting === 0) sink.write(KEEP_ALIVE);
}
