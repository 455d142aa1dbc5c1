import type { Declaration, TypeExpression } from "../schema-model.js";
import type { Shapes } from "../shape.js";

/** What the checks of one schema look things up in. */
export interface Scope {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly shapes: Shapes;
  /** Whether everything that a type stands for could be read: nothing follows from what was refused. */
  sound(type: TypeExpression): boolean;
}
