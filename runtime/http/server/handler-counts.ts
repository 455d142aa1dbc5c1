/** Requests of one kind that were refused before they reached a handler. */
export interface RefusalCount {
  /** HTTP status. */
  readonly status: number;
  /**
   * Limit or cause, where several have the same status: `sessions`, `requests`, `sender`, `subscriptions`,
   * `closing`, `authentication`, `store`.
   */
  readonly reason?: string | undefined;
  /** Number since the handler was made. */
  readonly count: number;
}

/** Occupancy of an HTTP handler at one moment. Reading it costs next to nothing; nothing is counted for it per message. */
export interface HandlerCounts {
  /** Sessions that are open at this instance. */
  readonly sessions: number;
  /** Requests that wait for their answers. */
  readonly requests: number;
  /** Bytes of their bodies; `maxBytesUnderWay` bounds them. */
  readonly requestBytes: number;
  /** Bytes of the bodies that are being read; `maxBytesUnderWay` bounds them, too. */
  readonly readingBytes: number;
  /** Streams of events with a connection. */
  readonly streams: number;
  /** Subscriptions of clients without a session. */
  readonly subscriptions: number;
  /** Bytes of the messages that opened sessions and subscriptions; `maxBytesKept` bounds them. */
  readonly keptBytes: number;
  /** Messages of sessions that wait for a stream; `maxQueued` bounds those of each. */
  readonly queued: number;
  /** Bytes that wait for clients, of those for whom more than 256 KiB wait; `maxUnreadBytes` bounds them. */
  readonly unreadBytes: number;
  /** Refusals, by status and reason. */
  readonly refusals: readonly RefusalCount[];
}

/** Counts of something that holds nothing. */
export const NO_COUNTS: HandlerCounts = {
  sessions: 0,
  requests: 0,
  requestBytes: 0,
  readingBytes: 0,
  streams: 0,
  subscriptions: 0,
  keptBytes: 0,
  queued: 0,
  unreadBytes: 0,
  refusals: [],
};

type Figure = Exclude<keyof HandlerCounts, "refusals">;

const FIGURES = Object.keys(NO_COUNTS).filter((name) => name !== "refusals") as Figure[];

/** Counts of several handlers together. */
export function sumOf(parts: readonly HandlerCounts[]): HandlerCounts {
  const sums = FIGURES.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)]);
  const refusals = new Refusals();
  for (const part of parts)
    for (const { status, reason, count } of part.refusals) refusals.count(status, reason, count);
  return { ...NO_COUNTS, ...Object.fromEntries(sums), refusals: refusals.all };
}

/** Refusals of a handler, by status and reason. */
export class Refusals {
  readonly #counts = new Map<
    string,
    { status: number; reason: string | undefined; count: number }
  >();

  get all(): readonly RefusalCount[] {
    return [...this.#counts.values()].map((one) => ({ ...one }));
  }

  count(status: number, reason?: string, more = 1): void {
    const key = `${status} ${reason ?? ""}`;
    const counted = this.#counts.get(key);
    if (counted) counted.count += more;
    else this.#counts.set(key, { status, reason, count: more });
  }
}
