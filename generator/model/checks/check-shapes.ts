import type { Context } from "../context.js";
import type { Declaration, IntersectionType, OmitType } from "../schema-model.js";
import { typesIn } from "../walk.js";
import type { Scope } from "./scope.js";

export function checkShapes(declaration: Declaration, scope: Scope, context: Context): void {
  for (const type of typesIn(declaration)) {
    if (type.kind === "omit" && scope.sound(type.base)) checkOmit(type, scope, context);
    if (type.kind === "intersection") checkIntersection(type, scope, context);
  }
}

function checkOmit(type: OmitType, scope: Scope, context: Context): void {
  const base = scope.shapes.of(type.base);
  if (!base || base.indexes.length > 0) {
    context.refuse(
      type.base.span,
      "MCG2065",
      base
        ? "`Omit` of a type with an index signature."
        : "`Omit` of a type that is not an object type.",
      "Declare the remaining members in an interface of their own.",
    );
    return;
  }
  for (const key of type.keys) {
    if (base.members.has(key)) continue;
    context.refuse(
      type.span,
      "MCG2066",
      `\`Omit\` leaves out ${JSON.stringify(key)}, which is not a member.`,
      "Correct the name of the member.",
    );
  }
}

function checkIntersection(type: IntersectionType, scope: Scope, context: Context): void {
  for (const operand of type.members) {
    if (!scope.sound(operand)) continue;
    if (scope.shapes.arms(operand).every((arm) => scope.shapes.of(arm))) continue;
    context.refuse(
      operand.span,
      "MCG2075",
      "Only object types, and unions of them, can be intersected.",
      'Write out the resulting type; for an open enum, write `"known" | string`.',
    );
  }
}
