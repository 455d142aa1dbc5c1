import type { VALIDATOR_IMPORTS } from "../../plan/runtime-imports.js";
import { type Check, isInline } from "./check.js";

/** Name of the runtime's own test for a check, if it has one. */
export function runtimeTest(check: Check): keyof typeof VALIDATOR_IMPORTS | undefined {
  if (!isInline(check)) return undefined;
  switch (check.kind) {
    case "string":
      return isBoundedString(check) ? undefined : "isString";
    case "number":
      if ((check.minimum ?? check.maximum) !== undefined) return undefined;
      return check.integer ? "isInteger" : "isNumber";
    case "boolean":
      return "isBoolean";
    case "array":
      return "isArray";
    case "object":
      return "isObject";
    default:
      return undefined;
  }
}

function isBoundedString(check: Check): boolean {
  return check.kind === "string" && (check.minLength ?? check.maxLength) !== undefined;
}
