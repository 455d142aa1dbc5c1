import type { Node } from "./schema-document.js";

/** Types of JSON values; `integer` is a part of `number`. */
export const JSON_TYPES = [
  "null",
  "boolean",
  "integer",
  "number",
  "string",
  "array",
  "object",
] as const;

export type JsonType = (typeof JSON_TYPES)[number];

/** Type of a value; a whole number is an `integer`. */
export function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as JsonType;
}

/** Types that a subschema allows by `type`, `const` and `enum`; undefined if it allows all. */
export function typesOf(node: Node): ReadonlySet<JsonType> | undefined {
  const { type } = node;
  const named = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined;
  const values = valuesOf(node);
  if (named === undefined) return values && new Set(values.map(typeOfValue));
  const known = new Set(named.filter((one): one is JsonType => JSON_TYPES.includes(one)));
  if (known.has("number")) known.add("integer");
  if (values === undefined) return known;
  return new Set(values.map(typeOfValue).filter((one) => known.has(one)));
}

/** Values that a subschema allows by `const` or `enum`. */
export function valuesOf(node: Node): readonly unknown[] | undefined {
  if (Object.hasOwn(node, "const")) return [node["const"]];
  return Array.isArray(node["enum"]) ? (node["enum"] as unknown[]) : undefined;
}
