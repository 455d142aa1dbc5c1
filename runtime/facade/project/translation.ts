import type { Revision } from "../../wire/index.js";
import { compose } from "./compose.js";
import { envelopeTable } from "./envelope.js";
import { type PreparedShapes, preparedShapes } from "./prepared-shape.js";
import type { Rule } from "./rule.js";
import type { MethodShapes, Step } from "./step.js";

/** Tables between the newest revision and an older one, ready for use. */
export interface Translation {
  readonly methods: ReadonlyMap<string, MethodShapes>;
  readonly shapes: PreparedShapes;
}

/**
 * Composes all steps, and the envelope, into the tables for one revision.
 *
 * @param steps - from the newest revision to this one
 */
export function translationOf(revision: Revision, steps: readonly Step<Rule>[]): Translation {
  const { methods, shapes } = steps.reduce(compose, envelopeTable(revision, steps));
  const own = Object.entries(methods).filter(([method]) => revision.methods.has(method));
  return { methods: new Map(own), shapes: preparedShapes(shapes) };
}
