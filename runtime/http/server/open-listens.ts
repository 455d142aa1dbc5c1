import { Tally } from "../../ground/index.js";
import { TOO_MANY_STREAMS, type Problem } from "./problem.js";
import type { StatelessPost } from "./stateless-post.js";

/** Open subscriptions, by their authenticated senders. */
export class OpenListens {
  readonly #limit: number;
  readonly #perPrincipal = new Tally<string>();

  /** @param limit - subscriptions of one sender */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Problem of one more, when that would be too many. */
  whyFull(principal: string | undefined): Problem | undefined {
    const own = principal === undefined ? 0 : this.#perPrincipal.of(principal);
    return own >= this.#limit ? TOO_MANY_STREAMS : undefined;
  }

  add({ account }: StatelessPost): void {
    if (account !== undefined) this.#perPrincipal.add(account, 1);
  }

  delete({ account }: StatelessPost): void {
    if (account !== undefined) this.#perPrincipal.add(account, -1);
  }
}
