/**
 * Keeps messages in order where that matters: whatever follows a notification waits until the server has taken
 * that. Requests do not wait for each other.
 */
export class Outbox {
  #last: Promise<void> | undefined;
  readonly #open = new Set<Promise<void>>();

  /** @param deliver - resolves when the server has taken the notification; never rejects */
  notify(deliver: () => Promise<void>): Promise<void> {
    const delivered = this.#follow(deliver);
    this.#last = delivered;
    this.#track(delivered);
    return delivered;
  }

  /** Sends an answer. */
  answer(deliver: () => Promise<void>): void {
    this.#track(this.#follow(deliver));
  }

  request(deliver: () => Promise<void>): void {
    void this.#follow(deliver);
  }

  /** Resolves when all notifications and answers have been taken. */
  async flushed(): Promise<void> {
    await Promise.all(this.#open);
  }

  #follow(deliver: () => Promise<void>): Promise<void> {
    return this.#last ? this.#last.then(deliver) : deliver();
  }

  #track(delivered: Promise<void>): void {
    this.#open.add(delivered);
    void delivered.then(() => {
      this.#open.delete(delivered);
      if (this.#last === delivered) this.#last = undefined;
    });
  }
}
