import { isObject } from "../../../wire/index.js";
import type { Rule } from "../rule.js";

type Field = Record<string, unknown>;

const TITLED = "TitledSingleSelectEnumSchema";
const UNTITLED = "UntitledSingleSelectEnumSchema";
const LEGACY = "LegacyTitledEnumSchema";

/**
 * Fields of forms: where a choice cannot be written in its newest form, it is written as `enum` and `enumNames`; a choice
 * of several values is left out (MCP: elicitation, requested schema).
 */
export const formField: Rule = {
  down(value, { arms = {} }, descent) {
    if (!isObject(value)) return value;
    const type = typeOf(value);
    if (arms[type] !== null) return walkArm(type, value);
    if ((type !== TITLED && type !== UNTITLED) || arms[LEGACY] === null) {
      return descent.lose(value, "is a kind of field that does not exist");
    }
    return walkArm(LEGACY, type === TITLED ? withNames(value) : value);

    function walkArm(arm: string, field: Field): unknown {
      const name = arms[arm];
      return typeof name === "string" ? descent.walk(name, field) : field;
    }
  },
};

/** Name of the type of a field in the newest revision. */
function typeOf(field: Field): string {
  switch (field["type"]) {
    case "array":
      return isObject(field["items"]) && field["items"]["anyOf"] !== undefined
        ? "TitledMultiSelectEnumSchema"
        : "UntitledMultiSelectEnumSchema";
    case "boolean":
      return "BooleanSchema";
    case "number":
    case "integer":
      return "NumberSchema";
    default:
      if (field["oneOf"] !== undefined) return TITLED;
      if (field["enumNames"] !== undefined) return LEGACY;
      return field["enum"] === undefined ? "StringSchema" : UNTITLED;
  }
}

function withNames({ oneOf, ...rest }: Field): Field {
  const choices = (oneOf as readonly unknown[]).filter((choice) => isObject(choice));
  return {
    ...rest,
    enum: choices.map((choice) => choice["const"]),
    enumNames: choices.map((choice) => choice["title"]),
  };
}
