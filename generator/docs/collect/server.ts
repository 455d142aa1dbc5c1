import type { ChangeClass } from "../../diff/changes.js";

/**
 * Description of a server from its contract, as its page needs it. The texts come from the server, so they are not
 * trusted.
 */
export interface ServerDescription {
  /** Name in the lock file. */
  readonly name: string;
  /** Name, version and similar data that the server states about itself, by name. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly digest: string;
  readonly instructions?: string;
  /** Lists that are not empty, by their titles. */
  readonly lists: readonly {
    readonly title: string;
    readonly entries: readonly ServerEntry[];
  }[];
  /** Changes since an older contract; absent if there is none. */
  readonly changes?: readonly ServerChange[];
}

/** A tool, prompt, resource or template. */
export interface ServerEntry {
  /** Kind of the entry, such as `tool`. */
  readonly noun: string;
  /** Name or URI. */
  readonly key: string;
  readonly doc?: string;
  /** Hints for hosts, such as `readOnlyHint: true`. */
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
  /** Name of the changed entry, and the place in it, as text. */
  readonly place: string;
  readonly message: string;
}
