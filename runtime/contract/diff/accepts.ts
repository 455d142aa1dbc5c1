import { canonicalJson } from "../index.js";
import { isObject } from "../json.js";
import { typeOfValue, typesOf, type Node, type SchemaDocument } from "./schema-document.js";

const MAX_DEPTH = 64;

/**
 * Decides whether a schema accepts a value. Returns undefined if that cannot be decided, because patterns and formats
 * are never evaluated and the work is limited.
 */
export function accepts(
  value: unknown,
  schema: unknown,
  document: SchemaDocument,
  depth = 0,
): boolean | undefined {
  const node = document.node(schema);
  if (typeof node === "boolean") return node;
  if (depth > MAX_DEPTH || document.isExhausted()) return undefined;
  const inner = (part: unknown, member: unknown): boolean | undefined =>
    accepts(part, member, document, depth + 1);
  const verdicts: (boolean | undefined)[] = [isOfType(value, node), ...applied(value, node, inner)];
  const { $ref } = node;
  if (typeof $ref === "string") {
    const target = document.target($ref);
    verdicts.push(target && inner(value, target.schema));
  }
  if (typeof value === "number") verdicts.push(numberFits(value, node));
  if (typeof value === "string") verdicts.push(stringFits(value, node));
  if (Array.isArray(value)) verdicts.push(arrayFits(value, node, inner));
  else if (isObject(value)) verdicts.push(objectFits(value, node, inner));
  return all(verdicts);
}

type Inner = (value: unknown, schema: unknown) => boolean | undefined;

function all(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(undefined) ? undefined : true;
}

function isOfType(value: unknown, node: Node): boolean {
  const { type } = node;
  const named = type === undefined ? undefined : typesOf({ type });
  if (named && !named.has(typeOfValue(value))) return false;
  const isEqual = (one: unknown): boolean => canonicalJson(one) === canonicalJson(value);
  if (Object.hasOwn(node, "const") && !isEqual(node["const"])) return false;
  return !Array.isArray(node["enum"]) || node["enum"].some(isEqual);
}

function applied(value: unknown, node: Node, inner: Inner): (boolean | undefined)[] {
  const verdicts: (boolean | undefined)[] = [];
  const list = (name: string): readonly unknown[] | undefined =>
    Array.isArray(node[name]) ? (node[name] as unknown[]) : undefined;
  const some = (branches: readonly unknown[], isOne: boolean): boolean | undefined => {
    const found = branches.map((branch) => inner(value, branch));
    if (found.includes(undefined)) return !isOne && found.includes(true) ? true : undefined;
    const number = found.filter(Boolean).length;
    return isOne ? number === 1 : number > 0;
  };
  const [allOf, anyOf, oneOf] = [list("allOf"), list("anyOf"), list("oneOf")];
  if (allOf) verdicts.push(...allOf.map((branch) => inner(value, branch)));
  if (anyOf) verdicts.push(some(anyOf, false));
  if (oneOf) verdicts.push(some(oneOf, true));
  if (node["not"] !== undefined) {
    const refused = inner(value, node["not"]);
    verdicts.push(refused === undefined ? undefined : !refused);
  }
  const unknown = [
    "if",
    "$dynamicRef",
    "$recursiveRef",
    "unevaluatedProperties",
    "unevaluatedItems",
  ];
  if (unknown.some((name) => node[name] !== undefined)) verdicts.push(undefined);
  return verdicts;
}

function numberFits(value: number, node: Node): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  if (typeof minimum === "number" && value < minimum) return false;
  if (typeof maximum === "number" && value > maximum) return false;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) return false;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) return false;
  return typeof multipleOf !== "number" || Number.isInteger(value / multipleOf);
}

function stringFits(value: string, node: Node): boolean | undefined {
  const { minLength, maxLength, pattern, format } = node;
  const length = [...value].length;
  if (typeof minLength === "number" && length < minLength) return false;
  if (typeof maxLength === "number" && length > maxLength) return false;
  return pattern === undefined && format === undefined ? true : undefined;
}

function arrayFits(value: readonly unknown[], node: Node, inner: Inner): boolean | undefined {
  const { minItems, maxItems, items, prefixItems, uniqueItems, contains } = node;
  if (typeof minItems === "number" && value.length < minItems) return false;
  if (typeof maxItems === "number" && value.length > maxItems) return false;
  if (uniqueItems === true && new Set(value.map(canonicalJson)).size < value.length) return false;
  const prefix = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
  const verdicts = value.map((item, index) =>
    inner(item, index < prefix.length ? prefix[index] : (items ?? true)),
  );
  return all(contains === undefined ? verdicts : [...verdicts, undefined]);
}

function objectFits(value: Node, node: Node, inner: Inner): boolean | undefined {
  const { required, properties, patternProperties, additionalProperties = true } = node;
  const names = Object.keys(value);
  if (Array.isArray(required) && required.some((name) => !Object.hasOwn(value, String(name)))) {
    return false;
  }
  const { minProperties, maxProperties } = node;
  if (typeof minProperties === "number" && names.length < minProperties) return false;
  if (typeof maxProperties === "number" && names.length > maxProperties) return false;
  const known = isObject(properties) ? properties : {};
  const verdicts = names.map((name) => {
    if (Object.hasOwn(known, name)) return inner(value[name], known[name]);
    return patternProperties === undefined ? inner(value[name], additionalProperties) : undefined;
  });
  const others = ["propertyNames", "dependentRequired", "dependentSchemas", "dependencies"];
  const isKnown = others.every((name) => node[name] === undefined);
  return all(isKnown ? verdicts : [...verdicts, undefined]);
}
