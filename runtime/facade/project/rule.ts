import type { MessagePart } from "../../wire/index.js";
import type { Shape } from "./step.js";

/** Handwritten translation of one place, for differences that no table expresses. Neither function changes its input. */
export interface Rule {
  readonly down?: (value: unknown, shape: PreparedShape, descent: Descent) => unknown;
  /** Members that `down` is about; a message without them passes unchanged. */
  readonly members?: readonly string[];
  readonly up?: (value: unknown) => unknown;
}

/** Operations of a rule on its way to an older revision. */
export interface Descent {
  /** Looks up a shape; undefined when nothing differs there. */
  shape(name: string): PreparedShape | undefined;
  /** Name of the shape of a message, if something of it differs. */
  nameOf(method: string, part: MessagePart): string | undefined;
  /** Translates a value, rules included; {@link LOST} when the revision has nothing for it. */
  walk(name: string, value: unknown): unknown;
  /** Translates a value by its shape alone, without the shape's rule. */
  plain(shape: PreparedShape, value: unknown): unknown;
  /** Reports a loss, and gives the value to send instead: {@link LOST} when there is none. */
  lose(value: unknown, reason: string, replacement?: unknown): unknown;
  /** @throws CapabilityError always: the revision has no way to say this */
  refuse(reason: string): never;
}

type Entries<Value> = readonly (readonly [name: string, value: Value])[];

/** A shape with its members as arrays, which are cheaper to iterate than objects. */
export interface PreparedShape extends Shape<Rule> {
  readonly memberEntries: Entries<string>;
  readonly supplyEntries: Entries<unknown>;
  /** Members without which a message passes unchanged; undefined when more than members decides. */
  readonly differing: readonly string[] | undefined;
}

/** Placeholder for a value that the revision cannot express: its container does without it. */
export const LOST: unique symbol = Symbol("lost");
