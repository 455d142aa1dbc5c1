import type { ChangeClass } from "../../diff/changes.js";

/**
 * Describes a server, based on its contract, for the server's page. The texts come from the server, so they are not
 * trusted.
 */
export interface ServerDescription {
  /** The server's name in the lock file. */
  readonly name: string;
  /** The name, version and similar data that the server states about itself, by name. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly digest: string;
  readonly instructions?: string;
  /** The lists that are not empty, with their titles. */
  readonly lists: readonly {
    readonly title: string;
    readonly entries: readonly ServerEntry[];
  }[];
  /** The changes since an older contract; absent if there is no older contract. */
  readonly changes?: readonly ServerChange[];
}

/** A tool, prompt, resource or template. */
export interface ServerEntry {
  /** The kind of entry, such as `tool`. */
  readonly noun: string;
  /** The entry's name or URI. */
  readonly key: string;
  readonly doc?: string;
  /** Hints for hosts, such as `readOnlyHint: true`. */
  readonly hints: readonly string[];
  readonly input: readonly ServerField[];
  /** The members of the structured result. */
  readonly output: readonly ServerField[];
}

/** An argument, or a member of a result. */
export interface ServerField {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly doc: string;
}

export interface ServerChange {
  readonly class: ChangeClass;
  /** The name of the changed entry and the place within it, as text. */
  readonly place: string;
  readonly message: string;
}
