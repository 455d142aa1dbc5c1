import {
  type Issue,
  type Trace,
  hasLength,
  isObject,
  isUri,
  reject,
  report,
  within,
} from "../../wire/index.js";
import type { ObjectFromSchema } from "../from-schema.js";

/** A text field, which may be restricted to fixed options. */
export interface TextField {
  readonly type: "string";
  readonly title?: string;
  readonly description?: string;
  /** The minimum length, in characters. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: "email" | "uri" | "date" | "date-time";
  readonly enum?: readonly string[];
  /**
   * The labels of the options in `enum`.
   *
   * @deprecated Write the choices as `oneOf`, each with `const` and `title`.
   */
  readonly enumNames?: readonly string[];
  readonly oneOf?: readonly Option[];
  readonly default?: string;
}

export interface NumberField {
  readonly type: "number" | "integer";
  readonly title?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

export interface BooleanField {
  readonly type: "boolean";
  readonly title?: string;
  readonly description?: string;
  readonly default?: boolean;
}

/** A field for choosing any number of values from fixed options. */
export interface ChoicesField {
  readonly type: "array";
  readonly title?: string;
  readonly description?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items:
    | { readonly type: "string"; readonly enum: readonly string[] }
    | { readonly anyOf: readonly Option[] };
  readonly default?: readonly string[];
}

export interface Option {
  readonly const: string;
  readonly title: string;
}

export type FormField = TextField | NumberField | BooleanField | ChoicesField;

/**
 * The schema of a form, which is one flat object (MCP: elicitation, requested schema). The kinds of fields differ
 * between revisions; this type includes all of them.
 */
export interface FormSchema {
  readonly $schema?: string;
  readonly type: "object";
  readonly properties: Readonly<Record<string, FormField>>;
  readonly required?: readonly string[];
}

export type FormValue = string | number | boolean | readonly string[];

/** The content of a form, by field. */
export type FormContent = Readonly<Record<string, FormValue>>;

/** The content of a form, typed if the compiler knows the schema's literal type. */
export type ContentOf<Schema extends FormSchema> = Readonly<ObjectFromSchema<Schema, FormContent>>;

/**
 * Returns the reasons why content does not match a form, or an empty array if it does. Values without a field are
 * accepted, as in any JSON Schema that does not forbid them.
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

/**
 * Returns undefined if the options are not an array. Such options restrict nothing, because an open schema may have any
 * value here.
 */
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

export function withDefaults({ properties }: FormSchema, content: FormContent): FormContent {
  const defaults = Object.entries(properties).flatMap(([name, field]) =>
    field.default === undefined || Object.hasOwn(content, name) ? [] : [[name, field.default]],
  );
  return Object.fromEntries([...Object.entries(content), ...defaults]) as FormContent;
}

/** The tests by format. Each takes time linear in the length of the text. */
export const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["email", isEmail],
  ["uri", isUri],
  ["date", isDate],
  ["date-time", isDateTime],
]);

/** Returns true for an address in the usual form, a name and a host. Returns false for quoted names and comments. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const name = text.slice(0, Math.max(at, 0));
  const host = text.slice(at + 1);
  return (
    text.length <= 254 &&
    /^[^\s@"(),:;<>[\\\]]{1,64}$/.test(name) &&
    !/^\.|\.\.|\.$/.test(name) &&
    host.split(".").every((label) => /^(?!-)[\p{L}\p{N}-]{1,63}$/u.test(label)) &&
    !/-(?:\.|$)/.test(host)
  );
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

/**
 * Returns true for an RFC 3339 date and time. A leap second is accepted in any minute, not only in the last minute of a
 * UTC day.
 */
function isDateTime(text: string): boolean {
  const match =
    /^(\d{4}-\d\d-\d\d)[t ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):(\d\d))$/i.exec(text);
  if (match === null || !isDate(match[1]!)) return false;
  const [hour, minute, second, offsetHour = 0, offsetMinute = 0] = match
    .slice(2)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
  return hour! <= 23 && minute! <= 59 && second! <= 60 && offsetHour <= 23 && offsetMinute <= 59;
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}
