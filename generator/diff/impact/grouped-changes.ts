import type { ProtocolChange } from "./protocol-change.js";

export interface ChangeGroup extends Omit<ProtocolChange, "name" | "detail"> {
  readonly names: readonly string[];
}

export function groupedChanges(changes: readonly ProtocolChange[]): readonly ChangeGroup[] {
  const groups = new Map<string, ChangeGroup>();
  for (const { name, detail: _, ...change } of changes) {
    const key = JSON.stringify(change);
    groups.set(key, { ...change, names: [...(groups.get(key)?.names ?? []), name] });
  }
  return [...groups.values()];
}

export function sideText({ sides }: Pick<ProtocolChange, "sides">): string {
  return sides.length === 2 ? "both" : (sides[0] ?? "");
}
