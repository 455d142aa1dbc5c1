import type { Side } from "./leg.js";
import type { Check } from "./results.js";

/** A check that neither passes nor fails, with the reason why nothing is missed as a result. */
export interface Entry {
  readonly side: Side;
  /** The scenario's name, or a folder of scenarios such as `auth/*`. */
  readonly scenario: string;
  readonly check: string;
  /** The status of the check. Neither failures nor warnings can be explained away. */
  readonly status: "SKIPPED" | "INFO";
  readonly reason: string;
}

/** Records which checks have an explanation, and which explanations are unused. */
export class Ledger {
  readonly #unused: Map<string, Entry>;
  readonly #keys: ReadonlySet<string>;

  constructor(entries: readonly Entry[]) {
    this.#unused = new Map(entries.map((entry) => [keyOf(entry), entry]));
    this.#keys = new Set(this.#unused.keys());
  }

  explains(side: Side, scenario: string, { id, status }: Check): boolean {
    const names = [scenario, scenario.replace(/[^/]+$/, "*")];
    const keys = names.map((name) => keyOf({ side, scenario: name, check: id, status }));
    const found = keys.find((key) => this.#keys.has(key));
    if (found !== undefined) this.#unused.delete(found);
    return found !== undefined;
  }

  get stale(): Entry[] {
    return [...this.#unused.values()];
  }
}

function keyOf(of: { side: Side; scenario: string; check: string; status: string }): string {
  return [of.side, of.scenario, of.check, of.status].join(" ");
}
