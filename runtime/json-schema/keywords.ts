import { type Dialect, DIALECTS } from "./dialects.js";

/** Shape of a keyword's value. */
export type Shape =
  | "any"
  | "array"
  | "boolean"
  | "bound"
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

/** Keyword, shape, the first dialect that has it, the last one if there is a later one that has not. */
type Row = readonly [name: string, shape: Shape, first?: Dialect, last?: Dialect];

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
  // Later dialects have two others for it, and leave it open whether it still counts.
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
  ["exclusiveMinimum", "bound"],
  ["exclusiveMaximum", "bound"],
  ["multipleOf", "positive"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["pattern", "string"],
  ["format", "string"],
];

/** The keywords that a dialect acts on. All others are annotations, or mean nothing to it. */
export function keywordsOf(dialect: Dialect): ReadonlyMap<string, Shape> {
  const known = new Map<string, Shape>();
  const at = DIALECTS.indexOf(dialect);
  for (const [name, shape, first = "draft-04", last = "2020-12"] of ROWS) {
    if (DIALECTS.indexOf(first) > at || DIALECTS.indexOf(last) < at) continue;
    known.set(name, shape);
  }
  return known;
}
