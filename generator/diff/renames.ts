import type { Declaration } from "../model/schema-model.js";
import type { Shapes } from "../model/shape.js";
import type { Pair } from "./protocol-diff.js";
import { WireComparison } from "./wire-comparison.js";

/** Renamed types: removed here, added there, and the same on the wire. */
export function renames(before: Shapes, after: Shapes, gone: Names, come: Names): Pair[] {
  const wire = new WireComparison(before, after);
  return gone.flatMap((from) => {
    if (!isTelling(from, before)) return [];
    const to = come.find((name) => isTelling(name, after) && wire.sameNamed(from, name));
    return to === undefined ? [] : [{ from, to }];
  });
}

type Names = readonly string[];

/** True if a shape is so specific that two types are unlikely to share it by accident. */
function isTelling(name: string, shapes: Shapes): boolean {
  const declaration: Declaration | undefined = shapes.declaration(name);
  if (!declaration || declaration.kind === "const") return false;
  const shape = shapes.named(name);
  if (shape) return [...shape.members.values()].some(({ optional }) => !optional);
  return declaration.kind === "alias" && shapes.arms(declaration.type).length > 1;
}
