/** Version of the format that this module writes, and the newest that it reads. */
export const TAPE_VERSION = 1;

/** Longest text, in UTF-8 bytes, that a line keeps of output that was not a message. */
export const TEXT_LIMIT = 4096;

export type TapeTransport = "stdio" | "http" | "sse";

/** First line of a tape. It contains no time, host name or environment. */
export interface TapeHead {
  readonly tape: number;
  /** Command that was started; absent if the server has a URL. */
  readonly command?: readonly string[];
  /** URL of the server; absent if it was started. */
  readonly url?: string;
  readonly transport: TapeTransport;
  /** Program that wrote the tape. */
  readonly generator?: string;
}

/** HTTP around a message or an event. Names of header fields are in lower case. */
export interface TapeHttp {
  /** Number of the exchange, from 1; a request and its response have the same number. */
  readonly exchange?: number;
  /** Method of a request: `POST`. */
  readonly method?: string;
  /** Status of a response. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a message in an event stream. */
  readonly stream?: boolean;
  /** Type and id of the event that a message was in, if it had them. */
  readonly event?: { readonly type?: string; readonly id?: string };
}

/** Fault in the framing of a message on a standard stream. */
export type Framing = "byte order mark" | "carriage return" | "empty line" | "not UTF-8";

/**
 * One line after the head. It has a `message`, a `text` (output that was not a message) or an `event`.
 * Members that are not listed here are ignored.
 */
export interface TapeLine {
  /** Number of the line, from 1. */
  readonly n: number;
  /** Milliseconds since the head. */
  readonly t: number;
  readonly from?: "client" | "server";
  /** Number of the conversation (a connection, or a session over HTTP), from 1. */
  readonly conversation: number;
  /** JSON-RPC message as received, possibly not a valid one; an array for a batch. */
  readonly message?: unknown;
  /** Output that was not JSON, at most {@link TEXT_LIMIT} bytes of it. */
  readonly text?: string;
  /** `closed`: one side ended the conversation. `request` and `response`: HTTP without a message. */
  readonly event?: "closed" | "request" | "response" | (string & {});
  /** Exit code of the process that ended; null if a signal ended it. */
  readonly code?: number | null;
  readonly http?: TapeHttp;
  /** Present if the line was not exactly one message in UTF-8, followed by a line feed. */
  readonly framing?: Framing;
  /** Text of the line in the file, for numbers that JSON does not preserve; set by the reader only. */
  readonly source?: string;
}

/** Line without the members that the writer adds. */
export interface TapeEntry extends Omit<TapeLine, "n" | "t" | "source"> {
  /** Text of the message as received, which is written instead of `message`. */
  readonly messageText?: string;
}

/** Error for a file that is not a tape. `line` counts from 1. */
export class TapeError extends Error {
  override readonly name = "TapeError";
  readonly line: number;
  readonly problem: string;
  /** False for a file that is no tape at all. */
  readonly isTape: boolean;

  constructor(line: number, problem: string, isTape = true) {
    super(`Line ${line} of the tape: ${problem}`);
    this.line = line;
    this.problem = problem;
    this.isTape = isTape;
  }
}
