import type { Facts } from "../link/facts.js";

/** Facts of a revision of which nothing is recorded: that it is one of the protocol that the known one belongs to. */
export function unrecordedFacts(revision: string, known: Facts): string {
  const { name, keywords } = known;
  const specification = known.specification?.replace(known.revision, revision);
  return `${JSON.stringify({ revision, name, specification, keywords }, undefined, 2)}\n`;
}
