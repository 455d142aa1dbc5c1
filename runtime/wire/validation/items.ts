import { explain } from "./explain.js";
import { innerShapes, type Shape, shapeOf } from "./shape.js";
import { descriptionOf, type Issue, type Shapes, type Trace, type Validator } from "./validator.js";

/**
 * Returns the issues in one list item's structure and content. Empty if the items' type is not described.
 *
 * @param member - the result's member that contains the items
 */
export function itemIssues(result: Validator, member: string, item: unknown): Issue[] {
  const trace: Trace = [];
  const type = itemType(result, member);
  if (type === undefined) return trace;
  const [shapes, name] = type;
  explain(shapes, name, item, trace, []);
  return trace;
}

export function itemMembers(result: Validator, member: string): readonly string[] | undefined {
  const [shapes, name] = itemType(result, member) ?? [];
  return shapes && namedMembers(shapes, name!);
}

/** True if any type in the validator's table has a member with this name, such as a key of `_meta`. */
export function isDescribed(validator: Validator, member: string): boolean {
  const { shapes = {} } = descriptionOf(validator) ?? {};
  return Object.keys(shapes).some((name) => isMentioned(shapeOf(shapes, name), member));
}

function isMentioned(shape: Shape | Validator, member: string): boolean {
  if (typeof shape === "function") return isDescribed(shape, member);
  const isOwn = shape.kind === "object" && shape.members.some(({ name }) => name === member);
  return isOwn || innerShapes(shape).some((inner) => isMentioned(inner, member));
}

function namedMembers(shapes: Shapes, name: string): readonly string[] | undefined {
  let shape: ReturnType<typeof shapeOf> | undefined = shapeOf(shapes, name);
  if (typeof shape === "function") {
    const description = descriptionOf(shape);
    shape = description && shapeOf(description.shapes, description.name);
  }
  if (typeof shape === "function" || shape?.kind !== "object") return undefined;
  return shape.members.map((one) => one.name);
}

function itemType(result: Validator, member: string): [shapes: Shapes, name: string] | undefined {
  const description = descriptionOf(result);
  if (description === undefined) return undefined;
  const { shapes, name } = description;
  const shape = shapeOf(shapes, name);
  if (typeof shape === "function") return itemType(shape, member);
  const list =
    shape.kind === "object" ? shape.members.find((one) => one.name === member) : undefined;
  const element = list?.shape.kind === "array" ? list.shape.element : undefined;
  return element?.kind === "reference" ? [shapes, element.name] : undefined;
}
