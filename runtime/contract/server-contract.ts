import { type ContractList, LISTS } from "./families.js";

/** Definition of an entry of a list, such as a tool, as the server returns it. */
export type ContractDefinition = Readonly<Record<string, unknown>>;

export interface ContractEntry {
  readonly definition: ContractDefinition;
}

/** Part of a server that a contract covers, and how it was read. */
export interface ContractScope {
  /** Lists that are covered. Default: all. */
  readonly only?: readonly ContractList[];
  /** Places that are ignored in every definition, as JSON pointers; `*` matches any member. */
  readonly ignore?: readonly string[];
  /** Capabilities that the reading client declared. Default: none. */
  readonly declares?: Readonly<Record<string, unknown>>;
}

/** Contract of one server: a member of `servers` in `mcp.lock.json`, or the `contract` of a generated module. */
export type ServerContract = {
  /** Revision in which the server was read; absent if unknown. */
  readonly revision?: string;
  /** Instructions of the server; absent if it has none. */
  readonly instructions?: string;
  /** Part of the server that is compared. Default: all of it. */
  readonly scope?: ContractScope;
} & { readonly [List in ContractList]: readonly ContractEntry[] };

/** Lists that a contract covers. */
export function coveredLists({
  scope,
}: {
  readonly scope?: ContractScope;
}): readonly ContractList[] {
  const { only } = scope ?? {};
  return only === undefined ? LISTS : LISTS.filter((list) => only.includes(list));
}

/** A value without the places that a contract ignores; the value itself if it contains none of them. */
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
