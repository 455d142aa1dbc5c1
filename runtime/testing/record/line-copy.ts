import type { TapeEntry } from "../tape/index.js";

/** Longest line that is kept, in characters; of a longer one, the tape has the beginning as text. */
const LONGEST = 64 * 1024 * 1024;

/** Splits a copy of a byte stream into lines. */
export interface LineCopy {
  add(chunk: Uint8Array): void;
  /** Passes on a last line without an end. */
  end(): void;
}

/** Creates a splitter that passes each line that is not empty. */
export function lineCopy(onLine: (line: string) => void): LineCopy {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let parts: string[] = [];
  let length = 0;
  const add = (text: string): void => {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      parts.push(text.slice(start, end));
      pass();
      start = end + 1;
    }
    if (start === text.length) return;
    length += text.length - start;
    if (length <= LONGEST) parts.push(text.slice(start));
  };
  const pass = (): void => {
    const line = parts.join("").replace(/\r$/, "");
    parts = [];
    length = 0;
    if (line.trim() !== "") onLine(line);
  };
  return {
    add: (chunk) => add(decoder.decode(chunk, { stream: true })),
    end() {
      add(decoder.decode());
      pass();
    },
  };
}

/** Members of a line for a text: a message if it is JSON, or the text. */
export function contentOf(text: string): Pick<TapeEntry, "messageText" | "text"> {
  try {
    JSON.parse(text);
    return { messageText: text };
  } catch {
    return { text };
  }
}
