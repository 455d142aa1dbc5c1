import { isObject } from "../wire/index.js";
import { isNever, isNode, type Node, type Subschema } from "./node.js";

/** Tells that a value certainly fits; false says nothing. */
export type QuickCheck = (value: unknown) => boolean;

/**
 * Keywords that a quick check handles, by type. Schemas with any other keyword have no quick check.
 */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  array: ["items"],
  boolean: [],
  integer: ["minimum", "maximum"],
  null: [],
  number: ["minimum", "maximum"],
  object: ["properties", "required", "additionalProperties"],
  string: ["enum"],
};

/**
 * Spares what most tools get the full evaluation: arguments of simple types, with nothing wrong about them.
 *
 * @param schema - copied, with nothing but keywords of its dialect
 * @returns undefined where the schema is not as simple as that
 */
export function quickCheck(schema: Subschema): QuickCheck | undefined {
  if (schema === true) return isAnything;
  if (!isNode(schema)) return undefined;
  const { type } = schema;
  const known = typeof type === "string" ? KEYWORDS[type] : undefined;
  const isSimple =
    known && Object.keys(schema).every((name) => name === "type" || known.includes(name));
  if (!isSimple) return undefined;
  switch (type) {
    case "array":
      return ofArrays(schema);
    case "boolean":
      return (value) => typeof value === "boolean";
    case "integer":
    case "number":
      return ofNumbers(schema);
    case "null":
      return (value) => value === null;
    case "object":
      return ofObjects(schema);
    default:
      return ofStrings(schema);
  }
}

function ofArrays({ items = true }: Node): QuickCheck | undefined {
  const check = quickCheck(items as Subschema);
  return check && ((value) => Array.isArray(value) && value.every(check));
}

function ofNumbers({ type, minimum = -Infinity, maximum = Infinity }: Node): QuickCheck {
  const isNumber = type === "integer" ? Number.isInteger : Number.isFinite;
  return (value) =>
    isNumber(value) &&
    (value as number) >= (minimum as number) &&
    (value as number) <= (maximum as number);
}

function ofStrings({ enum: values }: Node): QuickCheck {
  if (values === undefined) return (value) => typeof value === "string";
  const known = new Set(values as unknown[]);
  return (value) => typeof value === "string" && known.has(value);
}

function ofObjects({
  properties = {},
  required = [],
  additionalProperties = true,
}: Node): QuickCheck | undefined {
  const isOpen = additionalProperties === true;
  if (!isOpen && !isNever(additionalProperties)) return undefined;
  const checks = new Map<string, QuickCheck>();
  for (const [name, schema] of Object.entries(properties as Record<string, Subschema>)) {
    const check = quickCheck(schema);
    if (check === undefined) return undefined;
    checks.set(name, check);
  }
  const names = required as readonly string[];
  return (value) => {
    if (!isObject(value)) return false;
    for (const name of names) if (!Object.hasOwn(value, name)) return false;
    for (const name of Object.keys(value)) {
      const check = checks.get(name);
      if (check ? !check(value[name]) : !isOpen) return false;
    }
    return true;
  };
}

function isAnything(): boolean {
  return true;
}
