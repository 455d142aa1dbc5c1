import type { ProtocolChange } from "./protocol-change.js";

/** Changes that differ only in their name. */
export interface ChangeGroup extends Omit<ProtocolChange, "name" | "detail"> {
  readonly names: readonly string[];
}

/** Joins changes with the same description. Groups are in the order of their first changes. */
export function groupedChanges(changes: readonly ProtocolChange[]): readonly ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const { name, detail: _, ...change } of changes) {
    const key = JSON.stringify(change);
    groups.set(key, { ...change, names: [...(groups.get(key)?.names ?? []), name] });
  }
  return [...groups.values()];
}

/** Returns the side that has to change, `both`, or an empty string if neither has to. */
export function sideText({ sides }: Pick<ProtocolChange, "sides">): string {
  return sides.length === 2 ? "both" : (sides[0] ?? "");
}
