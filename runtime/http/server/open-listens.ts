import { Tally } from "../../ground/index.js";
import type { ByteBudget } from "./byte-budget.js";
import { OVERLOADED, TOO_MANY_STREAMS, type Problem } from "./problem.js";
import type { StatelessPost } from "./stateless-post.js";

/** Open subscriptions, by their authenticated senders. */
export class OpenListens {
  readonly #limit: number;
  readonly #kept: ByteBudget;
  readonly #perPrincipal = new Tally<string>();
  #size = 0;

  /**
   * @param limit - subscriptions of one sender
   * @param kept - bytes of the messages that opened subscriptions and sessions
   */
  constructor(limit: number, kept: ByteBudget) {
    this.#limit = limit;
    this.#kept = kept;
  }

  get size(): number {
    return this.#size;
  }

  /** Problem of one more, of so many bytes, when that would be too many. */
  whyFull(principal: string | undefined, size: number): Problem | undefined {
    const own = principal === undefined ? 0 : this.#perPrincipal.of(principal);
    if (own >= this.#limit) return TOO_MANY_STREAMS;
    return this.#kept.hasRoom(size) ? undefined : OVERLOADED;
  }

  add({ account, size }: StatelessPost): void {
    this.#size += 1;
    this.#kept.charge(size);
    if (account !== undefined) this.#perPrincipal.add(account, 1);
  }

  delete({ account, size }: StatelessPost): void {
    this.#size -= 1;
    this.#kept.give(size);
    if (account !== undefined) this.#perPrincipal.add(account, -1);
  }
}
