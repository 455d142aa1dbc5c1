import type { Members } from "../../tape/json-value.js";

const NAMES = { enum: ["one", "two"], enumNames: ["The first", "The second"] };
const TITLED = [
  { const: "one", title: "The first" },
  { const: "two", title: "The second" },
  { const: "three", title: "The third" },
];

/**
 * The form fields that all revisions have. Only some have a default, so that a client has to find a value that fits.
 * Only the text is required.
 */
export const FIELDS: Members = {
  text: { type: "string", title: "Text", minLength: 1, default: "yes" },
  brief: { type: "string", minLength: 3, maxLength: 5 },
  address: { type: "string", format: "email", default: "doctor@example.com" },
  day: { type: "string", format: "date" },
  moment: { type: "string", format: "date-time" },
  page: { type: "string", format: "uri" },
  number: { type: "number", minimum: 0, maximum: 10, default: 1 },
  integer: { type: "integer", minimum: 3, maximum: 9 },
  truth: { type: "boolean", default: true },
  choice: { type: "string", enum: ["one", "two"], default: "one" },
  named: { type: "string", ...NAMES },
};
/** The form fields that only later revisions have. */
export const LATER_FIELDS: Members = {
  titled: { type: "string", oneOf: TITLED.slice(0, 1) },
  several: { type: "array", items: { type: "string", enum: ["one", "two"] }, default: ["one"] },
  pair: { type: "array", minItems: 2, maxItems: 2, items: { anyOf: TITLED } },
};

/** Returns the parameters of a form with these fields. */
export function formWith(properties: Members): Members {
  return {
    message: "The doctor examines this client. Please accept, or decline.",
    requestedSchema: { type: "object", properties, required: ["text"] },
  };
}
