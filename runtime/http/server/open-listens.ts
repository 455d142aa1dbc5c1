import { Tally } from "../../ground/index.js";
import { TOO_MANY_STREAMS, type Problem } from "./problem.js";
import type { StandalonePost } from "./standalone-post.js";

/** The subscriptions that are open, by who has opened them. */
export class OpenListens {
  readonly #limit: number;
  readonly #perPrincipal = new Tally<string>();

  /** @param limit - of one authenticated sender */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Why one more would be too many. */
  whyFull(principal: string | undefined): Problem | undefined {
    const own = principal === undefined ? 0 : this.#perPrincipal.of(principal);
    return own >= this.#limit ? TOO_MANY_STREAMS : undefined;
  }

  add({ account }: StandalonePost): void {
    if (account !== undefined) this.#perPrincipal.add(account, 1);
  }

  delete({ account }: StandalonePost): void {
    if (account !== undefined) this.#perPrincipal.add(account, -1);
  }
}
