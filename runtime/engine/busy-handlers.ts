import type { Handling } from "./handling.js";
import { Tally } from "../ground/index.js";

/** Handlers that have not come back, those included that nobody waits for any more. */
export class BusyHandlers {
  /** Made with the first one, as all that most connections hardly ever need: there can be many of them. */
  #all: Set<Handling> | undefined;
  /** How many are at work for each sender, where a connection serves many. */
  #perSender: Tally<string> | undefined;

  get all(): Iterable<Handling> {
    return this.#all ?? [];
  }

  /** Whether there is no room for one more; a sender among many gets half of it. */
  isFull(handling: Handling, limit: number): boolean {
    if (this.#all === undefined || this.#all.size === 0) return false;
    if (this.#all.size >= 2 * limit) return true;
    const sender = senderOf(handling);
    return sender !== undefined && (this.#perSender?.of(sender) ?? 0) >= limit;
  }

  add(handling: Handling): void {
    this.#all ??= new Set();
    if (this.#all.has(handling)) return;
    this.#all.add(handling);
    this.#count(handling, 1);
  }

  delete(handling: Handling): void {
    if (this.#all?.delete(handling)) this.#count(handling, -1);
  }

  clear(): void {
    this.#all = undefined;
    this.#perSender = undefined;
  }

  #count(handling: Handling, change: 1 | -1): void {
    const sender = senderOf(handling);
    if (sender !== undefined) (this.#perSender ??= new Tally()).add(sender, change);
  }
}

function senderOf({ hasStream, auth }: Handling): string | undefined {
  return hasStream ? auth?.principal : undefined;
}
