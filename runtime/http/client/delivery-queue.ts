import { AnswerQueue } from "./answer-queue.js";

/**
 * Keeps messages in order where that matters: whatever follows a notification waits until the server has taken
 * that. Requests do not wait for each other.
 */
export class DeliveryQueue {
  #last: Promise<void> | undefined;
  readonly #open = new Set<Promise<void>>();
  readonly #answers = new AnswerQueue();

  /** @param deliver - resolves when the server has taken the notification; never rejects */
  notify(deliver: () => Promise<void>): Promise<void> {
    const delivered = this.#follow(deliver);
    this.#last = delivered;
    this.#track(delivered);
    return delivered;
  }

  /**
   * Sends an answer.
   * @param size - in characters
   * @returns false when too many wait already
   */
  answer(size: number, deliver: () => Promise<void>): boolean {
    const last = this.#last;
    return this.#answers.add(size, last ? () => last.then(deliver) : deliver);
  }

  request(deliver: () => Promise<void>): void {
    void this.#follow(deliver);
  }

  /** Resolves when all notifications and answers have been taken. */
  async flushed(): Promise<void> {
    await Promise.all([...this.#open, this.#answers.flushed()]);
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
