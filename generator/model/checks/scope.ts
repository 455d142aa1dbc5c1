import type { Declaration, TypeExpression } from "../schema-model.js";
import type { Shapes } from "../shape.js";

/** Declarations and other data that the checks of one schema look up. */
export interface Scope {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly shapes: Shapes;
  /** True if everything that a type refers to has been read. Nothing can be concluded about other types. */
  sound(type: TypeExpression): boolean;
}
