import { formatTestOf } from "./content.js";
import { descriptionOf } from "./descriptions.js";
import { explain } from "./explain.js";
import { type Shapes, shapeOf } from "./shape.js";
import type { Issue, Trace, Validator } from "./validation.js";

/**
 * Issues of one item of a list, by the type that items have in the result of the list: of its structure, and where that
 * is right, of its content.
 *
 * @param member - of the result, which has the items
 */
export function itemIssues(result: Validator, member: string, item: unknown): Issue[] {
  const trace: Trace = [];
  const type = itemType(result, member);
  if (type === undefined) return trace;
  const [shapes, name] = type;
  if (explain(shapes, name, item, trace)) formatTestOf(shapes, name)?.(item, trace);
  return trace;
}

/** Names of the members that the items of a list can have; undefined if the type of items is not described. */
export function itemMembers(result: Validator, member: string): readonly string[] | undefined {
  const [shapes, name] = itemType(result, member) ?? [];
  let shape = shapes && shapeOf(shapes, name!);
  if (typeof shape === "function") {
    const description = descriptionOf(shape);
    shape = description && shapeOf(description.shapes, description.name);
  }
  if (typeof shape === "function" || shape?.kind !== "object") return undefined;
  return shape.members.map((one) => one.name);
}

/** Name of the type that items of a list have, in the descriptions that contain it. */
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
