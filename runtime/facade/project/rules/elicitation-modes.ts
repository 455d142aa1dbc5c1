import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

/** Declares elicitation without modes for clients with forms alone; an empty capability means forms (MCP: elicitation). */
export const elicitationModes: Rule = {
  down(value, shape, descent) {
    const hasForms = isObject(value) && (value["form"] !== undefined || isEmpty(value));
    const isForForms = shape.strip?.includes("form") === true;
    if (isForForms && !hasForms) return descent.lose(value, "stands for forms");
    return descent.plain(shape, value);
  },
  up: (value) => (isObject(value) && isEmpty(value) ? { form: {} } : value),
};

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}
