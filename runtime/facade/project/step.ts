import type { MessagePart, Traits } from "../../wire/index.js";

/**
 * The difference between two neighbouring revisions. Translates messages of the newer one into messages of the older
 * one, and back. It is generated once per pair. It does not include envelope members: `composition.ts` adds them.
 *
 * @typeParam Reference - the reference to a handwritten rule: its name in the generator, the rule itself in generated
 *   code
 */
export interface Step<Reference> extends ShapeTable<Reference> {
  /** The traits of the newer revision that the older one lacks and that affect the envelope. */
  readonly traits?: Partial<Pick<Traits, "lifecycle" | "resultType" | "serverRequests">>;
  /** Methods in both revisions whose results state their freshness only in the newer one. */
  readonly cacheable?: readonly string[];
  /** Methods in both revisions that may be answered with requests for input only in the newer one. */
  readonly asking?: readonly string[];
}

export interface ShapeTable<Reference> {
  /** The shapes of parameters and results, by wire method. */
  readonly methods: Readonly<Record<string, MethodShapes>>;
  /** The shapes by name. A name says where in the newer revision the shape belongs. */
  readonly shapes: Readonly<Record<string, ShapeDifference<Reference>>>;
}

/** The names of a message's shapes. */
export interface MethodShapes {
  readonly params?: string;
  readonly result?: string;
}

/** The differences between the values at one place. */
export interface ShapeDifference<Reference> {
  /** A handwritten rule for this place. */
  readonly rule?: Reference;
  /** True if a value that the older revision cannot express causes an error; otherwise it is left out. */
  readonly isRefused?: true;
  /** Members that the older revision lacks. */
  readonly drop?: readonly string[];
  /** Members that the older revision lacks and that are left out without counting as a loss. */
  readonly strip?: readonly string[];
  /** Members that the older revision lacks, and without which the message would mean something else. */
  readonly refuse?: readonly string[];
  /** The values of members that the newer revision requires and the older one lacks. */
  readonly supply?: Readonly<Record<string, unknown>>;
  /** The shapes of members. */
  readonly members?: Readonly<Record<string, string>>;
  /** The names of those `members` that the older revision requires. */
  readonly requires?: readonly string[];
  /** The shape of all members that are not named. */
  readonly each?: string;
  /** The shape of an array's items. */
  readonly items?: string;
  /** Shapes by kind of JSON value, or null for a kind that the older revision does not accept. */
  readonly kinds?: Readonly<Record<string, string | null>>;
  /** Strings that the older revision does not accept. */
  readonly lacks?: readonly string[];
  /** The member that distinguishes the arms of a union. */
  readonly tag?: string;
  /** Shapes by tag value, or by type name if there is no tag; null for an arm that the older revision lacks. */
  readonly arms?: Readonly<Record<string, string | null>>;
  /** The shape of a value without the tag; null if the older revision does not have such values. */
  readonly untagged?: string | null;
  /** The shape of the arms that `arms` does not name. Only composed tables have it. */
  readonly others?: string;
}

/**
 * A handwritten translation for one place, for differences that no table can express. Neither function changes its
 * input.
 */
export interface Rule {
  readonly down?: (value: unknown, shape: PreparedShape, descent: Descent) => unknown;
  /** The members that `down` changes. A message without any of them passes unchanged. */
  readonly members?: readonly string[];
  readonly up?: (value: unknown) => unknown;
}

/** The operations that a rule uses to translate a value into an older revision. */
export interface Descent {
  /** Looks up a shape; undefined if nothing differs there. */
  shape(name: string): PreparedShape | undefined;
  /** Returns the name of a message's shape; undefined if nothing in the message differs. */
  nameOf(method: string, part: MessagePart): string | undefined;
  /** Translates a value, applying rules as well. Returns {@link LOST} if the revision cannot express it. */
  walk(name: string, value: unknown): unknown;
  /** Translates a value using only its shape, not the shape's rule. */
  plain(shape: PreparedShape, value: unknown): unknown;
  /** Reports a loss and returns the value to send instead, or {@link LOST} if there is none. */
  lose(value: unknown, reason: string, replacement?: unknown): unknown;
  /** @throws CapabilityError always, because the revision cannot express the message */
  refuse(reason: string): never;
}

type Entries<Value> = readonly (readonly [name: string, value: Value])[];

/** A shape with its members as arrays, which are cheaper to iterate over than objects. */
export interface PreparedShape extends ShapeDifference<Rule> {
  readonly memberEntries: Entries<string>;
  readonly supplyEntries: Entries<unknown>;
  /**
   * The members whose presence requires a translation. A message with none of them passes unchanged. Undefined if their
   * presence alone does not decide this.
   */
  readonly differing: readonly string[] | undefined;
}

/**
 * The placeholder for a value that the revision cannot express. The object or array that contains the value omits it.
 */
export const LOST: unique symbol = Symbol("lost");
