import { LINE_BREAK } from "../position.js";

export class SourceLines {
  readonly #text: string;
  readonly #starts: readonly number[];

  /** Removes a byte order mark, because positions do not count it. */
  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, "");
    const breaks = this.#text.matchAll(new RegExp(LINE_BREAK, "g"));
    this.#starts = [0, ...Array.from(breaks, (found) => found.index + found[0].length)];
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Returns the offset of a line's first character. Lines are numbered from 1. */
  start(line: number): number {
    return this.#starts[line - 1] ?? this.#text.length;
  }

  text(line: number): string {
    return this.#text
      .slice(this.start(line), this.start(line + 1))
      .replace(/(?:\r\n|[\n\r\u2028\u2029])$/, "");
  }

  /**
   * Returns the number of the line that contains an offset.
   *
   * @param from - the line at which to start searching, at or before the offset
   */
  lineAt(offset: number, from: number): number {
    let line = from;
    while (line < this.count && this.start(line + 1) <= offset) line++;
    return line;
  }
}
