import { isUtf8 } from "node:buffer";
import { ts } from "ts-morph";
import { FileTooLargeError, readBytes } from "../load/read-bytes.js";

/** The maximum size, in bytes, of a project file that is read. */
const LIMIT = 64 * 1024 * 1024;

export interface ProjectText {
  /** The full text of the file, including a byte order mark. */
  readonly text: string;
  /** False if writing the text as UTF-8 would damage the file. */
  readonly isUtf8: boolean;
}

/**
 * Reads a project file. A UTF-16 file is recognized by its byte order mark.
 *
 * @throws as `readBytes` does, and `FileTooLargeError`
 */
export function projectText(file: string): ProjectText {
  const bytes = readBytes(file, LIMIT);
  if (bytes.length > LIMIT) throw new FileTooLargeError(`${file} is larger than ${LIMIT} bytes`);
  const decoder = new TextDecoder(encodingOf(bytes), { ignoreBOM: true });
  return { text: decoder.decode(bytes), isUtf8: isUtf8(bytes) };
}

function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/**
 * Runs a function that parses or walks a project file. Returns undefined if the file is nested too deeply, because the
 * parser is recursive.
 */
export function unlessTooDeep<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The compiler's parser keeps state from one file to the next, and discards it only at the end of a file. Parsing
    // an empty file discards the state that the failed one left behind.
    ts.createSourceFile("empty.ts", "", ts.ScriptTarget.Latest);
    return undefined;
  }
}
