import type { Declaration, TypeExpression } from "../schema-model.js";
import type { Shapes } from "../shape.js";

export interface Scope {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly shapes: Shapes;
  /**
   * Returns true if everything that is needed to evaluate a type is known. Checks must not draw conclusions from other
   * types.
   */
  sound(type: TypeExpression): boolean;
}
