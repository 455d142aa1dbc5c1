/** AnswerQueue that are sent at once: a server decides how often it asks, and when it takes what it is told. */
const AT_ONCE = 4;
/** AnswerQueue that may wait for that, and the characters of all of them. */
const MOST_WAITING = 10_000;
const MOST_CHARACTERS = 64 * 1024 * 1024;

interface Waiting {
  readonly size: number;
  readonly deliver: () => Promise<void>;
}

/** The answers of a client, a few at a time. */
export class AnswerQueue {
  #sending = 0;
  #waiting = new Set<Waiting>();
  #size = 0;
  #settle: (() => void) | undefined;

  /**
   * @param deliver - resolves when the server has taken it; never rejects
   * @returns whether there was room for it; if not, all that waited is dropped
   */
  add(size: number, deliver: () => Promise<void>): boolean {
    if (this.#sending < AT_ONCE) {
      this.#send(deliver);
      return true;
    }
    if (this.#waiting.size >= MOST_WAITING || this.#size + size > MOST_CHARACTERS) {
      this.#waiting.clear();
      this.#size = 0;
      return false;
    }
    this.#waiting.add({ size, deliver });
    this.#size += size;
    return true;
  }

  /** Resolves when none is left. */
  async flushed(): Promise<void> {
    if (this.#sending > 0) await new Promise<void>((resolve) => (this.#settle = resolve));
  }

  #send(deliver: () => Promise<void>): void {
    this.#sending += 1;
    void deliver().then(this.#sent);
  }

  readonly #sent = (): void => {
    this.#sending -= 1;
    for (const next of this.#waiting) {
      this.#waiting.delete(next);
      this.#size -= next.size;
      return this.#send(next.deliver);
    }
    if (this.#sending === 0) this.#settle?.();
  };
}
