import { type DecodeOptions, deliver } from "../messages/decode.js";
import { INVALID_REQUEST, isRequestId, PARSE_ERROR, type RequestId } from "../messages/jsonrpc.js";
import type { Receiver } from "../messages/transport.js";

export interface FramingOptions extends DecodeOptions {
  /**
   * The maximum length of a line without its newline, in bytes. A longer line is skipped, and the request that it
   * answers fails immediately. Default: 64 MiB for a client, 4 MiB for a server.
   */
  readonly maxLineBytes?: number;
}

const DEFAULT_MAX_LINE_BYTES = 4 * 1024 * 1024;

/**
 * The maximum length of a skipped line, as a multiple of the maximum line length. If it is exceeded, the connection is
 * closed.
 */
const MAX_DISCARDED_LINES = 16;

const NEWLINE = 0x0a;

/** The first character of most messages. */
const OPENING = 0x7b;

/**
 * Splits a byte stream into lines, each of which is one message (MCP: stdio). Chunks may have any size. Buffers at most
 * one line of the maximum length; a longer line is reported once and skipped to its end. Blank lines, a byte order mark
 * at the start and carriage returns are tolerated, but invalid UTF-8 is not.
 */
export class LineFraming {
  readonly #receiver: Receiver;
  readonly #options: FramingOptions;
  readonly #limit: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #partial = emptyBuffer();
  #skipped: SkippedLine | undefined;
  #isFirst = true;

  constructor(receiver: Receiver, options: FramingOptions = {}) {
    this.#receiver = receiver;
    this.#options = options;
    this.#limit = options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES;
  }

  /**
   * Handles the next bytes of the stream.
   * @throws RangeError if a line is so long that its end is no longer awaited
   */
  push(chunk: Uint8Array): void {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end < 0) return this.#hold(chunk);
    let start = 0;
    if (this.#partial.length > 0 || this.#skipped) {
      start = chunk.indexOf(NEWLINE) + 1;
      this.#completeLine(chunk.subarray(0, start - 1));
    }
    if (start <= end) this.#lines(chunk.subarray(start, end));
    if (end + 1 < chunk.length) this.#hold(chunk.subarray(end + 1));
  }

  /** Ends the stream. Text after the last newline counts as a line. */
  end(): void {
    this.#completeLine(NO_BYTES);
  }

  #lines(bytes: Uint8Array): void {
    const text = bytes.length <= this.#limit ? this.#decode(bytes) : undefined;
    let start = 0;
    if (text !== undefined) {
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
        this.#text(text.slice(start, end));
        start = end + 1;
      }
      return this.#text(start === 0 ? text : text.slice(start));
    }
    while (start <= bytes.length) {
      const newline = bytes.indexOf(NEWLINE, start);
      const end = newline < 0 ? bytes.length : newline;
      this.#line(bytes.subarray(start, end));
      start = end + 1;
    }
  }

  #line(bytes: Uint8Array): void {
    if (bytes.length > this.#limit) return void this.#refuseLength(bytes, bytes);
    const text = this.#decode(bytes);
    if (text !== undefined) return this.#text(text);
    this.#receiver.malformed({ code: PARSE_ERROR, problem: "the input is not UTF-8" });
  }

  #text(text: string): void {
    const isMarked = this.#isFirst && text.charCodeAt(0) === 0xfeff;
    this.#isFirst = false;
    const line = isMarked ? text.slice(1) : text;
    if (line.charCodeAt(0) === OPENING || !isBlank(line))
      deliver(line, this.#receiver, this.#options);
  }

  #completeLine(rest: Uint8Array): void {
    const skipped = this.#skipped;
    if (skipped) {
      this.#skipped = undefined;
      if (!skipped.isReported) this.#refuseLength(skipped.start, lastBytes(skipped.end, rest));
      return;
    }
    const partial = this.#partial;
    this.#partial = emptyBuffer();
    if (partial.length + rest.length > this.#limit) {
      const start = firstBytes(bytesOf(partial), rest);
      return void this.#refuseLength(start, lastBytes(bytesOf(partial), rest));
    }
    append(partial, rest, this.#limit);
    this.#line(bytesOf(partial));
  }

  #hold(bytes: Uint8Array): void {
    if (this.#skipped) return this.#skip(this.#skipped, bytes);
    const partial = this.#partial;
    if (partial.length + bytes.length <= this.#limit) return append(partial, bytes, this.#limit);
    this.#partial = emptyBuffer();
    const start = firstBytes(bytesOf(partial), bytes);
    const isReported = this.#refuseLength(start);
    this.#skipped = {
      start,
      end: bytesOf(partial).slice(-KEPT_BYTES),
      length: partial.length,
      isReported,
    };
    this.#skip(this.#skipped, bytes);
  }

  #skip(line: SkippedLine, bytes: Uint8Array): void {
    line.length += bytes.length;
    if (!line.isReported) line.end = lastBytes(line.end, bytes);
    if (line.length <= MAX_DISCARDED_LINES * this.#limit) return;
    throw new RangeError(`No newline in ${line.length} bytes`);
  }

  /**
   * Reports a line that is too long, once the request it belongs to is known or nothing more can be learned.
   *
   * @returns false if the end of the line must be read first
   */
  #refuseLength(start: Uint8Array, end?: Uint8Array): boolean {
    this.#isFirst = false;
    const cut = readCutMessage(
      excerpt(start.subarray(0, KEPT_BYTES)),
      end && excerpt(end.subarray(-KEPT_BYTES)),
    );
    if (cut === undefined) return false;
    const problem = `the line is too large, the limit is ${this.#limit} bytes (option maxLineBytes)`;
    this.#receiver.malformed({ code: INVALID_REQUEST, problem, ...cut });
    return true;
  }

  #decode(bytes: Uint8Array): string | undefined {
    try {
      return this.#decoder.decode(bytes);
    } catch {
      return undefined;
    }
  }
}

interface SkippedLine {
  readonly start: Uint8Array;
  end: Uint8Array;
  length: number;
  isReported: boolean;
}

const NO_BYTES = new Uint8Array();

function firstBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  return joined(
    first.subarray(0, KEPT_BYTES),
    second.subarray(0, KEPT_BYTES - Math.min(first.length, KEPT_BYTES)),
  );
}

function lastBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  const end = second.subarray(-KEPT_BYTES);
  const missing = KEPT_BYTES - end.length;
  return joined(missing > 0 ? first.subarray(-missing) : NO_BYTES, end);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Decodes part of a line, which may begin or end in the middle of a character. */
function excerpt(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** A buffer for bytes that arrive in pieces: an array with room for more. */
interface ByteBuffer {
  bytes: Uint8Array;
  length: number;
}

function emptyBuffer(): ByteBuffer {
  return { bytes: NO_BYTES, length: 0 };
}

function bytesOf({ bytes, length }: ByteBuffer): Uint8Array {
  return bytes.subarray(0, length);
}

/** Adds a piece. The array grows by doubling, so single bytes cost no more than large pieces. */
function append(buffer: ByteBuffer, piece: Uint8Array, limit: number): void {
  const needed = buffer.length + piece.length;
  if (needed > buffer.bytes.length) {
    const grown = new Uint8Array(Math.max(needed, Math.min(2 * needed, limit), 256));
    grown.set(bytesOf(buffer));
    buffer.bytes = grown;
  }
  buffer.bytes.set(piece, buffer.length);
  buffer.length = needed;
}

function isBlank(line: string): boolean {
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0d) return false;
  }
  return true;
}

/** The number of bytes to keep from the start, and from the end, of a message that is too long. */
export const KEPT_BYTES = 4096;

export interface CutMessage {
  /**
   * The known members of the message: its id, and its method, `result` or `error`. Undefined if it is not a message.
   */
  readonly value: Record<string, unknown> | undefined;
  /** True if the message may be a response although its id is unknown. */
  readonly mayAnswer: boolean;
}

/**
 * Matches a member of the outermost object. Its value is included if it is neither an object nor an array and ends
 * within the text.
 */
const MEMBER =
  /\s*[{,]\s*"([^"\\]*)"\s*:\s*(?:(-?\d+|"(?:[^"\\]|\\.)*"|true|false|null)(?=\s*[,}]))?/y;

/** Matches an id that is the last member of the outermost object, or that is followed only by the version. */
const LAST_ID = /"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/**
 * Reads facts about a message from its start and end.
 *
 * @param end - undefined until it has arrived
 * @returns undefined if the start does not contain enough and the end may contain more
 */
export function readCutMessage(start: string, end?: string): CutMessage | undefined {
  const text = start.replace(/^\ufeff/, "").trimStart();
  if (!text.startsWith("{") && !text.startsWith("[")) return { value: undefined, mayAnswer: false };
  const members = membersAtStart(text);
  const isOther = "method" in members || "params" in members;
  const id = idOf(members["id"]) ?? idOf(LAST_ID.exec(end ?? "")?.[1]);
  if (id === undefined && end === undefined) return undefined;
  const kind = isOther ? "method" : "error" in members ? "error" : "result";
  const value = { ...(id !== undefined && { id }), [kind]: members[kind] ?? "" };
  return { value, mayAnswer: id === undefined && !isOther };
}

/**
 * Returns the JSON of the members at the start of an object, up to the first member that does not end within `text`. An
 * unfinished member is empty.
 */
function membersAtStart(text: string): Record<string, string> {
  const members: Record<string, string> = {};
  MEMBER.lastIndex = 0;
  for (let found = MEMBER.exec(text); found; found = MEMBER.exec(text)) {
    const [, name = "", value] = found;
    members[name] = value ?? "";
    if (value === undefined) break;
  }
  return members;
}

function idOf(text: string | undefined): RequestId | undefined {
  if (!text) return undefined;
  try {
    const id: unknown = JSON.parse(text);
    return isRequestId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
