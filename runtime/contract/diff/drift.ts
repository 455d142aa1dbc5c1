import { carried, type ServerContract } from "../server-contract.js";
import {
  differingEntries,
  type DifferingEntry,
  type DriftChange,
  hasSameInstructions,
  type SeenServer,
} from "../contract-drift.js";
import { type ChangeClass, CHANGE_CLASSES } from "./change.js";
import { entryChanges } from "./entry-changes.js";
import { invisibleTexts } from "./text-changes.js";

/** Returns how a server differs from its contract. Members that one of the two revisions cannot express are ignored. */
export function driftOf(contract: ServerContract, seen: SeenServer): readonly DriftChange[] {
  const revisions = [seen.revision, contract.revision];
  const entries = differingEntries(contract, seen, (list, all) => carried(list, all, revisions));
  const changes = entries.map(changeOf);
  if (hasSameInstructions(contract, seen)) return changes;
  const isHidden = invisibleTexts(seen.instructions).length > 0;
  const place = { list: "instructions", name: "", change: "changed", parts: ["prose"] } as const;
  return [{ ...place, class: isHidden ? "dangerous" : "prose" }, ...changes];
}

function changeOf(entry: DifferingEntry): DriftChange {
  const { list, name, before, after, parts } = entry;
  const change = before.length === 0 ? "added" : after.length === 0 ? "removed" : "changed";
  const definition = after.at(-1);
  return { list, name, change, class: classOf(entry), parts, ...(definition && { definition }) };
}

function classOf({ list, before, after }: DifferingEntry): ChangeClass {
  const [one, other] = [before[0], after[0]];
  if (other === undefined || after.length > 1 || before.length > 1) return "breaking";
  if (one === undefined) return invisibleTexts(other).length > 0 ? "dangerous" : "additive";
  try {
    const classes = entryChanges(list, one, other).map((change) => change.class);
    return CHANGE_CLASSES.find((name) => classes.includes(name)) ?? "prose";
  } catch {
    // A definition that is too deep to compare was never locked, so the change counts as breaking.
    return "breaking";
  }
}
