import type { TapeEntry, TapeHttp, TapeLine } from "../../tape/index.js";
import { parsed } from "../../tape/json-value.js";

/** Maximum number of bytes that one conversation reads. */
export const BYTE_LIMIT: number = 32 * 1024 * 1024;
/** Maximum number of lines that one conversation records. */
export const LINE_LIMIT: number = 5_000;
/** Maximum length of recorded text that is not a message, in characters. */
const TEXT_LIMIT = 4_096;

/** End of a peer, and its cause. */
export interface Ending {
  /** Exit code of the process; null if a signal ended it; undefined for a connection. */
  readonly code?: number | null;
  readonly signal?: string | null;
  /** Cause: the peer itself, the end of its input, a signal from this program, or a limit that the peer exceeded. */
  readonly by: "itself" | "eof" | "SIGTERM" | "SIGKILL" | "limit";
  /** The last lines of its standard error. */
  readonly stderr: string;
  /** Reason why the peer could not be reached; undefined if it could. */
  readonly problem?: string | undefined;
}

/** Status and headers of an HTTP response, and the state of its body. */
export interface Delivery {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Last event id and last `retry` of an event stream so far; whether it has ended without an empty line. */
  readonly stream?: { readonly last?: string; readonly retry?: number; readonly isCut?: boolean };
  /** Address that returned this response, if the server announced it. */
  readonly address?: string;
  /** Resolves when the body has been read. */
  readonly done: Promise<void>;
  /** Stops reading the body. */
  cancel(): void;
}

/** HTTP exchange and framing of a message, as on a tape. */
export type Around = Pick<TapeEntry, "http" | "framing">;

/** Callbacks for what a peer sends. */
export interface LinkEvents {
  message(value: unknown, text: string, around?: Around): void;
  text(text: string, around?: Around): void;
  /** Called with an HTTP response without a body. */
  empty(http: TapeHttp): void;
  ended(ending: Ending): void;
}

/** Connection to a peer for one conversation. It sends and receives anything, valid or not. */
export interface Link {
  readonly transport: "stdio" | "http" | "sse" | "memory";
  /** Resolves when the process has ended; never over HTTP. */
  readonly ended: Promise<Ending>;
  /**
   * Sends the text of a message.
   * @param exchange - number of the HTTP exchange on the tape
   * @returns the HTTP response; undefined over stdio
   */
  send(
    text: string,
    headers?: Readonly<Record<string, string>>,
    exchange?: number,
  ): Promise<Delivery | undefined>;
  /** Writes bytes unchanged; absent over HTTP. */
  write?(bytes: string | Uint8Array): Promise<void>;
  /** Id of the process, if there is one. */
  readonly pid?: number | undefined;
  /**
   * Opens the stream of a session for messages from the server that belong to no request, or resumes another stream
   * with `last-event-id`; absent over stdio.
   */
  listen?(headers: Readonly<Record<string, string>>, exchange: number): Promise<Delivery>;
  /** Ends the conversation. Resolves when the process or connection has ended. */
  close(how?: "eof" | "SIGTERM" | "SIGKILL"): Promise<Ending>;
}

/** Tape in memory. */
export interface Recorder {
  readonly lines: TapeLine[];
  /** Number of HTTP exchanges so far. */
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

/** Passes text on as a message if it is JSON, and otherwise as text. */
export function passOn(
  text: string,
  events: Pick<LinkEvents, "message" | "text">,
  around?: Around,
): void {
  const value = parsed(text);
  if (typeof value === "object" && value !== null) events.message(value, text, around);
  else events.text(text, around);
}

/** Sends the text of a message in two pieces, within a letter if it has one of several bytes; over HTTP, in one piece. */
export async function sendSplit(link: Link, text: string): Promise<Delivery | undefined> {
  if (link.write === undefined) return link.send(text);
  const bytes = Buffer.from(`${text}\n`);
  const letter = bytes.findIndex((byte) => byte >= 0x80);
  const half = letter < 0 ? bytes.length >> 1 : letter + 1;
  await link.write(bytes.subarray(0, half));
  await pause(50);
  await link.write(bytes.subarray(half));
  return undefined;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits until a condition holds, but no longer than the given time. */
export async function until(holds: () => boolean, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!holds() && performance.now() < end) await pause(20);
}

/** Waits until nothing has been recorded for the given time; stops after 20 such periods. */
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

/** Waits for the value with a key; returns undefined if there is none in time. */
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

/** Returns true if the promise settles in time. */
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
