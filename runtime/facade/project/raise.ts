import { isObject } from "../../internal.js";
import { armOf } from "./lowering.js";
import type { Shape } from "./projection-table.js";
import { RULES } from "./rules.js";

type Shapes = ReadonlyMap<string, Shape>;

/** Makes of a value of an older revision what the newest has. What stays the same is shared, not copied. */
export function raise(shapes: Shapes, name: string, value: unknown): unknown {
  const shape = shapes.get(name)!;
  const raised = raisePlain(shapes, shape, value);
  const up = shape.rule && RULES[shape.rule].up;
  return up ? up(raised) : raised;
}

function raisePlain(shapes: Shapes, shape: Shape, value: unknown): unknown {
  const { kinds, items, tag } = shape;
  if (Array.isArray(value)) {
    const name = kinds?.["array"] ?? items;
    if (typeof name !== "string") return value;
    return name === items ? raiseItems(shapes, items, value) : raise(shapes, name, value);
  }
  if (!isObject(value)) return value;
  const name = tag === undefined ? kinds?.["object"] : armOf(shape, value[tag]);
  if (typeof name === "string") return raise(shapes, name, value);
  return raiseMembers(shapes, shape, value);
}

function raiseItems(shapes: Shapes, name: string, value: readonly unknown[]): readonly unknown[] {
  const items = value.map((item) => raise(shapes, name, item));
  return items.every((item, index) => item === value[index]) ? value : items;
}

function raiseMembers(shapes: Shapes, shape: Shape, value: Record<string, unknown>): unknown {
  const { supply = {}, members = {}, each } = shape;
  let result = value;
  const set = (name: string, member: unknown): void => {
    if (member === value[name]) return;
    if (result === value) result = { ...value };
    result[name] = member;
  };
  for (const [name, member] of Object.entries(supply)) {
    if (!Object.hasOwn(value, name)) set(name, member);
  }
  for (const [name, to] of Object.entries(members)) {
    if (Object.hasOwn(value, name)) set(name, raise(shapes, to, value[name]));
  }
  if (each !== undefined) {
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(members, name)) set(name, raise(shapes, each, value[name]));
    }
  }
  return result;
}
