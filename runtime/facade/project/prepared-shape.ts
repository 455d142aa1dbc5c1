import { isObject } from "../../wire/index.js";
import type { Shape } from "./projection-table.js";
import { RULES } from "./rules.js";

type Entries<Value> = readonly (readonly [name: string, value: Value])[];

/** A shape with its members as arrays, which cost less to go through than objects. */
export interface PreparedShape extends Shape {
  readonly memberEntries: Entries<string>;
  readonly supplyEntries: Entries<unknown>;
  /** A message that has none of these members is the same in the revision; undefined where that is not all. */
  readonly differing: readonly string[] | undefined;
}

export function preparedShapes(
  shapes: Readonly<Record<string, Shape>>,
): ReadonlyMap<string, PreparedShape> {
  const prepared = Object.entries(shapes).map(([name, shape]) => {
    const memberEntries = Object.entries(shape.members ?? {});
    const supplyEntries = Object.entries(shape.supply ?? {});
    const differing = differingMembers(shape);
    return [name, { ...shape, memberEntries, supplyEntries, differing }] as const;
  });
  return new Map(prepared);
}

/** Whether a message goes to the older revision as it is; false where that takes a closer look. */
export function isSame({ differing }: PreparedShape, value: unknown): boolean {
  return differing !== undefined && isObject(value) && !differing.some((name) => name in value);
}

function differingMembers(shape: Shape): readonly string[] | undefined {
  const { drop = [], strip = [], refuse = [], members = {}, rule } = shape;
  const { each, tag, kinds } = shape;
  const ruled = rule ? RULES[rule].members : [];
  if ((each ?? tag ?? kinds) !== undefined || ruled === undefined) return undefined;
  return [...new Set(["_meta", ...drop, ...strip, ...refuse, ...Object.keys(members), ...ruled])];
}
