import type { Check } from "./check.js";
import { isPlainString } from "./runtime-test.js";

/** A check that holds where one of the alternatives does. Alternatives that another one covers are left out. */
export function anyOf(arms: readonly Check[]): Check {
  const flat = unique(arms.flatMap((arm) => (arm.kind === "anyOf" ? arm.arms : [arm])));
  if (flat.some(({ kind }) => kind === "any")) return { kind: "any" };
  const kept = flat.filter(
    (arm) => arm.kind !== "never" && !flat.some((other) => other !== arm && covers(other, arm)),
  );
  if (kept.length === 0) return { kind: "never" };
  return kept.length === 1 ? kept[0]! : { kind: "anyOf", arms: kept };
}

/** A check that holds where all parts do. Alternatives that contradict another part are left out. */
export function allOf(parts: readonly Check[]): Check {
  const stated = unique(parts.filter(({ kind }) => kind !== "any"));
  const kept = unique(
    stated.map((part) =>
      anyOf(
        (part.kind === "anyOf" ? part.arms : [part]).filter((arm) =>
          stated.every((other) => mayOverlap(arm, other)),
        ),
      ),
    ),
  );
  if (kept.some(({ kind }) => kind === "never")) return { kind: "never" };
  const narrow = kept.filter(
    (part) => !kept.some((other) => other !== part && covers(part, other)),
  );
  if (narrow.length === 0) return { kind: "any" };
  return narrow.length === 1 ? narrow[0]! : { kind: "allOf", parts: narrow };
}

/** False when no value passes both checks, as their kinds or literals say. */
function mayOverlap(one: Check, other: Check): boolean {
  if (one.kind === "never" || other.kind === "never") return false;
  if (isOpaque(one) || isOpaque(other)) return true;
  if (one.kind === "anyOf") return one.arms.some((arm) => mayOverlap(arm, other));
  if (other.kind === "anyOf") return mayOverlap(other, one);
  if (one.kind === "literal" && other.kind === "literal") return one.value === other.value;
  return valueKind(one) === valueKind(other);
}

/** True for a check that does not show what values it admits. */
function isOpaque({ kind }: Check): boolean {
  return kind === "any" || kind === "call" || kind === "allOf";
}

/** JSON type of the values that a check admits, unless it is one of several or shows none. */
export function valueKind(check: Check): string {
  return check.kind === "literal" ? typeof check.value : check.kind;
}

/** True when a scalar admits a literal. */
function covers(check: Check, literal: Check): boolean {
  if (literal.kind !== "literal") return false;
  switch (check.kind) {
    case "string":
      return typeof literal.value === "string" && isPlainString(check);
    case "boolean":
      return typeof literal.value === "boolean";
    case "number":
      return (
        typeof literal.value === "number" &&
        (!check.integer || Number.isInteger(literal.value)) &&
        literal.value >= (check.minimum ?? literal.value) &&
        literal.value <= (check.maximum ?? literal.value)
      );
    default:
      return false;
  }
}

function unique(checks: readonly Check[]): Check[] {
  return [...new Map(checks.map((check) => [JSON.stringify(check), check])).values()];
}
