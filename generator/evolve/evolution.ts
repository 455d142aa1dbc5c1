import type { MethodChange } from "../diff/protocol-diff.js";
import type { Method } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";

/** Evolution of a protocol: the newest definitions, and how each revision differs from them. */
export interface Evolution {
  /** Ids of the revisions, oldest first. */
  readonly revisions: readonly string[];
  /**
   * The newest definition of each type and constant: first those of the newest revision in source order, then removed
   * ones.
   */
  readonly neutral: readonly NeutralDeclaration[];
  /** The newest definition of each method: first those of the newest revision, then removed ones. */
  readonly methods: readonly NeutralMethod[];
  /** Differences of each revision, oldest first. */
  readonly deltas: readonly RevisionDelta[];
}

/** Range of revisions that have a type or method, from the first to the last, both included. */
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
  /** Neutral methods that the revision lacks. */
  readonly lacksMethods: readonly string[];
  readonly lacksTypes: readonly string[];
  /** Neutral names of the types that have another name in the revision, by that name. */
  readonly names: Readonly<Record<string, string>>;
  /** Changes to the methods that the revision has. `from` is the value in the revision, `to` the neutral one. */
  readonly methods: readonly MethodChange[];
  /** Differences of types by their neutral name, limited to those that are visible on the wire. */
  readonly types: readonly TypeDelta[];
}

/**
 * Differences of a revision's definition of a type from the neutral one. Paths are steps from the
 * type.
 */
export interface TypeDelta {
  /** Neutral name of the type. */
  readonly name: string;
  /** Members that the revision does not have. */
  readonly lacks: readonly Path[];
  /** Members that only the revision has. */
  readonly extra: readonly (Path & { readonly optional: boolean })[];
  /** Members that are required by the revision, but not by the neutral definition. */
  readonly requires: readonly Path[];
  /** Members that are required by the neutral definition, but not by the revision. */
  readonly relaxes: readonly Path[];
  /** Differences in the values of enumerations, and in the alternatives of unions and of unions of elements. */
  readonly arms: readonly ArmsDelta[];
  /** Members whose type or limits differ. */
  readonly types: readonly (Path & { readonly own: string; readonly neutral: string })[];
}

export interface Path {
  /** Names of the members on the path, `[*]` for an index signature; empty for the type itself. */
  readonly path: readonly string[];
}

/** Alternatives of a union: names of types, or literals as in TypeScript. */
export interface ArmsDelta extends Path {
  readonly lacks: readonly string[];
  readonly extra: readonly string[];
}
