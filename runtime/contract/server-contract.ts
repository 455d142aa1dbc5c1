import type { ContractList } from "./families.js";

/** Definition of an entry of a list, such as a tool, as the server returns it. */
export type ContractDefinition = Readonly<Record<string, unknown>>;

export interface ContractEntry {
  readonly definition: ContractDefinition;
}

/** Contract of one server: a member of `servers` in `mcp.lock.json`, or the `contract` of a generated module. */
export type ServerContract = {
  /** Instructions of the server; absent where it gives none. */
  readonly instructions?: string;
} & { readonly [List in ContractList]: readonly ContractEntry[] };
