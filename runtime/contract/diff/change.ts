import { type ContractList, FAMILIES } from "../families.js";

/** Classes of change, the worst first. */
export const CHANGE_CLASSES = ["breaking", "dangerous", "prose", "additive"] as const;

/** Effect of a change on programs and people. */
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** One difference between two contracts of a server. */
export interface ContractChange {
  readonly class: ChangeClass;
  /** Server by its name in the lock file. */
  readonly server: string;
  /** List that contains the entry; `server` for a change of the server itself. */
  readonly list: ContractList | "server";
  /** Name or URI of the entry; empty for the server. */
  readonly name: string;
  /** JSON pointer into the definition; empty for the whole definition. */
  readonly pointer: string;
  readonly message: string;
  /** True if the class is a precaution, because the change could not be compared. */
  readonly undecided?: true;
}

/** Entry that contains a change, in words: `tool search_issues`. */
export function entryText({ list, name }: Pick<ContractChange, "list" | "name">): string {
  return list === "server" ? "server" : `${FAMILIES[list].noun} ${name}`;
}

/** A change inside of one entry. */
export type EntryChange = Pick<ContractChange, "class" | "pointer" | "message" | "undecided">;

/** Segment of a JSON pointer. */
export function token(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
