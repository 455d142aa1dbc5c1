/** Bytes that may be in use at once, whosever they are. */
export class ByteBudget {
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes;
  }

  /** True when there is room for so many bytes. */
  hasRoom(bytes: number): boolean {
    return this.#bytes + bytes <= this.#most;
  }

  /** Reserves bytes; false when that exceeds the budget. */
  take(bytes: number): boolean {
    if (!this.hasRoom(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Counts bytes that somebody has looked for room for before. */
  charge(bytes: number): void {
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
