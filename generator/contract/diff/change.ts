import type { ListName } from "../lock/lock-file.js";

/** Classes of change, the worst first. */
export const CHANGE_CLASSES = ["breaking", "dangerous", "prose", "additive"] as const;

/**
 * - `breaking`: a program that was right before may fail.
 * - `dangerous`: a host should ask its user again; nothing fails.
 * - `prose`: a text that a model or a user reads is another one.
 * - `additive`: whatever was right before still is.
 */
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** One difference between two contracts of a server. */
export interface ContractChange {
  readonly class: ChangeClass;
  /** Server by its name in the lock file. */
  readonly server: string;
  /** List of the entry; `server` for what concerns all of it. */
  readonly list: ListName | "server";
  /** Name or URI of the entry; empty for the server. */
  readonly name: string;
  /** JSON pointer into the definition; empty for all of it. */
  readonly pointer: string;
  readonly message: string;
  /** True when the class is a precaution: what changed could not be compared. */
  readonly undecided?: true;
}

/** A change inside of one entry. */
export type EntryChange = Pick<ContractChange, "class" | "pointer" | "message" | "undecided">;

/** True when a change is as bad as `limit`, or worse. */
export function isAtLeast(change: ChangeClass, limit: ChangeClass): boolean {
  return CHANGE_CLASSES.indexOf(change) <= CHANGE_CLASSES.indexOf(limit);
}

/** Segment of a JSON pointer. */
export function token(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
