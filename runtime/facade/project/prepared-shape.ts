import type { Shape } from "./projection-table.js";

type Entries<Value> = readonly (readonly [name: string, value: Value])[];

/** A shape with its members as arrays, which cost less to go through than objects. */
export interface PreparedShape extends Shape {
  readonly memberEntries: Entries<string>;
  readonly supplyEntries: Entries<unknown>;
}

export function preparedShapes(
  shapes: Readonly<Record<string, Shape>>,
): ReadonlyMap<string, PreparedShape> {
  const prepared = Object.entries(shapes).map(([name, shape]) => {
    const memberEntries = Object.entries(shape.members ?? {});
    const supplyEntries = Object.entries(shape.supply ?? {});
    return [name, { ...shape, memberEntries, supplyEntries }] as const;
  });
  return new Map(prepared);
}
