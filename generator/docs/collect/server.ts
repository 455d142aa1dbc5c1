import type { ChangeClass } from "../../diff/changes.js";

/** Description of a server from its contract, as its page needs it. All texts are those of the server. */
export interface ServerDescription {
  /** Name in the lock file. */
  readonly name: string;
  /** Name, version and similar facts that the server states about itself, by their names. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly digest: string;
  readonly instructions?: string;
  /** Lists that are not empty, by their titles. */
  readonly lists: readonly {
    readonly title: string;
    readonly entries: readonly ServerEntry[];
  }[];
  /** Changes since an older contract; absent without one. */
  readonly changes?: readonly ServerChange[];
}

/** A tool, prompt, resource or template. */
export interface ServerEntry {
  /** Kind of the entry: `tool`. */
  readonly noun: string;
  /** Name or URI. */
  readonly key: string;
  readonly doc?: string;
  /** Hints for hosts: `readOnlyHint: true`. */
  readonly hints: readonly string[];
  readonly input: readonly ServerField[];
  /** Members of the structured result. */
  readonly output: readonly ServerField[];
}

/** Argument, or member of a result. */
export interface ServerField {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly doc: string;
}

export interface ServerChange {
  readonly class: ChangeClass;
  /** Entry that changed, in words, and the place in it. */
  readonly place: string;
  readonly message: string;
}
