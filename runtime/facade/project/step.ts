import type { MessagePart, Traits } from "../../wire/index.js";

/**
 * Difference between two neighbouring revisions: translates messages of the newer one into messages of the older one,
 * and back. Generated once per pair. It has no members of the envelope: `composition.ts` adds them.
 *
 * @typeParam Reference - of a handwritten rule: its name in the generator, the rule itself in generated code
 */
export interface Step<Reference> extends ShapeTable<Reference> {
  /** Traits of the newer revision that the older one lacks, and that affect the envelope. */
  readonly traits?: Partial<Pick<Traits, "lifecycle" | "resultType" | "serverRequests">>;
  /** Methods of both revisions whose results state their freshness only in the newer one. */
  readonly cacheable?: readonly string[];
  /** Methods of both revisions that may be answered with requests for input only in the newer one. */
  readonly asking?: readonly string[];
}

export interface ShapeTable<Reference> {
  /** Shapes of parameters and results, by wire method. */
  readonly methods: Readonly<Record<string, MethodShapes>>;
  /** Shapes by name; a name says where in the newer revision the shape belongs. */
  readonly shapes: Readonly<Record<string, ShapeDifference<Reference>>>;
}

/** Names of the shapes of a message. */
export interface MethodShapes {
  readonly params?: string;
  readonly result?: string;
}

/** Differences of the values at one place. */
export interface ShapeDifference<Reference> {
  /** Handwritten rule for this place. */
  readonly rule?: Reference;
  /** True if a value that the older revision cannot express is an error; otherwise it is left out. */
  readonly isRefused?: true;
  /** Members that the older revision lacks. */
  readonly drop?: readonly string[];
  /** Members that the older revision lacks, and that are left out without a loss. */
  readonly strip?: readonly string[];
  /**
   * Members that the older revision lacks, and without which the message would have another
   * meaning.
   */
  readonly refuse?: readonly string[];
  /** Values of members that the newer revision requires and the older one lacks. */
  readonly supply?: Readonly<Record<string, unknown>>;
  /** Shapes of members. */
  readonly members?: Readonly<Record<string, string>>;
  /** Names of those `members` that the older revision requires. */
  readonly requires?: readonly string[];
  /** Shape of all members that are not named. */
  readonly each?: string;
  /** Shape of the items of an array. */
  readonly items?: string;
  /** Shapes by kind of JSON value; null for a kind that the older revision does not accept. */
  readonly kinds?: Readonly<Record<string, string | null>>;
  /** Strings that the older revision does not accept. */
  readonly lacks?: readonly string[];
  /** Member that distinguishes the arms of a union. */
  readonly tag?: string;
  /** Shapes by value of the tag, or by type name without a tag; null for an arm that the older revision lacks. */
  readonly arms?: Readonly<Record<string, string | null>>;
  /** Shape of a value without the tag; null when the older revision lacks it. */
  readonly untagged?: string | null;
  /** Shape of the arms that `arms` does not name; only composed tables have it. */
  readonly others?: string;
}

/** Handwritten translation of one place, for differences that no table expresses. Neither function changes its input. */
export interface Rule {
  readonly down?: (value: unknown, shape: PreparedShape, descent: Descent) => unknown;
  /** Members that `down` changes; a message without them passes unchanged. */
  readonly members?: readonly string[];
  readonly up?: (value: unknown) => unknown;
}

/** Operations with which a rule translates a value into an older revision. */
export interface Descent {
  /** Looks up a shape; undefined if nothing differs there. */
  shape(name: string): PreparedShape | undefined;
  /** Returns the name of a message's shape; undefined if nothing in the message differs. */
  nameOf(method: string, part: MessagePart): string | undefined;
  /** Translates a value, rules included; returns {@link LOST} if the revision cannot express it. */
  walk(name: string, value: unknown): unknown;
  /** Translates a value by its shape alone, without the shape's rule. */
  plain(shape: PreparedShape, value: unknown): unknown;
  /** Reports a loss, and returns the value to send instead: {@link LOST} if there is none. */
  lose(value: unknown, reason: string, replacement?: unknown): unknown;
  /** @throws CapabilityError in any case: the revision cannot express the message */
  refuse(reason: string): never;
}

type Entries<Value> = readonly (readonly [name: string, value: Value])[];

/** A shape with its members as arrays, which are cheaper to iterate than objects. */
export interface PreparedShape extends ShapeDifference<Rule> {
  readonly memberEntries: Entries<string>;
  readonly supplyEntries: Entries<unknown>;
  /**
   * Members whose presence requires a translation: a message with none of them passes unchanged. Undefined if
   * presence alone does not decide.
   */
  readonly differing: readonly string[] | undefined;
}

/** Placeholder for a value that the revision cannot express; its container omits it. */
export const LOST: unique symbol = Symbol("lost");
