import type { Handling } from "./handling.js";

/** Handlers that have not come back, those included that nobody waits for any more. */
export class BusyHandlers {
  readonly #all = new Set<Handling>();
  /** How many are at work for each sender, where a connection serves many. */
  readonly #perSender = new Map<string, number>();

  get all(): ReadonlySet<Handling> {
    return this.#all;
  }

  /** Whether there is no room for one more; a sender among many gets half of it. */
  isFull(handling: Handling, limit: number): boolean {
    if (this.#all.size >= 2 * limit) return true;
    const sender = senderOf(handling);
    return sender !== undefined && (this.#perSender.get(sender) ?? 0) >= limit;
  }

  add(handling: Handling): void {
    if (this.#all.has(handling)) return;
    this.#all.add(handling);
    this.#count(handling, 1);
  }

  delete(handling: Handling): void {
    if (this.#all.delete(handling)) this.#count(handling, -1);
  }

  clear(): void {
    this.#all.clear();
    this.#perSender.clear();
  }

  #count(handling: Handling, change: 1 | -1): void {
    const sender = senderOf(handling);
    if (sender === undefined) return;
    const count = (this.#perSender.get(sender) ?? 0) + change;
    if (count > 0) this.#perSender.set(sender, count);
    else this.#perSender.delete(sender);
  }
}

function senderOf({ hasStream, auth }: Handling): string | undefined {
  return hasStream ? auth?.principal : undefined;
}
