import type { Diagnostics } from "../../diagnostics.js";
import type { PlaceFact, RuleFact } from "../../link/facts.js";
import type { PlaceRule, Protocol } from "../../link/protocol.js";
import { stepInto } from "../lineage.js";

/** Matches the members that carry a message's metadata; the engine adds and removes them. */
const METADATA = /(?:Params|Result)\._meta$/;

/**
 * The facts that apply to one revision: its own and those of earlier revisions, with the current names of their places.
 */
export class PlaceFacts {
  readonly #rules = new Map<string, Stated>();
  readonly #places = new Map<string, Stated>();
  readonly #used = new Set<PlaceRule>();

  /** @param stated - facts, oldest first; a later fact about a place replaces an earlier one */
  constructor(stated: readonly Stated[]) {
    for (const one of stated) {
      const kind = "rule" in one.stated.fact ? this.#rules : this.#places;
      kind.set(one.place, one);
    }
  }

  has(place: string): boolean {
    return this.#rules.has(place) || this.#places.has(place);
  }

  rule(place: string): RuleFact | undefined {
    return this.#rules.get(place)?.stated.fact as RuleFact | undefined;
  }

  use(place: string): void {
    const rule = this.#rules.get(place);
    if (rule) this.#used.add(rule.stated);
  }

  /**
   * Returns true if a fact states this treatment for a place, and records that the fact was used. The metadata of
   * messages always has the treatment `engine`.
   */
  is(place: string, treatment: PlaceFact["treatment"]): boolean {
    if (treatment === "engine" && METADATA.test(place)) return true;
    const known = this.#places.get(place);
    if ((known?.stated.fact as PlaceFact | undefined)?.treatment !== treatment) return false;
    this.#used.add(known!.stated);
    return true;
  }

  /**
   * Reports facts that the step between two consecutive revisions did not use. Facts that apply only to a difference
   * are due in the step to their own revision; facts that apply without one (`always`, `opaque`) are due in the step
   * after it, because their own revision may have introduced the place. Does nothing if the step skips a revision.
   */
  reportUnused(newer: Protocol, older: Protocol, diagnostics: Diagnostics): void {
    if ((newer.previous ?? older.revision) !== older.revision) return;
    const due = [
      ...placesOf(newer, ({ fact }) => !isLasting(fact)),
      ...placesOf(older, ({ fact }) => isLasting(fact)),
    ];
    for (const [protocol, stated] of due) {
      if (this.#used.has(stated)) continue;
      const { fact, file = protocol.file, span } = stated;
      const what = "rule" in fact ? `the rule ${fact.rule}` : `the treatment \`${fact.treatment}\``;
      diagnostics.add({
        code: "MCG4006",
        severity: "error",
        message: `The fact states ${what} for ${fact.place}, but nothing there differs from the revision before.`,
        hint: "Correct the place, remove the fact, or state it for the revision that introduced the difference.",
        file,
        ...(span && { span }),
      });
    }
  }
}

function placesOf(
  protocol: Protocol,
  isDue: (stated: PlaceRule) => boolean,
): [Protocol, PlaceRule][] {
  return (protocol.places ?? []).filter(isDue).map((stated) => [protocol, stated]);
}

function isLasting(fact: RuleFact | PlaceFact): boolean {
  return "rule" in fact ? fact.extent === "always" : fact.treatment === "opaque";
}

interface Stated {
  readonly place: string;
  readonly stated: PlaceRule;
}

export function placeFacts(protocols: readonly Protocol[]): PlaceFacts[] {
  let inForce: readonly Stated[] = [];
  return protocols.map((protocol, index) => {
    const before = protocols[index - 1];
    const own = (protocol.places ?? []).map((stated) => ({ place: stated.fact.place, stated }));
    inForce = [...(before ? renamed(inForce, before, protocol) : []), ...own];
    return new PlaceFacts(inForce);
  });
}

function renamed(facts: readonly Stated[], before: Protocol, after: Protocol): Stated[] {
  const step = stepInto(before, after);
  return facts.map(({ place, stated }) => {
    const [type] = /^\w+/.exec(place)!;
    return { place: `${step.get(type) ?? type}${place.slice(type.length)}`, stated };
  });
}
