import type { Knowledge } from "./support/knows.js";
import type { WireTraits } from "./wires/wire.js";

/** A property of a revision or a transport that a case needs. */
export type Need = keyof Knowledge | keyof WireTraits;

/** Returns true if the revision and the transport have everything that a case needs. */
export function areMet(needs: readonly Need[], traits: WireTraits, knows: Knowledge): boolean {
  const all: Readonly<Record<Need, boolean>> = { ...traits, ...knows };
  return needs.every((need) => all[need]);
}
