import { canonicalJson, quote } from "./json.js";
import { definitionParts, PART_NAMES, type PartName } from "./definition-parts.js";
import { CONTRACT_LISTS, type ContractList, entryKind } from "./families.js";
import { lastingDefinition } from "./lasting-definition.js";
import type { ContractDefinition, ContractEntry } from "./server-contract.js";

/** One difference between a server and its contract. */
export interface DriftChange {
  readonly list: ContractList | "instructions";
  /** Name or URI of the entry; empty for the instructions. */
  readonly name: string;
  readonly change: "added" | "removed" | "changed";
  /** Parts that are others; all of them for an entry that was added or removed. */
  readonly parts: readonly PartName[];
  /** Definition as it is now; absent where it is gone. */
  readonly definition?: ContractDefinition;
}

/** Contract that a server no longer keeps. */
export class ContractDriftError extends Error {
  override readonly name = "ContractDriftError";
  readonly code = "CONTRACT_DRIFT";
  readonly changes: readonly DriftChange[];

  constructor(changes: readonly DriftChange[]) {
    const shown = changes.slice(0, 3).map(textOf);
    const rest = changes.length - shown.length;
    const all = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join("; ");
    super(`The server no longer keeps its contract: ${all}`);
    this.changes = changes;
  }
}

function textOf({ list, name, change, parts }: DriftChange): string {
  const place = name === "" ? list : `${list} ${quote(name)}`;
  return `${place} ${change}${change === "changed" ? ` (${parts.join(", ")})` : ""}`;
}

/** Differences between the entries of a contract and those of a server. */
export function listDrift(
  list: ContractList,
  contract: readonly ContractEntry[],
  listed: readonly ContractDefinition[],
): readonly DriftChange[] {
  const before = byKey(
    list,
    contract.map(({ definition }) => definition),
  );
  const after = byKey(list, listed);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name): readonly DriftChange[] => {
    const [one, other] = [before.get(name), after.get(name)];
    if (other === undefined) return [{ list, name, change: "removed", parts: PART_NAMES }];
    const definition = other.at(-1)!;
    if (one === undefined) return [{ list, name, change: "added", parts: PART_NAMES, definition }];
    const parts = differingParts(one, other);
    return parts.length === 0 ? [] : [{ list, name, change: "changed", parts, definition }];
  });
}

/** Entries by key: a second one of a name is not hidden by the first. */
function byKey(
  list: ContractList,
  definitions: readonly ContractDefinition[],
): Map<string, ContractDefinition[]> {
  const entries = new Map<string, ContractDefinition[]>();
  for (const definition of definitions) {
    const key = String(definition[CONTRACT_LISTS[list]]);
    const lasting = entryKind(list) === "resource" ? lastingDefinition(definition) : definition;
    entries.set(key, [...(entries.get(key) ?? []), lasting]);
  }
  return entries;
}

function differingParts(
  before: readonly ContractDefinition[],
  after: readonly ContractDefinition[],
): readonly PartName[] {
  if (before.length !== after.length) return PART_NAMES;
  try {
    const [old, next] = [before, after].map((all) => all.map(definitionParts));
    return PART_NAMES.filter((part) => textsOf(old!, part) !== textsOf(next!, part));
  } catch {
    // What is too deep to compare was never locked.
    return PART_NAMES;
  }
}

function textsOf(all: readonly ReturnType<typeof definitionParts>[], part: PartName): string {
  return all
    .map((parts) => canonicalJson(parts[part]))
    .toSorted()
    .join("\n");
}
