import type { ArrayCheck, Check, NumberCheck, StringCheck } from "./check.js";

/** What an issue says that it expected. */
export function expected(check: Check): string {
  switch (check.kind) {
    case "any":
      return "any value";
    case "never":
      return "nothing";
    case "literal":
      return JSON.stringify(check.value);
    case "string":
      return string(check);
    case "number":
      return number(check);
    case "array":
      return array(check);
    case "anyOf":
      return check.arms.map(expected).join(" | ");
    case "allOf":
      return check.parts.map(operand).join(" & ");
    case "call":
      return check.name;
    default:
      return check.kind;
  }
}

/** What an issue about the size of an array says. */
export function expectedSize({ minItems, maxItems }: ArrayCheck): string {
  return `array with ${limits(minItems, maxItems)} items`;
}

function string({ minLength, maxLength }: StringCheck): string {
  if (minLength === undefined && maxLength === undefined) return "string";
  return `string with ${limits(minLength, maxLength)} characters`;
}

function number({ integer, minimum, maximum }: NumberCheck): string {
  const name = integer ? "integer" : "number";
  if (minimum === undefined && maximum === undefined) return name;
  return `${name}, ${limits(minimum, maximum)}`;
}

function array(check: ArrayCheck): string {
  return check.element.kind === "any" ? "array" : `${operand(check.element)}[]`;
}

function limits(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return `at most ${maximum}`;
  return maximum === undefined ? `at least ${minimum}` : `${minimum} to ${maximum}`;
}

function operand(check: Check): string {
  const text = expected(check);
  return text.includes(" | ") || text.includes(" & ") ? `(${text})` : text;
}
