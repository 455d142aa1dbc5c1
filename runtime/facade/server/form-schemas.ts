import type { FormSchema } from "../../features/index.js";
import { isObject, quote } from "../../wire/index.js";
import type { FormOrSchema } from "./context-types.js";
import { isStandard, readSchema } from "./schemas.js";

export function formFor(schema: FormOrSchema): FormSchema {
  return isStandard(schema)
    ? formOf(readSchema(schema, "input", "the requestedSchema").json)
    : (schema as FormSchema);
}

/**
 * The keywords that every form field can have, followed by those for each type (MCP: elicitation, requested schema).
 */
const COMMON = ["type", "title", "description", "default"];
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "format", "enum", "enumNames", "oneOf"],
  number: ["minimum", "maximum"],
  integer: ["minimum", "maximum"],
  boolean: [],
  array: ["items", "minItems", "maxItems"],
};
const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/**
 * Converts an object's JSON Schema to a form, leaving out the keywords that forms lack. The original schema checks
 * those when the answer is received.
 */
export function formOf({ properties, required }: Record<string, unknown>): FormSchema {
  if (!isObject(properties)) throw new TypeError("The schema of a form must be that of an object");
  const fields = Object.entries(properties).map(([name, schema]) => [name, fieldOf(name, schema)]);
  const form = { type: "object", properties: Object.fromEntries(fields) as object };
  const hasRequired = Array.isArray(required) && required.length > 0;
  return (hasRequired ? { ...form, required } : form) as FormSchema;
}

function fieldOf(name: string, schema: unknown): object {
  const field = isObject(schema) ? withChoices(schema) : {};
  const keywords = typeof field["type"] === "string" ? KEYWORDS[field["type"]] : undefined;
  if (keywords === undefined || (field["type"] === "array" && !isChoice(field["items"]))) {
    throw new TypeError(
      `${quote(name)} cannot be a field of a form: use a string, a number, a boolean, or a choice`,
    );
  }
  const known = [...COMMON, ...keywords].filter((keyword) => isKnown(keyword, field[keyword]));
  return Object.fromEntries(known.map((keyword) => [keyword, field[keyword]]));
}

function isKnown(keyword: string, value: unknown): boolean {
  return value !== undefined && (keyword !== "format" || FORMATS.has(value));
}

/**
 * Writes a choice between strings as an `enum`, because some libraries write it as alternatives with one constant each.
 */
function withChoices(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, const: only, ...others } = schema;
  if (typeof only === "string") return { ...others, type: "string", enum: [only] };
  if (!Array.isArray(anyOf)) {
    return schema["type"] === undefined && isTexts(schema["enum"])
      ? { ...schema, type: "string" }
      : schema;
  }
  const constants = anyOf.map((one: unknown) => (isObject(one) ? one["const"] : undefined));
  return isTexts(constants) ? { ...others, type: "string", enum: constants } : schema;
}

function isChoice(items: unknown): boolean {
  return isObject(items) && (isTexts(items["enum"]) || Array.isArray(items["anyOf"]));
}

function isTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === "string");
}
