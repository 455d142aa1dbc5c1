/** Bytes that the bodies may have that are being read at once, whosever they are. */
export class ReadBudget {
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Reserves bytes; false when that exceeds the budget. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#most) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
