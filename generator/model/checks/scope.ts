import type { Declaration, TypeExpression } from "../schema-model.js";
import type { Shapes } from "../shape.js";

/** Lookup tables for the checks of one schema. */
export interface Scope {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly shapes: Shapes;
  /** True if everything that the type refers to was read. Rejected types permit no conclusions. */
  sound(type: TypeExpression): boolean;
}
