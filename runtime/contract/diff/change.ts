import { type ContractList, FAMILIES } from "../families.js";

/** Classes of change, the most serious first. */
export const CHANGE_CLASSES = ["breaking", "dangerous", "prose", "additive"] as const;

/** Effect of a change on programs and people. */
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

export interface ContractChange {
  readonly class: ChangeClass;
  readonly server: string;
  /** List that contains the entry; `server` for a change to the server itself. */
  readonly list: ContractList | "server";
  /** Name or URI of the entry; empty for the server. */
  readonly name: string;
  /** JSON pointer into the definition; empty for the whole definition. */
  readonly pointer: string;
  readonly message: string;
  /** True if the two versions could not be compared, so the class is a precaution. */
  readonly undecided?: true;
}

/** Returns a short name for the entry that contains a change: `tool search_issues`. */
export function entryText({ list, name }: Pick<ContractChange, "list" | "name">): string {
  return list === "server" ? "server" : `${FAMILIES[list].noun} ${name}`;
}

export type EntryChange = Pick<ContractChange, "class" | "pointer" | "message" | "undecided">;

export function token(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
