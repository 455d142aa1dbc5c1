const NEWLINE = 10;

/** Counts lines by their ends, and reads only every `every`th line. */
export class LineCounter {
  readonly #every: number;
  readonly #read: (line: string) => void;
  #parts: Buffer[] = [];
  count = 0;

  constructor(every: number, read: (line: string) => void) {
    this.#every = every;
    this.#read = read;
  }

  /** @returns the number of lines that end in the chunk */
  push(chunk: Buffer): number {
    const before = this.count;
    let from = 0;
    for (let end; (end = chunk.indexOf(NEWLINE, from)) !== -1; from = end + 1) {
      if (this.count % this.#every === 0) this.#read(this.#line(chunk.subarray(from, end)));
      if (this.#parts.length > 0) this.#parts = [];
      this.count += 1;
    }
    if (from < chunk.length) this.#parts.push(chunk.subarray(from));
    return this.count - before;
  }

  #line(end: Buffer): string {
    return Buffer.concat([...this.#parts, end]).toString();
  }
}
