import type { MethodChange } from "../diff/protocol-diff.js";
import type { Method } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";

/** Evolution of a protocol: its newest definitions, and the differences of each revision from them. */
export interface Evolution {
  /** Ids of the revisions, oldest first. */
  readonly revisions: readonly string[];
  /**
   * The newest definition of each type and constant: first those of the newest revision in source order, then removed
   * ones.
   */
  readonly neutral: readonly NeutralDeclaration[];
  /** The newest definition of each method, in the same order. */
  readonly methods: readonly NeutralMethod[];
  /** One for each revision, oldest first. */
  readonly deltas: readonly RevisionDelta[];
}

/** Range of revisions that contain something: first to last, both inclusive. */
export interface Lifetime {
  readonly first: string;
  readonly last: string;
}

export interface NeutralDeclaration extends Lifetime {
  readonly declaration: Declaration;
}

export interface NeutralMethod extends Lifetime {
  readonly method: Method;
}

/** Differences of a revision from the neutral definitions. */
export interface RevisionDelta {
  readonly revision: string;
  /** Neutral methods and types that it lacks. */
  readonly lacksMethods: readonly string[];
  readonly lacksTypes: readonly string[];
  /** Its own names of types that are neutral under another name. */
  readonly names: Readonly<Record<string, string>>;
  /** Changes of the methods that it has; `from` is its own value, `to` the neutral one. */
  readonly methods: readonly MethodChange[];
  /** Type differences by neutral name; only those that are visible on the wire. */
  readonly types: readonly TypeDelta[];
}

/**
 * Differences of a revision's definition of a type from the neutral one. Paths are steps from the
 * type.
 */
export interface TypeDelta {
  /** Neutral name of the type. */
  readonly name: string;
  /** Members that the revision does not know. */
  readonly lacks: readonly Path[];
  /** Members that only the revision knows. */
  readonly extra: readonly (Path & { readonly optional: boolean })[];
  /** Members that the revision requires and the neutral definition does not. */
  readonly requires: readonly Path[];
  /** Members that the neutral definition requires and the revision does not. */
  readonly relaxes: readonly Path[];
  /** Values of enumerations, and alternatives of unions and of unions of elements. */
  readonly arms: readonly ArmsDelta[];
  /** Members whose type or limits differ. */
  readonly types: readonly (Path & { readonly own: string; readonly neutral: string })[];
}

export interface Path {
  /** Member names, `[*]` for an index signature; empty for the type itself. */
  readonly path: readonly string[];
}

/** Names of types, or literals as in TypeScript. */
export interface ArmsDelta extends Path {
  readonly lacks: readonly string[];
  readonly extra: readonly string[];
}
