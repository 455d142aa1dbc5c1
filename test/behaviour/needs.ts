import type { Knowledge } from "./support/knows.js";
import type { WireTraits } from "./wires/wire.js";

/** Property of a revision or a wire that a case needs. */
export type Need = keyof Knowledge | keyof WireTraits;

/** True when revision and wire have everything that a case needs, so that it is run for them. */
export function areMet(needs: readonly Need[], traits: WireTraits, knows: Knowledge): boolean {
  const all: Readonly<Record<Need, boolean>> = { ...traits, ...knows };
  return needs.every((need) => all[need]);
}
