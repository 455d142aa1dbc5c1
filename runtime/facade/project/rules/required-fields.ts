import { isObject, quote } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** A form is not sent without a field that it requires: no answer to it could fit. */
export const requiredFields: Rule = {
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(value) || !isObject(lowered)) return lowered;
    const { properties, required } = value;
    const { properties: left } = lowered;
    if (properties === left || !isObject(left) || !Array.isArray(required)) return lowered;
    const isLost = (name: string): boolean =>
      Object.hasOwn(properties as object, name) && !Object.hasOwn(left, name);
    const lost = (required as readonly string[]).find(isLost);
    if (lost === undefined) return lowered;
    return descent.refuse(`requires ${quote(lost)}, a kind of field that does not exist`);
  },
};
