import { type ContractList, FAMILIES } from "../families.js";

/** The classes of change, most serious first. */
export const CHANGE_CLASSES = ["breaking", "dangerous", "prose", "additive"] as const;

/** A change's effect on programs and people. */
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

export interface ContractChange {
  readonly class: ChangeClass;
  readonly server: string;
  /** The list that contains the entry, or `server` for a change to the server itself. */
  readonly list: ContractList | "server";
  /** The entry's name or URI; empty for the server. */
  readonly name: string;
  /** A JSON pointer into the definition; empty for the whole definition. */
  readonly pointer: string;
  readonly message: string;
  /** True if the two versions could not be compared and the class is only a precaution. */
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
