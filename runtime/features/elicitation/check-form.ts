import {
  type Issue,
  type Trace,
  hasLength,
  isObject,
  reject,
  report,
  within,
} from "../../wire/index.js";
import type { ChoicesField, FormField, FormSchema, NumberField, TextField } from "./form-schema.js";
import { formats } from "./formats.js";

/**
 * Why what was filled in does not fit a form; empty when it does. Values that the form does not ask for are no
 * fault, as in any JSON Schema that does not forbid them.
 */
export function formIssues({ properties, required = [] }: FormSchema, content: unknown): Issue[] {
  const trace: Trace = [];
  if (!isObject(content)) {
    reject(trace, "object", content);
    return trace;
  }
  for (const name of required) {
    if (!Object.hasOwn(content, name)) report(trace, content, name, "a value");
  }
  for (const [name, field] of Object.entries(properties)) {
    if (!Object.hasOwn(content, name)) continue;
    within(trace, content, name, (value) => checkField(field, value, trace));
  }
  return trace;
}

function checkField(field: FormField, value: unknown, trace: Trace): boolean {
  const expected = problemOf(field, value);
  return expected === undefined || reject(trace, expected, value);
}

/** Describes what the field accepts instead; undefined when the value is valid. */
function problemOf(field: FormField, value: unknown): string | undefined {
  switch (field.type) {
    case "string":
      return typeof value === "string" ? textProblem(field, value) : "string";
    case "boolean":
      return typeof value === "boolean" ? undefined : "boolean";
    case "number":
    case "integer":
      return numberProblem(field, value);
    case "array":
      return choicesProblem(field, value);
    default:
      return "nothing, as the form has a field of an unknown type";
  }
}

function textProblem(field: TextField, value: string): string | undefined {
  const { minLength = 0, maxLength = Infinity, format, enum: values, oneOf } = field;
  const options = constants(values) ?? constants(oneOf);
  if (options && !options.includes(value)) return oneOfThese(options);
  if (!hasLength(value, minLength, maxLength)) {
    return `${range(minLength, maxLength)} characters`;
  }
  const hasFormat = format === undefined ? undefined : formats.get(format);
  return hasFormat && !hasFormat(value) ? `text of the format ${format}` : undefined;
}

function numberProblem(field: NumberField, value: unknown): string | undefined {
  const { type, minimum = -Infinity, maximum = Infinity } = field;
  if (!Number.isFinite(value) || (type === "integer" && !Number.isInteger(value))) return type;
  const number = value as number;
  return number >= minimum && number <= maximum ? undefined : range(minimum, maximum);
}

function choicesProblem(field: ChoicesField, value: unknown): string | undefined {
  const { minItems = 0, maxItems = Infinity, items } = field;
  if (!Array.isArray(value)) return "array";
  if (value.length < minItems || value.length > maxItems)
    return `${range(minItems, maxItems)} items`;
  const options = ("enum" in items ? constants(items.enum) : constants(items.anyOf)) ?? [];
  const known = new Set<unknown>(options);
  return value.every((one) => known.has(one)) ? undefined : `only ${oneOfThese(options)}`;
}

/** The options that a field has. An open schema can have anything in their place, which then is no restriction. */
function constants(options: unknown): unknown[] | undefined {
  if (!Array.isArray(options)) return undefined;
  return options.map((option: unknown) => (isObject(option) ? option["const"] : option));
}

function oneOfThese(options: readonly unknown[]): string {
  const named = options.slice(0, 10).map((option) => JSON.stringify(option));
  return [...named, ...(options.length > 10 ? ["…"] : [])].join(" | ");
}

function range(minimum: number, maximum: number): string {
  if (maximum === Infinity) return `${minimum} or more`;
  return minimum === -Infinity ? `${maximum} or less` : `${minimum} to ${maximum}`;
}
