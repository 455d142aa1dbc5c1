import type { MethodChange } from "../diff/protocol-diff.js";
import type { Method } from "../link/protocol.js";
import type { Declaration } from "../model/schema-model.js";

/** The newest definitions from several revisions, and each revision's differences from them. */
export interface Evolution {
  /** The revisions' ids, oldest first. */
  readonly revisions: readonly string[];
  /**
   * The newest definition of each type and constant: first those in the newest revision, in source order, then removed
   * ones.
   */
  readonly neutral: readonly NeutralDeclaration[];
  /** The newest definition of each method: first those in the newest revision, then removed ones. */
  readonly methods: readonly NeutralMethod[];
  readonly deltas: readonly RevisionDelta[];
}

/** The first and last revisions that have a type or method. */
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
  /** Maps the revision's type names to neutral names, for the types that are named differently in the revision. */
  readonly names: Readonly<Record<string, string>>;
  /** The changes to the methods that the revision has. `from` is the revision's value, `to` the neutral one. */
  readonly methods: readonly MethodChange[];
  readonly types: readonly TypeDelta[];
}

/** The differences between a revision's definition of a type and the neutral one. */
export interface TypeDelta {
  /** The type's neutral name. */
  readonly name: string;
  readonly lacks: readonly Path[];
  readonly extra: readonly (Path & { readonly optional: boolean })[];
  /** The members that only the revision requires. */
  readonly requires: readonly Path[];
  /** The members that only the neutral definition requires. */
  readonly relaxes: readonly Path[];
  /**
   * The differences between enumerations, and between the alternatives of unions, including unions of array elements.
   */
  readonly arms: readonly ArmsDelta[];
  readonly types: readonly (Path & { readonly own: string; readonly neutral: string })[];
}

export interface Path {
  /** The names of the members on the path, with `[*]` for an index signature; empty for the type itself. */
  readonly path: readonly string[];
}

/** Alternatives of a union, which are type names or literals in TypeScript notation. */
export interface ArmsDelta extends Path {
  readonly lacks: readonly string[];
  readonly extra: readonly string[];
}
