import { canonicalJson, quote } from "./json.js";
import { definitionParts, PART_NAMES, type PartName } from "./definition-parts.js";
import type { ChangeClass } from "./diff/change.js";
import { CONTRACT_LISTS, type ContractList, entryKind } from "./families.js";
import {
  lastingDefinition,
  type ContractDefinition,
  coveredLists,
  type ServerContract,
  withoutIgnored,
} from "./server-contract.js";

/** A single difference between a server and its contract. */
export interface DriftChange {
  readonly list: ContractList | "instructions";
  /** The entry's name or URI; empty for the instructions. */
  readonly name: string;
  readonly change: "added" | "removed" | "changed";
  /** The change's effect on programs and people. */
  readonly class: ChangeClass;
  /** The parts of the definition that differ, or all parts if the entry was added or removed. */
  readonly parts: readonly PartName[];
  /** The current definition; absent if the entry was removed. */
  readonly definition?: ContractDefinition;
}

/** Thrown if a server differs from its contract. */
export class ContractDriftError extends Error {
  override readonly name = "ContractDriftError";
  readonly code = "CONTRACT_DRIFT";
  readonly changes: readonly DriftChange[];

  constructor(changes: readonly DriftChange[]) {
    const shown = changes.slice(0, 3).map(textOf);
    const rest = changes.length - shown.length;
    const all = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join("; ");
    super(`The server no longer matches its contract: ${all}`);
    this.changes = changes;
  }
}

function textOf({ list, name, change, parts }: DriftChange): string {
  const place = name === "" ? list : `${list} ${quote(name)}`;
  return `${place} ${change}${change === "changed" ? ` (${parts.join(", ")})` : ""}`;
}

export interface SeenServer {
  readonly revision: string;
  readonly instructions: unknown;
  readonly lists: ReadonlyMap<ContractList, readonly ContractDefinition[]>;
}

export function hasSameInstructions(
  { instructions, scope }: ServerContract,
  seen: Pick<SeenServer, "instructions">,
): boolean {
  const isIgnored = scope?.ignore?.includes("/instructions") ?? false;
  return isIgnored || (instructions ?? undefined) === (seen.instructions ?? undefined);
}

/**
 * An entry that differs, with its definitions in the contract and on the server. Either side has several definitions if
 * they share a key.
 */
export interface DifferingEntry {
  readonly list: ContractList;
  readonly name: string;
  readonly before: readonly ContractDefinition[];
  readonly after: readonly ContractDefinition[];
  readonly parts: readonly PartName[];
}

type Form = (
  list: ContractList,
  definitions: readonly ContractDefinition[],
) => readonly ContractDefinition[];

/**
 * Returns the entries that differ between a server and a contract.
 *
 * @param form - converts both sides' definitions to the same form before they are compared
 */
export function differingEntries(
  contract: ServerContract,
  { lists }: SeenServer,
  form: Form = (_, definitions) => definitions,
): readonly DifferingEntry[] {
  const { ignore } = contract.scope ?? {};
  return coveredLists(contract).flatMap((list) => {
    const locked = (contract[list] ?? []).map(({ definition }) => definition);
    const [old, next] = [locked, lists.get(list) ?? []].map((all) =>
      byKey(
        list,
        withoutIgnored(
          form(list, all),
          ignore?.map((pointer) => `/*${pointer}`),
        ),
      ),
    );
    const names = [...new Set([...old!.keys(), ...next!.keys()])];
    return names.flatMap((name): readonly DifferingEntry[] => {
      const [before, after] = [old!.get(name) ?? [], next!.get(name) ?? []];
      const parts = differingParts(before, after);
      return parts.length === 0 ? [] : [{ list, name, before, after, parts }];
    });
  });
}

/** Groups definitions by key. All definitions with the same key are kept, so that none of them hides another. */
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
    // A definition that is too deep to compare was never locked, so all of its parts differ.
    return PART_NAMES;
  }
}

function textsOf(all: readonly ReturnType<typeof definitionParts>[], part: PartName): string {
  return all
    .map((parts) => canonicalJson(parts[part]))
    .toSorted()
    .join("\n");
}
