import { isObject } from "../../wire/index.js";
import { armOf } from "./lowering.js";
import type { PreparedShapes as Shapes } from "./prepared-shape.js";
import type { PreparedShape } from "./rule.js";
import { setOwn } from "./set-own.js";

/** Translates a value of an older revision into the newest. Values that stay the same are shared, not copied. */
export function raise(shapes: Shapes, name: string, value: unknown): unknown {
  const shape = shapes.get(name)!;
  const raised = raisePlain(shapes, shape, value);
  const up = shape.rule?.up;
  return up ? up(raised) : raised;
}

function raisePlain(shapes: Shapes, shape: PreparedShape, value: unknown): unknown {
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
  let items: unknown[] | undefined;
  for (let index = 0; index < value.length; index++) {
    const item = raise(shapes, name, value[index]);
    if (item !== value[index]) items ??= value.slice();
    if (items) items[index] = item;
  }
  return items ?? value;
}

function raiseMembers(
  shapes: Shapes,
  shape: PreparedShape,
  value: Record<string, unknown>,
): unknown {
  const { supplyEntries, memberEntries, each } = shape;
  let copy: Record<string, unknown> | undefined;
  for (const [name, member] of supplyEntries) {
    if (!Object.hasOwn(value, name)) (copy ??= {})[name] = member;
  }
  if (copy) copyMembers(value, copy);
  for (const [name, to] of memberEntries) {
    if (!Object.hasOwn(value, name)) continue;
    const member = raise(shapes, to, value[name]);
    if (member !== value[name]) (copy ??= copyMembers(value))[name] = member;
  }
  if (each !== undefined) {
    for (const name of Object.keys(value)) {
      if (shape.members && Object.hasOwn(shape.members, name)) continue;
      const member = raise(shapes, each, value[name]);
      if (member !== value[name]) setOwn((copy ??= copyMembers(value)), name, member);
    }
  }
  return copy ?? value;
}

/** Members are added one by one: adding them to a copy that was made by spreading costs V8 many times as much. */
function copyMembers(
  value: Record<string, unknown>,
  copy: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const name of Object.keys(value)) setOwn(copy, name, value[name]);
  return copy;
}
