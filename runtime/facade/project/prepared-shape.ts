import { isObject } from "../../wire/index.js";
import type { PreparedShape, Rule } from "./rule.js";
import type { Shape, ShapeTable } from "./step.js";

export type PreparedShapes = ReadonlyMap<string, PreparedShape>;

/** Prepares the shapes of a table for use. */
export function preparedShapes(shapes: ShapeTable<Rule>["shapes"]): PreparedShapes {
  const prepared = Object.entries(shapes).map(([name, shape]) => {
    const memberEntries = Object.entries(shape.members ?? {});
    const supplyEntries = Object.entries(shape.supply ?? {});
    const differing = differingMembers(shape);
    return [name, { ...shape, memberEntries, supplyEntries, differing }] as const;
  });
  return new Map(prepared);
}

/** True when a message passes to the older revision unchanged; false when that takes a closer look. */
export function isSame({ differing }: PreparedShape, value: unknown): boolean {
  return differing !== undefined && isObject(value) && !differing.some((name) => name in value);
}

function differingMembers(shape: Shape<Rule>): readonly string[] | undefined {
  const { drop = [], strip = [], refuse = [], members = {}, rule } = shape;
  const { each, tag, kinds } = shape;
  const ruled = rule ? rule.members : [];
  if ((each ?? tag ?? kinds) !== undefined || ruled === undefined) return undefined;
  return [...new Set(["_meta", ...drop, ...strip, ...refuse, ...Object.keys(members), ...ruled])];
}
