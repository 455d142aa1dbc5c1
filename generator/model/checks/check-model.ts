import type { Context } from "../context.js";
import { checkStrayComments } from "../doc.js";
import type { Declaration } from "../schema-model.js";
import { Shapes } from "../shape.js";
import { checkConstraints } from "./check-constraints.js";
import { checkCycles, leaves } from "./check-cycles.js";
import { checkHeritage } from "./check-heritage.js";
import { checkReferences } from "./check-references.js";
import { checkShapes } from "./check-shapes.js";
import type { Scope } from "./scope.js";

/**
 * Performs the checks that require the whole schema.
 *
 * @param own - the declarations in the file itself; imported ones have been checked along with their own file
 */
export function checkModel(
  own: readonly Declaration[],
  all: readonly Declaration[],
  context: Context,
): void {
  const declarations = new Map(all.map((declaration) => [declaration.name, declaration]));
  checkStrayComments(context);
  checkReferences(own, declarations, context);
  checkConstraints(declarations, context);
  const sound = checkCycles(declarations, context);
  const scope: Scope = {
    declarations,
    shapes: new Shapes(all),
    sound: (type) => {
      return [...leaves(type, false)].every(({ leaf }) => {
        return leaf.kind === "reference" ? sound.has(leaf.name) : !context.standIns.has(leaf);
      });
    },
  };
  for (const declaration of own) {
    if (declaration.kind === "interface") checkHeritage(declaration, scope, context);
    checkShapes(declaration, scope, context);
  }
}
