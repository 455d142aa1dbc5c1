import { isUtf8 } from "node:buffer";
import type { Framing, TapeEntry } from "../tape/index.js";
import { parsed } from "../tape/json-value.js";

/** The maximum length of a line, in bytes. Only the beginning of a longer line is recorded, as text. */
const LONGEST = 64 * 1024 * 1024;
const LINE_FEED = 10;

export interface LineCopy {
  add(chunk: Uint8Array): void;
  /** Passes on the last line if it has no line feed. */
  end(): void;
}

/** Creates a splitter that passes on each line without its line end, along with any fault in the line's framing. */
export function lineCopy(
  onLine: (line: string, framing: Framing | undefined) => void,
  longest: number = LONGEST,
): LineCopy {
  let parts: Uint8Array[] = [];
  let length = 0;
  const keep = (bytes: Uint8Array): void => {
    length += bytes.length;
    if (length <= longest) parts.push(bytes);
  };
  const pass = (): void => {
    const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
    parts = [];
    length = 0;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    const line = text.replace(/^\ufeff/, "").replace(/\r$/, "");
    onLine(line, framingOf(bytes, text, line));
  };
  return {
    add(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        keep(chunk.subarray(start, end));
        pass();
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
    },
    end() {
      if (parts.length > 0) pass();
    },
  };
}

function framingOf(bytes: Uint8Array, text: string, line: string): Framing | undefined {
  if (line.trim() === "") return "empty line";
  if (!isUtf8(bytes)) return "not UTF-8";
  if (text.startsWith("\ufeff")) return "byte order mark";
  return text.endsWith("\r") ? "carriage return" : undefined;
}

export function contentOf(text: string): Pick<TapeEntry, "messageText" | "text"> {
  return parsed(text) === undefined ? { text } : { messageText: text };
}
