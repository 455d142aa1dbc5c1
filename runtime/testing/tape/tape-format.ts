/** The format version that this module writes, and the newest version that it reads. */
export const TAPE_VERSION = 1;

/** The maximum length of the text in a line, in UTF-8 bytes. Text is output that was not a message. */
export const TEXT_LIMIT = 4096;

export type TapeTransport = "stdio" | "http" | "sse";

/** The first line of a tape. For privacy, it contains no time, host name or environment. */
export interface TapeHead {
  readonly tape: number;
  /** The command that was started; absent if the server was reached at a URL. */
  readonly command?: readonly string[];
  /** The server's URL; absent if the server was started by a command. */
  readonly url?: string;
  readonly transport: TapeTransport;
  /** The program that wrote the tape. */
  readonly generator?: string;
}

/** The HTTP request or response that contained a message or event. Header field names are in lower case. */
export interface TapeHttp {
  /** The number of the exchange, starting at 1. A request and its response have the same number. */
  readonly exchange?: number;
  /** The method of a request, such as `POST`. */
  readonly method?: string;
  /** The status of a response. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a message in an event stream. */
  readonly stream?: boolean;
  /** The type and id, if any, of the event that contained the message. */
  readonly event?: { readonly type?: string; readonly id?: string };
}

/** The way in which a message's framing on a standard stream deviates from the specification. */
export type Framing = "byte order mark" | "carriage return" | "empty line" | "not UTF-8";

/**
 * A line after the head. It has a `message`, a `text` (output that was not a message) or an `event`. Members that are
 * not listed here are ignored.
 */
export interface TapeLine {
  /** The line's number, starting at 1 after the head. */
  readonly n: number;
  /** The time since the recording began, in milliseconds. */
  readonly t: number;
  readonly from?: "client" | "server";
  /** The number of the conversation, starting at 1. A conversation is a connection or, over HTTP, a session. */
  readonly conversation: number;
  /** The JSON-RPC message as it was received, even if it is invalid; an array for a batch. */
  readonly message?: unknown;
  /** Output that was not JSON, shortened to {@link TEXT_LIMIT} bytes. */
  readonly text?: string;
  /**
   * `closed` means that one side has ended the conversation. `request` and `response` mean an HTTP request or response
   * without a message.
   */
  readonly event?: "closed" | "request" | "response" | (string & {});
  /** The exit code of the process that ended; null if it was ended by a signal. */
  readonly code?: number | null;
  readonly http?: TapeHttp;
  /** Present if the line was not exactly one message in UTF-8, followed by a line feed. */
  readonly framing?: Framing;
  /** The line's text in the file, in which numbers are exact. Set only when a tape is read. */
  readonly source?: string;
}

/** The content of a line. The writer adds the number and the time. */
export interface TapeEntry extends Omit<TapeLine, "n" | "t" | "source"> {
  /** The message's text as it was received, which is written instead of `message`. */
  readonly messageText?: string;
}

/** Indicates that a file is not a valid tape. `line` is the line's number in the file, starting at 1. */
export class TapeError extends Error {
  override readonly name = "TapeError";
  readonly line: number;
  readonly problem: string;
  /** False if the file is not a tape at all. */
  readonly isTape: boolean;

  constructor(line: number, problem: string, isTape = true) {
    super(`Line ${line} of the tape: ${problem}`);
    this.line = line;
    this.problem = problem;
    this.isTape = isTape;
  }
}

/** Creates the error for a tape that has a head and nothing else to check or show. */
export function emptyTape(): TapeError {
  return new TapeError(1, "no message follows it");
}
