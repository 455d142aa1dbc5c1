import type { ConstrainedType, EffectiveMember } from "../model/shape.js";
import type { Constraints, ObjectShape, TypeExpression } from "../model/schema-model.js";
import type { Condition } from "../link/protocol.js";

/** Returns a type on one line, in a notation close to TypeScript's. */
export function typeText(type: TypeExpression): string {
  switch (type.kind) {
    case "keyword":
    case "reference":
      return type.name;
    case "literal":
      return JSON.stringify(type.value);
    case "typeof":
      return `typeof ${type.name}`;
    case "array":
      return `${grouped(type.element)}[]`;
    case "record":
      return `{ [k]: ${typeText(type.value)} }`;
    case "union":
      return type.members.map(typeText).join(" | ");
    case "intersection":
      return type.members.map(grouped).join(" & ");
    case "omit":
      return `Omit<${typeText(type.base)}, ${type.keys.map((key) => JSON.stringify(key)).join(" | ")}>`;
    case "object":
      return shapeText(type);
  }
}

export function nameText(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : JSON.stringify(name);
}

function grouped(type: TypeExpression): string {
  const text = typeText(type);
  return type.kind === "union" || type.kind === "intersection" ? `(${text})` : text;
}

function shapeText({ members, index }: ObjectShape): string {
  const parts = members.map(
    ({ name, optional, type, constraints }) =>
      `${nameText(name)}${optional ? "?" : ""}: ${typeText(type)}${constraintsText(constraints)}`,
  );
  if (index) parts.push(`[k]: ${typeText(index.type)}`);
  return parts.length > 0 ? `{ ${parts.join("; ")} }` : "{}";
}

/** Returns constraints as text that begins with a space; empty if there are none. */
export function constraintsText(constraints: Constraints | undefined): string {
  return Object.entries(constraints ?? {})
    .map(([name, value]) => (name === "number" ? ` @type ${value}` : ` @${name} ${value}`))
    .join("");
}

/** Returns a member's type. If an intersection states several types, they are joined by `&`. */
export function memberText({ types }: EffectiveMember): string {
  return types.map(constrainedText).join(" & ");
}

function constrainedText(one: ConstrainedType): string {
  return `${kindText(one)}${constraintsText(one.constraints)}`;
}

/**
 * Returns a type on one line, with `(integer)` after a number that must not have a fraction. Other constraints are
 * omitted.
 */
export function kindText({ type, constraints }: ConstrainedType): string {
  const isInteger = type.kind === "keyword" && type.name === "number" && !constraints?.number;
  return `${typeText(type)}${isInteger ? " (integer)" : ""}`;
}

/** Returns a trait's or convention's value on one line: `true`, `400,404`, `METHOD_NOT_FOUND 404`. */
export function valueText(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return String(value);
  const members = Object.entries(value).map(([name, member]) => `${name} ${String(member)}`);
  return members.length === 0 ? "none" : members.join(", ");
}

/** Describes a condition as text: `client.elicitation.url, when mode is url`. */
export function conditionText(condition: Condition): string {
  const { capability, member, in: values, orAbsent, orEmpty, level, unmet } = condition;
  const what = values ? `is ${values.join(" or ")}` : "is present";
  const absent = orAbsent ? " or absent" : "";
  const empty = orEmpty ? `, or empty ${orEmpty}` : "";
  const advice = level === "should" ? " (recommended)" : "";
  const otherwise = unmet === "drop" ? " (left out otherwise)" : "";
  return `${capability}${empty}${advice}, when ${member} ${what}${absent}${otherwise}`;
}
