import type { VALIDATOR_IMPORTS } from "../../plan/runtime-imports.js";
import { type Check, isInline, isPlainString } from "./check.js";

/** Name of the runtime's own test for a check, if it has one. */
export function runtimeTest(check: Check): keyof typeof VALIDATOR_IMPORTS | undefined {
  if (!isInline(check)) return undefined;
  switch (check.kind) {
    case "string":
      return isPlainString(check) ? "isString" : undefined;
    case "number":
      if ((check.minimum ?? check.maximum) !== undefined) return undefined;
      return check.integer ? "isInteger" : "isNumber";
    case "boolean":
      return "isBoolean";
    case "never":
      return "isNever";
    case "array":
      return "isArray";
    case "object":
      return "isObject";
    default:
      return undefined;
  }
}
