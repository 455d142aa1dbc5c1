import { type ContractList, LISTS, FAMILIES } from "./families.js";
import { lackingMembers } from "@mcp-codegen/universal/families";
import { revisions } from "@mcp-codegen/universal/revisions";
import { isObject } from "./json.js";

/** The definition of a list entry, such as a tool, as the server returns it. */
export type ContractDefinition = Readonly<Record<string, unknown>>;

export interface ContractEntry {
  readonly definition: ContractDefinition;
}

/** The part of a server that a contract covers, and how it was read. */
export interface ContractScope {
  /** The lists that the contract covers. Default: all. */
  readonly only?: readonly ContractList[];
  /** Places that are ignored in every definition, as JSON pointers. `*` matches any member. */
  readonly ignore?: readonly string[];
  /** The capabilities that the client declared when the server was read. Default: none. */
  readonly declares?: Readonly<Record<string, unknown>>;
}

/** A single server's contract: a member of `servers` in `mcp.lock.json`, or the `contract` of a generated module. */
export type ServerContract = {
  /** The revision in which the server was read; absent if unknown. */
  readonly revision?: string;
  /** The server's instructions; absent if it has none. */
  readonly instructions?: string;
  /** The part of the server that is compared. Default: all of it. */
  readonly scope?: ContractScope;
} & { readonly [List in ContractList]: readonly ContractEntry[] };

export function coveredLists({
  scope,
}: {
  readonly scope?: ContractScope;
}): readonly ContractList[] {
  const { only } = scope ?? {};
  return only === undefined ? LISTS : LISTS.filter((list) => only.includes(list));
}

export function withoutIgnored<Value>(value: Value, ignore: readonly string[] = []): Value {
  return ignore.reduce((rest, pointer) => {
    const path = pointer
      .split("/")
      .slice(1)
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
    return without(rest, path) as Value;
  }, value);
}

function without(value: unknown, [step, ...path]: readonly string[]): unknown {
  if (step === undefined || typeof value !== "object" || value === null) return value;
  const isHere = (name: string): boolean => step === "*" || step === name;
  const kept = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (!isHere(name)) return [[name, member]];
    return path.length === 0 ? [] : [[name, without(member, path)]];
  });
  return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
}

/**
 * Reduces definitions to what all of the listed revisions can express. Two readings of the same server are equal in
 * this form, no matter which of these revisions was used.
 *
 * @param ids - the revisions of both readings; unknown ones are ignored
 */
export function carried(
  list: ContractList,
  definitions: readonly ContractDefinition[],
  ids: readonly (string | undefined)[],
): readonly ContractDefinition[] {
  return [...new Set(ids)].reduce((all, id) => carriedBy(id, list, all), definitions);
}

function carriedBy(
  id: string | undefined,
  list: ContractList,
  definitions: readonly ContractDefinition[],
): readonly ContractDefinition[] {
  const revision = revisions.find((one) => one.id === id);
  if (revision === undefined) return definitions;
  const row = revision.methods.get(FAMILIES[list].list);
  // A revision without the method has no such list.
  if (row === undefined) return [];
  const lower = revision.projection?.down(row, "result");
  const result = { [list]: definitions };
  const lowered = (lower ? lower(result) : result) as typeof result;
  const lacking = new Set(lackingMembers[revision.id]?.[list]);
  if (lacking.size === 0) return lowered[list]!;
  return lowered[list]!.map((definition) =>
    Object.fromEntries(Object.entries(definition).filter(([name]) => !lacking.has(name))),
  );
}

/**
 * Returns a resource's definition without the members that change with its content: its size and the time of its last
 * change.
 */
export function lastingDefinition(definition: ContractDefinition): ContractDefinition {
  const { size: _size, annotations, ...others } = definition;
  if (!isObject(annotations))
    return annotations === undefined ? others : { ...others, annotations };
  const { lastModified: _time, ...rest } = annotations;
  return Object.keys(rest).length === 0 ? others : { ...others, annotations: rest };
}
