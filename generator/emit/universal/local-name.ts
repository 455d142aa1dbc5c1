import type { UniversalPlan } from "../../plan/universal-plan.js";

/** Local name of a revision in the list of all: `newest`, `before1`. */
export function localName({ protocols }: UniversalPlan, revision: string): string {
  const index = protocols.toReversed().findIndex((one) => one.revision === revision);
  return index === 0 ? "newest" : `before${index}`;
}
