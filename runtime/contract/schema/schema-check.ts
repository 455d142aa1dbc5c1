import { CHECKED_FORMATS } from "@mcp-codegen/runtime/json-schema";
import { isObject } from "../json.js";
import {
  type Check,
  type MemberCheck,
  allOf,
  anyOf,
  discriminant,
  runtimeTest,
  valueKind,
} from "mcp-codegen/emit";

import { type Node, SchemaDocument } from "../diff/schema-document.js";

/**
 * Limits of a schema for which generated code has a validator. References are inlined, so the number of nodes limits
 * the cost of validating one value, whatever a foreign schema contains.
 */
const LIMITS = { depth: 32, nodes: 1000 };

/** Keywords from all dialects that restrict values but are not supported by generated code. */
const OPAQUE: ReadonlySet<string> = new Set([
  ...["$anchor", "$dynamicAnchor", "$dynamicRef", "$id", "$recursiveAnchor", "$recursiveRef", "id"],
  ...["additionalItems", "contains", "dependencies", "dependentRequired", "dependentSchemas"],
  ...["else", "if", "maxContains", "maxProperties", "minContains", "minProperties", "multipleOf"],
  ...["not", "pattern", "patternProperties", "prefixItems", "then"],
  ...["unevaluatedItems", "unevaluatedProperties"],
]);

const BY_TYPE = {
  array: ["items", "minItems", "maxItems", "uniqueItems"],
  boolean: [],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  null: [],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  object: ["properties", "required", "additionalProperties", "propertyNames"],
  string: ["minLength", "maxLength", "format"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type TypeName = keyof typeof BY_TYPE;

/**
 * Converts a JSON Schema to the form that validators are printed from. Returns undefined if the schema contains
 * constraints that generated code does not check.
 *
 * @param schema - a schema that `jsonSchemas()` accepts
 */
export function schemaCheck(schema: object): Check | undefined {
  const { $schema } = schema as Node;
  if (typeof $schema === "string" && $schema.includes("draft-04")) return undefined;
  try {
    return new CheckReader(schema).read(schema, 0);
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

class Unsupported extends Error {}

class CheckReader {
  readonly #document: SchemaDocument;
  #nodes = 0;

  constructor(root: object) {
    this.#document = new SchemaDocument(root);
  }

  read(schema: unknown, depth: number): Check {
    this.#nodes += 1;
    if (this.#nodes > LIMITS.nodes || depth > LIMITS.depth) throw new Unsupported();
    const node = this.#document.node(schema);
    if (typeof node === "boolean") return node ? ANY : { kind: "never" };
    if (Object.keys(node).some((keyword) => OPAQUE.has(keyword))) throw new Unsupported();
    const { $ref, allOf: all, anyOf: any, oneOf: one } = node;
    const parts = [own(node, (inner) => this.read(inner, depth + 1))];
    if (typeof $ref === "string") parts.push(this.#target($ref, depth));
    if (Array.isArray(all)) parts.push(...this.#all(all, depth));
    if (Array.isArray(any)) parts.push(anyOf(this.#all(any, depth)));
    if (Array.isArray(one)) parts.push(oneOf(this.#all(one, depth)));
    return allOf(parts);
  }

  #all(schemas: readonly unknown[], depth: number): Check[] {
    return schemas.map((schema) => this.read(schema, depth + 1));
  }

  #target(reference: string, depth: number): Check {
    const target = this.#document.target(reference);
    if (target === undefined) throw new Unsupported();
    return this.read(target.schema, depth + 1);
  }
}

type Read = (schema: unknown) => Check;

/** Returns the check for the keywords that describe the value itself, excluding references and schema combinations. */
function own(node: Node, read: Read): Check {
  const types = node["type"] === undefined ? undefined : [node["type"]].flat();
  const listed = "const" in node ? [node["const"]] : node["enum"];
  if (Array.isArray(listed)) {
    const isMixed = "const" in node && "enum" in node;
    if (isMixed || ALL_TYPES.some((type) => isLimited(node, type))) throw new Unsupported();
    return anyOf(listed.filter((value) => isOneOf(value, types)).map(literalCheck));
  }
  if (types) return anyOf(types.map((type) => typeCheck(type as TypeName, node, read)));
  // Without `type`, a limit such as `minLength` applies only to strings, and all other values are valid. Such a check
  // cannot be expressed.
  if (ALL_TYPES.some((type) => isLimited(node, type))) throw new Unsupported();
  return ANY;
}

function isLimited(node: Node, type: TypeName): boolean {
  return BY_TYPE[type].some((keyword) => node[keyword] !== undefined);
}

function isOneOf(value: unknown, types: readonly unknown[] | undefined): boolean {
  if (types === undefined) return true;
  if (value === null) return types.includes("null");
  if (typeof value !== "number") return types.includes(typeof value);
  return types.includes("number") || (types.includes("integer") && Number.isInteger(value));
}

function literalCheck(value: unknown): Check {
  switch (typeof value) {
    case "string":
    case "boolean":
      return { kind: "literal", value };
    case "number":
      if (Number.isFinite(value)) return { kind: "literal", value };
      break;
    case "object":
      if (value === null) return { kind: "null" };
  }
  throw new Unsupported();
}

function typeCheck(type: TypeName, node: Node, read: Read): Check {
  switch (type) {
    case "null":
    case "boolean":
      return { kind: type };
    case "string":
      if (CHECKED_FORMATS.has(node["format"] as string)) throw new Unsupported();
      return { kind: "string", ...numbersOf(node, ["minLength", "maxLength"]) };
    case "integer":
    case "number":
      return numberCheck(type === "integer", node);
    case "array": {
      if (node["uniqueItems"] === true) throw new Unsupported();
      const { items } = node;
      const element = items === undefined ? ANY : read(items);
      return { kind: "array", element, ...numbersOf(node, ["minItems", "maxItems"]) };
    }
    case "object":
      return objectCheck(node, read);
  }
}

function numberCheck(integer: boolean, node: Node): Check {
  const limits = numbersOf(node, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]);
  const { exclusiveMinimum: above, exclusiveMaximum: below, ...inclusive } = limits;
  if ((above ?? below) === undefined) return { kind: "number", integer, ...inclusive };
  const isExact = [above, below].every((limit) => Number.isSafeInteger(Math.trunc(limit ?? 0)));
  if (!integer || !isExact) throw new Unsupported();
  const { minimum = -Infinity, maximum = Infinity } = inclusive;
  const from = above === undefined ? minimum : Math.max(minimum, Math.floor(above) + 1);
  const to = below === undefined ? maximum : Math.min(maximum, Math.ceil(below) - 1);
  return {
    kind: "number",
    integer,
    ...(Number.isFinite(from) && { minimum: from }),
    ...(Number.isFinite(to) && { maximum: to }),
  };
}

function numbersOf<Name extends string>(
  node: Node,
  names: readonly Name[],
): { [Key in Name]?: number } {
  return Object.fromEntries(
    names.filter((name) => typeof node[name] === "number").map((name) => [name, node[name]]),
  ) as { [Key in Name]?: number };
}

function objectCheck(node: Node, read: Read): Check {
  const { properties, required, additionalProperties, propertyNames = true } = node;
  const name = read(propertyNames);
  // A schema that accepts every string does not restrict the names.
  if (name.kind !== "any" && runtimeTest(name) !== "isString") throw new Unsupported();
  const names = new Set(Array.isArray(required) ? (required as string[]) : []);
  const members = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, schema]): MemberCheck => {
      return { name, optional: !names.delete(name), check: read(schema) };
    },
  );
  const rest = additionalProperties === undefined ? ANY : read(additionalProperties);
  const others = [...names].map((name): MemberCheck => ({ name, optional: false, check: rest }));
  const all = [...members, ...others];
  return { kind: "object", members: all, ...(rest.kind !== "any" && { index: rest }) };
}

/** Returns the check for `oneOf`. It is a union, so the alternatives must be disjoint. */
function oneOf(arms: readonly Check[]): Check {
  const isClear = arms.every((arm, index) =>
    arms.slice(index + 1).every((other) => areDisjoint(arm, other)),
  );
  if (!isClear) throw new Unsupported();
  return anyOf(arms);
}

function areDisjoint(one: Check, other: Check): boolean {
  if (one.kind === "never" || other.kind === "never") return true;
  if (one.kind === "anyOf") return one.arms.every((arm) => areDisjoint(arm, other));
  if (other.kind === "anyOf") return areDisjoint(other, one);
  if (!(isPlain(one) && isPlain(other))) return false;
  if (one.kind === "literal" && other.kind === "literal") return one.value !== other.value;
  if (valueKind(one) !== valueKind(other)) return true;
  const found = discriminant([one, other], NO_DECLARATIONS);
  return found !== undefined && found.cases.every((each) => each.arms.length === 1);
}

function isPlain({ kind }: Check): boolean {
  return kind !== "any" && kind !== "call" && kind !== "allOf";
}

const ANY: Check = { kind: "any" };
const ALL_TYPES = Object.keys(BY_TYPE) as TypeName[];
const NO_DECLARATIONS: ReadonlyMap<string, Check> = new Map();
