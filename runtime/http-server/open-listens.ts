import { TOO_MANY_STREAMS, type Problem } from "./problem.js";
import type { StandalonePost } from "./standalone-post.js";

/** The subscriptions that are open, by who has opened them. */
export class OpenListens {
  readonly #limit: number;
  readonly #perPrincipal = new Map<string, number>();

  /** @param limit - of one authenticated sender */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Why one more would be too many. */
  whyFull(principal: string | undefined): Problem | undefined {
    const own = principal === undefined ? 0 : (this.#perPrincipal.get(principal) ?? 0);
    return own >= this.#limit ? TOO_MANY_STREAMS : undefined;
  }

  add(post: StandalonePost): void {
    this.#count(post, 1);
  }

  delete(post: StandalonePost): void {
    this.#count(post, -1);
  }

  #count({ account }: StandalonePost, change: number): void {
    if (account === undefined) return;
    const own = (this.#perPrincipal.get(account) ?? 0) + change;
    if (own > 0) this.#perPrincipal.set(account, own);
    else this.#perPrincipal.delete(account);
  }
}
