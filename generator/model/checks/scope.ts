import type { Declaration, TypeExpression } from "../schema-model.js";
import type { Shapes } from "../shape.js";

/** Lookup tables for the checks of one schema. */
export interface Scope {
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly shapes: Shapes;
  /**
   * True when everything that the type refers to could be read. Draw no conclusions from refused
   * types.
   */
  sound(type: TypeExpression): boolean;
}
