import { type Shape, shapeOf } from "../validation/shape.js";
import { descriptionOf, type Shapes, type Validator } from "../validation/validator.js";

/**
 * True if an object that a validator accepts can have a member with this name, in any alternative of a union. False if
 * the validator has no description.
 */
export function hasMember(validator: Validator, member: string): boolean {
  const { shapes, name } = descriptionOf(validator) ?? {};
  return shapes !== undefined && isNamed(shapes, shapeOf(shapes, name!), member);
}

function isNamed(shapes: Shapes, shape: Shape | Validator, member: string): boolean {
  if (typeof shape === "function") return hasMember(shape, member);
  if (shape.kind === "reference") return isNamed(shapes, shapeOf(shapes, shape.name), member);
  if (shape.kind === "union") return shape.arms.some((arm) => isNamed(shapes, arm, member));
  if (shape.kind === "intersection") return shape.parts.some((one) => isNamed(shapes, one, member));
  return shape.kind === "object" && shape.members.some(({ name }) => name === member);
}
