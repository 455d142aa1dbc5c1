import { TAPE_VERSION, TapeError, type TapeHead, type TapeLine } from "./tape-format.js";
import { isMembers } from "./json-value.js";

/** The path of a tape, or its text or bytes in pieces of any size. */
export type TapeSource =
  string | Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** The maximum length of a line, in characters. */
const LINE_LIMIT = 64 * 1024 * 1024;

/** A tape that is being read, with its head and an iterable over the lines after it. */
export interface OpenTape extends AsyncIterable<TapeLine> {
  readonly head: TapeHead;
}

/**
 * Opens a tape and reads its head. Lines are read as they are iterated, so memory use does not grow with the tape's
 * length. A last line without a line end is ignored if it is not valid JSON, because the recorder may have been stopped
 * while writing it.
 *
 * @throws TapeError if the source is not a tape
 */
export async function openTape(source: TapeSource): Promise<OpenTape> {
  const lines = jsonLines(source);
  const first = await lines.next();
  if (first.done) throw new TapeError(1, "the file is empty", false);
  const head = headOf(first.value.value);
  return {
    head,
    async *[Symbol.asyncIterator]() {
      for await (const { number, value, text } of lines) yield lineOf(number, value, text);
    },
  };
}

/** Reads the lines after a tape's head, as {@link openTape} does. */
export async function* readTape(source: TapeSource): AsyncGenerator<TapeLine, void, undefined> {
  yield* await openTape(source);
}

interface JsonLine {
  readonly number: number;
  readonly text: string;
  readonly value: unknown;
}

async function* jsonLines(source: TapeSource): AsyncGenerator<JsonLine, void, undefined> {
  let number = 0;
  for await (const { text, isWhole } of textLines(source)) {
    number++;
    if (text.trim() === "") continue;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (!isWhole) return;
      throw new TapeError(number, "it is not JSON", number > 1);
    }
    yield { number, text, value };
  }
}

async function* textLines(
  source: TapeSource,
): AsyncGenerator<{ readonly text: string; readonly isWhole: boolean }, void, undefined> {
  // This is loaded only for files, because this module also runs in browsers.
  const chunks =
    typeof source === "string" ? (await import("node:fs")).createReadStream(source) : source;
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  let number = 1;
  for await (const chunk of chunks) {
    const text = typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      parts.push(text.slice(start, end));
      yield { text: parts.join(""), isWhole: true };
      parts.length = 0;
      length = 0;
      number++;
      start = end + 1;
    }
    parts.push(text.slice(start));
    length += text.length - start;
    if (length > LINE_LIMIT)
      throw new TapeError(number, `it is longer than ${LINE_LIMIT} characters`);
  }
  if (length > 0) yield { text: parts.join(""), isWhole: false };
}

function headOf(value: unknown): TapeHead {
  if (!isMembers(value) || !Number.isInteger(value.tape)) {
    throw new TapeError(1, 'a tape begins with { "tape": 1, … }', false);
  }
  if ((value.tape as number) > TAPE_VERSION) {
    throw new TapeError(1, `version ${String(value.tape)} is newer than this program; update it`);
  }
  const { transport } = value;
  if (transport !== "stdio" && transport !== "http" && transport !== "sse") {
    throw new TapeError(1, "`transport` must be stdio, http or sse");
  }
  return value as unknown as TapeHead;
}

function lineOf(number: number, value: unknown, source: string): TapeLine {
  if (!isMembers(value)) throw new TapeError(number, "it must be an object");
  const { n, t, from, conversation } = value;
  if (!Number.isInteger(n) || (n as number) < 1) {
    throw new TapeError(number, "`n` must be a positive integer");
  }
  if (from !== undefined && from !== "client" && from !== "server") {
    throw new TapeError(number, "`from` must be client or server");
  }
  if (from === undefined && ("message" in value || "text" in value)) {
    throw new TapeError(number, "`from` is missing");
  }
  return {
    ...value,
    n: n as number,
    t: typeof t === "number" ? t : 0,
    conversation: Number.isInteger(conversation) ? (conversation as number) : 1,
    source,
  };
}
