import type { Constraints, TypeExpression } from "../../model/schema-model.js";
import type { ConstrainedType, Shapes } from "../../model/shape.js";

/** A difference for which no fact states a treatment. */
export interface Clash {
  readonly place: string;
  /** The problem, as the predicate of a sentence: `is required by this revision …`. */
  readonly problem: string;
  readonly isWarning: boolean;
}

export function kindOfValue(type: TypeExpression, shapes: Shapes): string {
  const literal = shapes.literal(type);
  if (literal !== undefined) return typeof literal;
  if (type.kind === "keyword") return type.name;
  if (type.kind === "array") return "array";
  if (type.kind !== "reference") return "object";
  const declaration = shapes.declaration(type.name);
  if (declaration?.kind === "alias") return kindOfValue(declaration.type, shapes);
  return "object";
}

export function kindsOf({ type }: ConstrainedType, shapes: Shapes): string[] {
  return [...new Set(shapes.arms(type).map((arm) => kindOfValue(arm, shapes)))].toSorted();
}

/**
 * Returns the reason why a scalar from the newest revision may be invalid in another one, which is a different constant
 * or a tighter limit.
 */
export function scalarClash(
  neutral: ConstrainedType,
  own: ConstrainedType,
  sides: { readonly neutral: Shapes; readonly own: Shapes },
): string | undefined {
  const [is, was] = [sides.neutral.literal(neutral.type), sides.own.literal(own.type)];
  if (was !== undefined && is !== was) {
    return `is ${JSON.stringify(was)} in this revision, but can be something else in the newest`;
  }
  const tighter = Object.keys(own.constraints ?? {}).find((key) =>
    isTighter(key as keyof Constraints, neutral.constraints, own.constraints!),
  );
  return tighter === undefined ? undefined : `has a different limit in this revision: ${tighter}`;
}

function isTighter(
  key: keyof Constraints,
  neutral: Constraints | undefined,
  own: Constraints,
): boolean {
  if (key === "format") return false;
  const [is, was] = [neutral?.[key], own[key]];
  if (is === was || was === undefined) return false;
  if (key === "number") return was === "integer";
  if (is === undefined || key === "pattern") return true;
  return key.startsWith("min") ? was > is : was < is;
}
