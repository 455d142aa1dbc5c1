import type { PreparedShape } from "./prepared-shape.js";

/** What a rule can do with the value that it deals with, on its way to an older revision. */
export interface Descent {
  /** The shape of that name, if something is different there. */
  shape(name: string): PreparedShape | undefined;
  /** Makes of a value what the revision has, rules included; {@link LOST} when it has nothing for it. */
  walk(name: string, value: unknown): unknown;
  /** The same, for a shape whose rule is at work already. */
  plain(shape: PreparedShape, value: unknown): unknown;
  /** Reports a loss. What is to be sent instead: {@link LOST} when that is nothing. */
  lose(value: unknown, reason: string, replacement?: unknown): unknown;
  /** @throws CapabilityError always: this cannot be said at all */
  refuse(reason: string): never;
}

/** What no table can express about a place. Neither function changes what it is given. */
export interface Rule {
  readonly down?: (value: unknown, shape: PreparedShape, descent: Descent) => unknown;
  /** The members that `down` is about, where it leaves alone whatever has none of them. */
  readonly members?: readonly string[];
  readonly up?: (value: unknown) => unknown;
}

/** Stands for a value that the revision cannot express: whatever contains it does without. */
export const LOST: unique symbol = Symbol("lost");
