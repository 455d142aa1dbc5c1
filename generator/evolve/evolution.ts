import type { MethodChange } from "../diff/protocol-diff.js";
import type { Method } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";

/** Newest definitions of several revisions, and the differences of each revision from them. */
export interface Evolution {
  /** Ids, oldest first. */
  readonly revisions: readonly string[];
  /**
   * Newest definition of each type and constant: first those of the newest revision in source order, then removed
   * ones.
   */
  readonly neutral: readonly NeutralDeclaration[];
  /** Newest definition of each method: first those of the newest revision, then removed ones. */
  readonly methods: readonly NeutralMethod[];
  readonly deltas: readonly RevisionDelta[];
}

/** First and last revision that have a type or method. */
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

export interface RevisionDelta {
  readonly revision: string;
  readonly lacksMethods: readonly string[];
  readonly lacksTypes: readonly string[];
  /** Neutral names of the types that are named differently in the revision, by the revision's names. */
  readonly names: Readonly<Record<string, string>>;
  /** Changes to the methods that the revision has. `from` is the revision's value, `to` the neutral one. */
  readonly methods: readonly MethodChange[];
  readonly types: readonly TypeDelta[];
}

/** Differences between a revision's definition of a type and the neutral one. */
export interface TypeDelta {
  /** Neutral name of the type. */
  readonly name: string;
  readonly lacks: readonly Path[];
  readonly extra: readonly (Path & { readonly optional: boolean })[];
  /** Members that only the revision requires. */
  readonly requires: readonly Path[];
  /** Members that only the neutral definition requires. */
  readonly relaxes: readonly Path[];
  /** Differences between enumerations, and between the alternatives of unions or of unions of elements. */
  readonly arms: readonly ArmsDelta[];
  readonly types: readonly (Path & { readonly own: string; readonly neutral: string })[];
}

export interface Path {
  /** Names of the members on the path, `[*]` for an index signature; empty for the type itself. */
  readonly path: readonly string[];
}

/** Alternatives of a union: names of types, or literals in TypeScript notation. */
export interface ArmsDelta extends Path {
  readonly lacks: readonly string[];
  readonly extra: readonly string[];
}
