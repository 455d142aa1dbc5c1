import type { TapeEntry, TapeHttp, TapeLine } from "../../tape/index.js";
import { parsed } from "../../tape/json-value.js";

/** The maximum number of bytes in a process's output or in one HTTP response. */
export const BYTE_LIMIT: number = 32 * 1024 * 1024;
/** The maximum number of lines in one conversation. */
export const LINE_LIMIT: number = 5_000;
/** The maximum length of recorded text that is not a message, in characters. */
const TEXT_LIMIT = 4_096;

/** The end of a process or connection. */
export interface Ending {
  /**
   * The exit code of a process: null if it was ended by a signal or could not be started. Undefined for a connection.
   */
  readonly code?: number | null;
  readonly signal?: string | null;
  /**
   * The cause: the peer itself, the end of its input, a signal from this program, or a limit that the peer exceeded.
   */
  readonly by: "itself" | "eof" | "SIGTERM" | "SIGKILL" | "limit";
  /** The last lines of standard error. */
  readonly stderr: string;
  /** The problem, if the peer could not be reached or its event stream has ended. */
  readonly problem?: string | undefined;
}

/** The HTTP response to a message. Its body may still be arriving. */
export interface Delivery {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The state of an event stream so far. `isCut` is true if the stream ended in the middle of an event. */
  readonly stream?: { readonly last?: string; readonly retry?: number; readonly isCut?: boolean };
  /** The endpoint of the HTTP+SSE stream to which the message was sent. */
  readonly address?: string;
  /** Resolves when the body has been read. */
  readonly done: Promise<void>;
  cancel(): void;
}

/** The HTTP exchange and framing of a message, as on a tape. */
export type Around = Pick<TapeEntry, "http" | "framing">;

export interface LinkEvents {
  message(value: unknown, text: string, around?: Around): void;
  text(text: string, around?: Around): void;
  /** Called with an HTTP response without a body. */
  empty(http: TapeHttp): void;
  ended(ending: Ending): void;
}

/** A connection to a peer for one conversation. Messages need not be valid. */
export interface Link {
  readonly transport: "stdio" | "http" | "sse" | "memory";
  /** Resolves when the process or the HTTP+SSE stream has ended; never for other transports. */
  readonly ended: Promise<Ending>;
  /** Sends the text of a message. `exchange` is the number of the HTTP exchange on the tape. */
  send(
    text: string,
    headers?: Readonly<Record<string, string>>,
    exchange?: number,
  ): Promise<Delivery | undefined>;
  /** Writes bytes to a process unchanged. */
  write?(bytes: string | Uint8Array): Promise<void>;
  readonly pid?: number | undefined;
  /**
   * Opens a session's GET stream, or resumes another stream with `last-event-id`. Only available for Streamable HTTP.
   */
  listen?(headers: Readonly<Record<string, string>>, exchange: number): Promise<Delivery>;
  /** Ends the conversation. Resolves when the process or connection has ended. */
  close(how?: "eof" | "SIGTERM" | "SIGKILL"): Promise<Ending>;
}

/** Tape in memory. */
export interface Recorder {
  readonly lines: TapeLine[];
  exchanges: number;
  add(entry: TapeEntry): TapeLine;
}

export function createRecorder(): Recorder {
  const start = performance.now();
  const lines: TapeLine[] = [];
  return {
    lines,
    exchanges: 0,
    add(entry) {
      const t = Math.round((performance.now() - start) * 10) / 10;
      const cut = entry.text === undefined ? {} : { text: entry.text.slice(0, TEXT_LIMIT) };
      const line: TapeLine = { n: lines.length + 1, t, ...entry, ...cut };
      lines.push(line);
      return line;
    },
  };
}

/** Passes JSON objects and arrays to `message`, and everything else to `text`. */
export function passOn(
  text: string,
  events: Pick<LinkEvents, "message" | "text">,
  around?: Around,
): void {
  const value = parsed(text);
  if (typeof value === "object" && value !== null) events.message(value, text, around);
  else events.text(text, around);
}

/** True for the first byte of a multi-byte character. */
const isFirst = (byte: number): boolean => byte >= 0xc0;

/** Divides a text in two: within its first or last multi-byte character, or in the middle if it has none. */
export function halves(
  text: string,
  place: "first" | "last" = "first",
): readonly [Uint8Array, Uint8Array] {
  const bytes = Buffer.from(text);
  const letter = place === "first" ? bytes.findIndex(isFirst) : bytes.findLastIndex(isFirst);
  const half = letter < 0 ? bytes.length >> 1 : letter + 1;
  return [bytes.subarray(0, half), bytes.subarray(half)];
}

/** Sends a message to a process in two pieces, divided by {@link halves}. */
export async function sendSplit(link: Link, text: string): Promise<Delivery | undefined> {
  if (link.write === undefined) return link.send(text);
  const [first, second] = halves(`${text}\n`);
  await link.write(first);
  await pause(50);
  await link.write(second);
  return undefined;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

export async function until(holds: () => boolean, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!holds() && performance.now() < end) await pause(20);
}

/** Waits until nothing has been recorded for the given time, but for no more than 20 such periods. */
export async function quiet(
  { lines }: Pick<Recorder, "lines">,
  milliseconds: number,
): Promise<void> {
  for (let waits = 0; waits < 20; waits++) {
    const before = lines.length;
    await pause(milliseconds);
    if (lines.length === before) return;
  }
}

/** Waits until the function that is added to `waiting` is called. Resolves to undefined after the given time. */
export function awaited<Value>(
  waiting: Map<string, (value: Value | undefined) => void>,
  key: string,
  milliseconds: number,
): Promise<Value | undefined> {
  return new Promise((resolve) => {
    const settle = (value: Value | undefined): void => {
      clearTimeout(timer);
      waiting.delete(key);
      resolve(value);
    };
    const timer = setTimeout(settle, milliseconds, undefined);
    waiting.set(key, settle);
  });
}

/** Resolves to true if the promise settles within the given time, even if it rejects. */
export async function isWithin(milliseconds: number, done: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false);
  });
  const settled = Promise.allSettled([done]).then(() => true);
  const result = await Promise.race([settled, late]);
  clearTimeout(timer);
  return result;
}
