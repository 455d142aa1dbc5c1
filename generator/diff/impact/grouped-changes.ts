import type { ProtocolChange } from "./protocol-change.js";

/** Changes that differ in their name only. */
export interface ChangeGroup extends Omit<ProtocolChange, "name"> {
  readonly names: readonly string[];
}

/** Joins the changes that say the same of several names, in the order of the first of each. */
export function groupedChanges(changes: readonly ProtocolChange[]): readonly ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const { name, ...change } of changes) {
    const key = JSON.stringify(change);
    groups.set(key, { ...change, names: [...(groups.get(key)?.names ?? []), name] });
  }
  return [...groups.values()];
}

/** The side that has to change in a word; empty where none has to. */
export function sideText({ sides }: Pick<ProtocolChange, "sides">): string {
  return sides.length === 2 ? "both" : (sides[0] ?? "");
}
