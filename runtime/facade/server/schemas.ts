import type { StandardSchemaV1 } from "@standard-schema/spec";
import { oneLine } from "../../engine/index.js";
import { sentence, whenDone } from "../../ground/index.js";
import { describeThrown, isObject } from "../../wire/index.js";
import type { AnySchema, StandardSchema } from "./schema-types.js";

export type Parsing = { readonly value: unknown } | { readonly problem: string };

export interface ReadSchema {
  readonly json: Record<string, unknown>;
  /** Checks a value and returns the schema's output; absent for a plain JSON Schema, which is checked as such. */
  readonly parse?: ((value: unknown) => Parsing | Promise<Parsing>) | undefined;
}

type ObjectSchema = Record<string, unknown>;

/** The dialect that schemas are converted to, which is the one that peers assume by default. */
const TARGET = "draft-2020-12";

const ADVICE: Readonly<Record<string, string>> = {
  valibot: "wrap it with toStandardJsonSchema of @valibot/to-json-schema",
  zod: 'use zod 4.2 or later, from "zod" and not from "zod/mini"',
};

const KEYWORDS =
  /^(?:\$.*|type|properties|required|(?:additional|unevaluated|pattern|min|max)Properties|propertyNames|allOf|anyOf|oneOf|not|if|enum|const|items|title|description|default)$/;

/**
 * Reads a schema of any kind that the facade accepts.
 *
 * @param part - the side of the schema that peers see
 * @param whose - the schema's owner, as named in errors: `the inputSchema of "add"`
 */
export function readSchema(schema: AnySchema, part: "input" | "output", whose: string): ReadSchema {
  if (isStandard(schema)) {
    const { "~standard": standard } = schema;
    return {
      json: jsonOf(schema, part, whose),
      parse: parserOf((value) => standard.validate(value)),
    };
  }
  if (isJsonSchema(schema)) return { json: schema };
  const kinds =
    isObject(schema) && Object.values(schema).some(isStandard)
      ? "one for the whole object, as z.object({ … })"
      : "a schema of a library, or a JSON Schema";
  throw new TypeError(`${sentence(whose)} is not a schema: pass ${kinds}`);
}

export function isStandard(schema: unknown): schema is StandardSchema {
  return isHolder(schema) && "~standard" in schema;
}

/** Adds `type: "object"` to an object schema that has no `type`, such as a choice between several objects. */
export function ofObject({ json, parse }: ReadSchema): ReadSchema {
  return { json: "type" in json ? json : { type: "object", ...json }, parse };
}

/**
 * The JSON Schema of each schema. These are reused, because a program that creates a server for each request registers
 * the same schemas each time.
 */
const known = new WeakMap<object, { input?: ObjectSchema; output?: ObjectSchema }>();

function jsonOf(schema: StandardSchema, part: "input" | "output", whose: string): ObjectSchema {
  const found = known.get(schema) ?? {};
  known.set(schema, found);
  return (found[part] ??= converted(schema, part, whose));
}

function converted(schema: StandardSchema, part: "input" | "output", whose: string): ObjectSchema {
  const { jsonSchema, vendor } = schema["~standard"] as Partial<StandardSchema["~standard"]>;
  if (jsonSchema === undefined) {
    const advice = ADVICE[vendor ?? ""] ?? "use a version of the library with Standard JSON Schema";
    throw new TypeError(`${sentence(whose)} cannot be converted to JSON Schema: ${advice}`);
  }
  try {
    const { $schema, ...json } = jsonSchema[part]({ target: TARGET });
    const isTarget = typeof $schema !== "string" || $schema.includes(TARGET.slice("draft-".length));
    return isTarget ? json : { $schema, ...json };
  } catch (error) {
    const problem = `${sentence(whose)} cannot be represented as JSON Schema: ${describeThrown(error)}`;
    throw new TypeError(problem, { cause: error });
  }
}

/**
 * Returns true for an empty object, or for one with a keyword that `KEYWORDS` matches. Returns false if a member is
 * itself a library schema, because such an object is not a schema.
 */
function isJsonSchema(schema: unknown): schema is Record<string, unknown> {
  if (!isObject(schema)) return false;
  const members = Object.entries(schema);
  if (members.some(([, value]) => isStandard(value))) return false;
  return members.length === 0 || members.some(([name]) => KEYWORDS.test(name));
}

function parserOf(validate: StandardSchemaV1.Props["validate"]): NonNullable<ReadSchema["parse"]> {
  return (value) => whenDone(validate(value), parsingOf);
}

function parsingOf(result: StandardSchemaV1.Result<unknown>): Parsing {
  return result.issues ? { problem: oneLine(result.issues, textOf) } : { value: result.value };
}

function textOf({ path = [], message }: StandardSchemaV1.Issue): string {
  const pointer = path.map((step) => `/${String(typeof step === "object" ? step.key : step)}`);
  return pointer.length === 0 ? message : `${pointer.join("")}: ${message}`;
}

function isHolder(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
