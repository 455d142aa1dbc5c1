import { isObject } from "../../../internal.js";
import type { Rule } from "../rule.js";

/** A form does not require a field that had to be left out. */
export const requiredFields: Rule = {
  down(value, shape, descent) {
    const lowered = descent.plain(shape, value);
    if (!isObject(value) || !isObject(lowered)) return lowered;
    const [before, after, required] = [
      value["properties"],
      lowered["properties"],
      lowered["required"],
    ];
    if (before === after || !isObject(after) || !Array.isArray(required)) return lowered;
    const left = required.filter((name) => Object.hasOwn(after, String(name)));
    return left.length === required.length ? lowered : { ...lowered, required: left };
  },
};
