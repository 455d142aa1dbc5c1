import type { FormatScope } from "./content.js";
import type { FormatTest } from "./formats.js";
import type { Shapes } from "./shape.js";
import type { Validator } from "./validation.js";

/** Description of the values that a validator accepts: a type, and the table in which it is described. */
export interface Description {
  readonly shapes: Shapes;
  readonly name: string;
  /** Tests of formats, as far as they are made; null where no value can have a wrong one. */
  readonly tests: Partial<Record<FormatScope, FormatTest | null>>;
}

const descriptions = /* @__PURE__ */ new WeakMap<Validator, Description>();

export function describe(validator: Validator, shapes: Shapes, name: string): void {
  descriptions.set(validator, { shapes, name, tests: {} });
}

/** Gives a validator the description of another one, of which it checks more. */
export function describeLike(validator: Validator, other: Validator): void {
  const description = descriptions.get(other);
  if (description) descriptions.set(validator, description);
}

/** Description behind a validator; undefined for one that was not generated. */
export function descriptionOf(validator: Validator): Description | undefined {
  return descriptions.get(validator);
}
