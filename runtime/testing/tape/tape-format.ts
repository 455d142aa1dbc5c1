/** Version of the format that this module writes, and the newest version that it reads. */
export const TAPE_VERSION = 1;

/** Maximum length of the text in a line, in UTF-8 bytes; text is output that was not a message. */
export const TEXT_LIMIT = 4096;

export type TapeTransport = "stdio" | "http" | "sse";

/** First line of a tape. For privacy, it contains no time, host name or environment. */
export interface TapeHead {
  readonly tape: number;
  /** Command that was started; absent if the server was reached at a URL. */
  readonly command?: readonly string[];
  /** URL of the server; absent if the server was started by a command. */
  readonly url?: string;
  readonly transport: TapeTransport;
  /** Program that wrote the tape. */
  readonly generator?: string;
}

/** HTTP request or response that contained a message or event. Names of header fields are in lower case. */
export interface TapeHttp {
  /** Number of the exchange, beginning with 1. A request and its response have the same number. */
  readonly exchange?: number;
  /** Method of a request, such as `POST`. */
  readonly method?: string;
  /** Status of a response. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** True for a message in an event stream. */
  readonly stream?: boolean;
  /** Type and id of the event that contained a message, if it had them. */
  readonly event?: { readonly type?: string; readonly id?: string };
}

/** Deviation of the framing of a message on a standard stream from the specification. */
export type Framing = "byte order mark" | "carriage return" | "empty line" | "not UTF-8";

/**
 * One line after the head. It has a `message`, a `text` (output that was not a message) or an `event`.
 * Members that are not listed here are ignored.
 */
export interface TapeLine {
  /** Number of the line, beginning with 1 after the head. */
  readonly n: number;
  /** Milliseconds since the recording began. */
  readonly t: number;
  readonly from?: "client" | "server";
  /** Number of the conversation (a connection, or a session over HTTP), beginning with 1. */
  readonly conversation: number;
  /** JSON-RPC message as it was received, even if it is invalid; an array for a batch. */
  readonly message?: unknown;
  /** Output that was not JSON, shortened to {@link TEXT_LIMIT} bytes. */
  readonly text?: string;
  /**
   * `closed`: one side has ended the conversation. `request` and `response`: an HTTP request or response without a
   * message.
   */
  readonly event?: "closed" | "request" | "response" | (string & {});
  /** Exit code of the process that ended; null if a signal ended it. */
  readonly code?: number | null;
  readonly http?: TapeHttp;
  /** Present if the line was not exactly one message in UTF-8, followed by a line feed. */
  readonly framing?: Framing;
  /** Text of the line in the file, in which numbers are exact; set only when a tape is read. */
  readonly source?: string;
}

/** Content of a line, to which the writer adds number and time. */
export interface TapeEntry extends Omit<TapeLine, "n" | "t" | "source"> {
  /** Text of the message as it was received; it is written instead of `message`. */
  readonly messageText?: string;
}

/** Error for a file that is not a valid tape. `line` is the number of the line in the file, beginning with 1. */
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
