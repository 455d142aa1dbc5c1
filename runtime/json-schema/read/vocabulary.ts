import { quote } from "../../wire/index.js";

/** The error for a schema that cannot be used. The message says where and why. */
export class SchemaError extends TypeError {
  override readonly name: string = "SchemaError";
  /** A JSON Pointer into the schema; empty for the schema as a whole. */
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path === "" ? "The schema" : `The schema at ${path}`}: ${problem}`);
    this.path = path;
  }
}

/** The dialects in the order of publication. */
export const DIALECTS = ["draft-04", "draft-06", "draft-07", "2019-09", "2020-12"] as const;

export type Dialect = (typeof DIALECTS)[number];

const DEFAULT: Dialect = "2020-12";

const IDENTIFIER =
  /^https?:\/\/json-schema\.org\/(?:(draft-0[467])|draft\/(2019-09|2020-12))\/schema#?$/;

export function dialectOf(schema: object, fallback: Dialect = DEFAULT, path = ""): Dialect {
  if (!Object.hasOwn(schema, "$schema")) return fallback;
  const { $schema } = schema as { $schema?: unknown };
  const match = typeof $schema === "string" ? IDENTIFIER.exec($schema) : undefined;
  const dialect = match?.[1] ?? match?.[2];
  if (dialect !== undefined) return dialect as Dialect;
  const named = typeof $schema === "string" ? quote($schema) : "what $schema says";
  const known = DIALECTS.map((name) => `JSON Schema ${name}`).join(", ");
  throw new SchemaError(`${path}/$schema`, `${named} is not a known dialect: use one of ${known}`);
}

export function isBefore(dialect: Dialect, other: Dialect): boolean {
  return DIALECTS.indexOf(dialect) < DIALECTS.indexOf(other);
}

export type KeywordShape =
  | "any"
  | "array"
  | "boolean"
  | "count"
  | "dependencies"
  | "number"
  | "positive"
  | "schema"
  | "schema or schemas"
  | "schemas"
  | "schemas by name"
  | "schemas by pattern"
  | "string"
  | "strings"
  | "strings by name"
  | "type";

/** A keyword, its shape, the first dialect that has it, and the last one if later dialects lack it. */
type Row = readonly [name: string, shape: KeywordShape, first?: Dialect, last?: Dialect];

const ROWS: readonly Row[] = [
  ["id", "string", "draft-04", "draft-04"],
  ["$id", "string", "draft-06"],
  ["$anchor", "string", "2019-09"],
  ["$dynamicAnchor", "string", "2020-12"],
  ["$recursiveAnchor", "boolean", "2019-09", "2019-09"],
  ["$ref", "string"],
  ["$dynamicRef", "string", "2020-12"],
  ["$recursiveRef", "string", "2019-09", "2019-09"],
  ["$defs", "schemas by name"],
  ["definitions", "schemas by name"],
  ["type", "type"],
  ["const", "any", "draft-06"],
  ["enum", "array"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema", "draft-07"],
  ["then", "schema", "draft-07"],
  ["else", "schema", "draft-07"],
  ["properties", "schemas by name"],
  ["patternProperties", "schemas by pattern"],
  ["additionalProperties", "schema"],
  ["unevaluatedProperties", "schema", "2019-09"],
  ["propertyNames", "schema", "draft-06"],
  ["required", "strings"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  // Later dialects replace this keyword with the two below, and do not define whether it still applies.
  ["dependencies", "dependencies"],
  ["dependentRequired", "strings by name", "2019-09"],
  ["dependentSchemas", "schemas by name", "2019-09"],
  ["prefixItems", "schemas", "2020-12"],
  ["items", "schema or schemas", "draft-04", "2019-09"],
  ["items", "schema", "2020-12"],
  ["additionalItems", "schema", "draft-04", "2019-09"],
  ["unevaluatedItems", "schema", "2019-09"],
  ["contains", "schema", "draft-06"],
  ["minContains", "count", "2019-09"],
  ["maxContains", "count", "2019-09"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["uniqueItems", "boolean"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "boolean", "draft-04", "draft-04"],
  ["exclusiveMinimum", "number", "draft-06"],
  ["exclusiveMaximum", "boolean", "draft-04", "draft-04"],
  ["exclusiveMaximum", "number", "draft-06"],
  ["multipleOf", "positive"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["pattern", "string"],
  ["format", "string"],
];

/** Returns the keywords that a dialect evaluates. To the dialect, all others are annotations or unknown. */
export function keywordsOf(dialect: Dialect): ReadonlyMap<string, KeywordShape> {
  const known = new Map<string, KeywordShape>();
  const at = DIALECTS.indexOf(dialect);
  for (const [name, shape, first = "draft-04", last = "2020-12"] of ROWS) {
    if (DIALECTS.indexOf(first) > at || DIALECTS.indexOf(last) < at) continue;
    known.set(name, shape);
  }
  return known;
}
