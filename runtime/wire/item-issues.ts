import { formatTestOf } from "./content.js";
import { descriptionOf } from "./descriptions.js";
import { explain } from "./explain.js";
import { shapeOf } from "./shape.js";
import type { Issue, Trace, Validator } from "./validation.js";

/**
 * Issues of one item of a list, by the type that items have in the result of the list: of its structure, and where that
 * is right, of its content.
 *
 * @param member - of the result, which has the items
 */
export function itemIssues(result: Validator, member: string, item: unknown): Issue[] {
  const trace: Trace = [];
  const description = descriptionOf(result);
  if (description === undefined) return trace;
  const { shapes, name } = description;
  const shape = shapeOf(shapes, name);
  if (typeof shape === "function") return itemIssues(shape, member, item);
  const list =
    shape.kind === "object" ? shape.members.find((one) => one.name === member) : undefined;
  const element = list?.shape.kind === "array" ? list.shape.element : undefined;
  if (element?.kind !== "reference") return trace;
  if (explain(shapes, element.name, item, trace)) formatTestOf(shapes, element.name)?.(item, trace);
  return trace;
}
