import { isObject, quote } from "../../wire/index.js";
import type { SchemaLimits } from "./limits.js";
import {
  type Dialect,
  dialectOf,
  isBefore,
  keywordsOf,
  SchemaError,
  type KeywordShape,
} from "./vocabulary.js";

/** A subschema: a copy without a prototype that has only its dialect's keywords. */
export type Node = Record<string, unknown>;

export type Subschema = Node | boolean;

export interface CopiedSchema {
  readonly root: Subschema;
  /** All subschemas except booleans, each with its place. */
  readonly nodes: ReadonlyMap<Node, Place>;
  /** The subschemas that have an identifier, by absolute URI without a fragment. The schema itself is one of them. */
  readonly resources: ReadonlyMap<string, Subschema>;
  /** The subschemas that have an anchor, by absolute URI with that anchor. */
  readonly anchors: ReadonlyMap<string, Node>;
}

export interface Place {
  /** A JSON Pointer into the schema. */
  readonly path: string;
  readonly base: string;
}

const TYPES: readonly unknown[] = [
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
];

/** The base for relative identifiers. Nothing is ever fetched. */
const BASE = "schema://local/";

/** The keywords that older dialects evaluate next to a `$ref`. */
const BESIDE_REF: ReadonlySet<string> = new Set(["$ref", "definitions", "$defs"]);

/**
 * Copies a schema, keeping only its dialect's keywords.
 *
 * @throws SchemaError if it is not a valid schema of its dialect, or if it is too large
 */
export function copySchema(schema: object, dialect: Dialect, limits: SchemaLimits): CopiedSchema {
  const copy: SchemaCopy = {
    nodes: new Map(),
    resources: new Map(),
    anchors: new Map(),
    dialect,
    limits,
    keywords: keywordsOf(dialect),
    base: BASE,
    values: 0,
  };
  const root = copyPart(copy, schema, "", 1);
  copy.resources.set(BASE, root);
  return { root, ...copy };
}

interface SchemaCopy {
  readonly nodes: Map<Node, Place>;
  readonly resources: Map<string, Subschema>;
  readonly anchors: Map<string, Node>;
  readonly dialect: Dialect;
  readonly limits: SchemaLimits;
  readonly keywords: ReadonlyMap<string, KeywordShape>;
  base: string;
  values: number;
}

function copyPart(copy: SchemaCopy, schema: unknown, path: string, depth: number): Subschema {
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema)) throw new SchemaError(path, "a schema must be an object or a boolean");
  enter(copy, path, depth);
  if (copy.nodes.size >= copy.limits.subschemas) {
    throw new SchemaError("", `it has more than ${copy.limits.subschemas} subschemas`);
  }
  if (dialectOf(schema, copy.dialect, path) !== copy.dialect) {
    throw new SchemaError(`${path}/$schema`, "a schema must have one dialect for all of its parts");
  }
  const outerBase = copy.base;
  const node = copyNode(copy, schema, path, depth);
  copy.base = outerBase;
  return node;
}

function copyNode(
  copy: SchemaCopy,
  schema: Record<string, unknown>,
  path: string,
  depth: number,
): Node {
  const node = emptyNode();
  const isReference = isBefore(copy.dialect, "2019-09") && typeof schema["$ref"] === "string";
  if (!isReference) identify(copy, node, schema, path);
  copy.nodes.set(node, { path, base: copy.base });
  for (const name of Object.keys(schema)) {
    const shape = copy.keywords.get(name);
    const value = schema[name];
    if (shape === undefined || value === undefined) continue;
    if (isReference && !BESIDE_REF.has(name)) continue;
    node[name] = copyValue(copy, shape, value, path + token(name), depth + 1);
  }
  return node;
}

function identify(
  copy: SchemaCopy,
  node: Node,
  schema: Record<string, unknown>,
  path: string,
): void {
  const own = (name: string): unknown =>
    copy.keywords.has(name) && Object.hasOwn(schema, name) ? schema[name] : undefined;
  const id = own(copy.dialect === "draft-04" ? "id" : "$id");
  if (typeof id === "string") {
    const uri = resolveUri(id, copy.base, path);
    // In older dialects, an identifier that is a fragment is an anchor.
    if (uri.fragment !== "") return addAnchor(copy, node, uri.fragment, path);
    if (copy.resources.has(uri.href)) {
      throw new SchemaError(path, `${quote(id)} identifies two subschemas`);
    }
    copy.resources.set(uri.href, node);
    copy.base = uri.href;
  }
  for (const anchor of new Set([own("$anchor"), own("$dynamicAnchor")])) {
    if (typeof anchor === "string") addAnchor(copy, node, anchor, path);
  }
}

function addAnchor(copy: SchemaCopy, node: Node, name: string, path: string): void {
  const uri = `${copy.base}#${name}`;
  if (copy.anchors.has(uri)) {
    throw new SchemaError(path, `the anchor ${quote(name)} occurs twice, which is not supported`);
  }
  copy.anchors.set(uri, node);
}

function copyValue(
  copy: SchemaCopy,
  shape: KeywordShape,
  value: unknown,
  path: string,
  depth: number,
): unknown {
  switch (shape) {
    case "schema":
      if (Array.isArray(value)) throw wrong(path, "one schema");
      return copyPart(copy, value, path, depth);
    case "schema or schemas":
      return Array.isArray(value)
        ? copyParts(copy, value, path, depth)
        : copyPart(copy, value, path, depth);
    case "schemas":
      return copyParts(copy, value, path, depth);
    case "schemas by name":
    case "schemas by pattern":
      return copyByName(value, path, (member, at) => copyPart(copy, member, at, depth + 1));
    case "dependencies":
      return copyDependencies(copy, value, path, depth);
    case "strings by name":
      return copyByName(value, path, (member, at) => copySimple("strings", member, at));
    case "any":
      return copyData(copy, value, path, depth);
    case "array":
      if (!Array.isArray(value)) throw wrong(path, "an array");
      return copyData(copy, value, path, depth);
    default:
      return copySimple(shape, value, path);
  }
}

function copyParts(copy: SchemaCopy, value: unknown, path: string, depth: number): Subschema[] {
  if (!Array.isArray(value)) throw wrong(path, "an array of schemas");
  return value.map((member, index) => copyPart(copy, member, path + token(index), depth + 1));
}

function copyByName(
  value: unknown,
  path: string,
  copyMember: (member: unknown, path: string) => unknown,
): Node {
  if (!isObject(value)) throw wrong(path, "an object");
  const copied = emptyNode();
  for (const name of Object.keys(value)) copied[name] = copyMember(value[name], path + token(name));
  return copied;
}

function copyDependencies(copy: SchemaCopy, value: unknown, path: string, depth: number): Node {
  if (!isObject(value)) throw wrong(path, "an object");
  const dependentRequired = emptyNode();
  const dependentSchemas = emptyNode();
  for (const [name, member] of Object.entries(value)) {
    const at = path + token(name);
    if (Array.isArray(member)) dependentRequired[name] = copySimple("strings", member, at);
    else dependentSchemas[name] = copyPart(copy, member, at, depth + 1);
  }
  return Object.assign(emptyNode(), { dependentRequired, dependentSchemas });
}

const SIMPLE: Readonly<Partial<Record<KeywordShape, readonly [expected: string, fits: Fits]>>> = {
  boolean: ["true or false", (value) => typeof value === "boolean"],
  count: ["a whole number from 0", (value) => Number.isInteger(value) && (value as number) >= 0],
  number: ["a number", Number.isFinite],
  positive: ["a number above 0", (value) => (value as number) > 0],
  string: ["a string", isText],
  strings: ["an array of strings", (value) => Array.isArray(value) && value.every(isText)],
  type: [
    `one or more of ${TYPES.join(", ")}`,
    (value) => [value].flat().length > 0 && [value].flat().every((type) => TYPES.includes(type)),
  ],
};

type Fits = (value: unknown) => boolean;

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function copySimple(shape: KeywordShape, value: unknown, path: string): unknown {
  const [expected, fits] = SIMPLE[shape]!;
  if (!fits(value)) throw wrong(path, expected);
  return Array.isArray(value) ? [...(value as unknown[])] : value;
}

/** Copies a value that `const` or `enum` compares with. */
function copyData(copy: SchemaCopy, value: unknown, path: string, depth: number): unknown {
  enter(copy, path, depth);
  if (Array.isArray(value)) return value.map((member) => copyData(copy, member, path, depth + 1));
  if (!isObject(value)) return value;
  const copied = emptyNode();
  for (const name of Object.keys(value))
    copied[name] = copyData(copy, value[name], path, depth + 1);
  return copied;
}

function enter(copy: SchemaCopy, path: string, depth: number): void {
  const { depth: maxDepth, values } = copy.limits;
  if (depth > maxDepth) throw new SchemaError("", `it has more than ${maxDepth} levels`);
  copy.values += 1;
  if (copy.values > values) {
    throw new SchemaError(path.slice(0, 80), `it has more than ${values} values`);
  }
}

export function resolveUri(
  reference: string,
  base: string,
  path: string,
): { href: string; fragment: string } {
  try {
    const uri = new URL(reference, base);
    const fragment = decodeURIComponent(uri.hash.slice(1));
    uri.hash = "";
    return { href: uri.href, fragment };
  } catch {
    throw new SchemaError(path, `${quote(reference)} is not a URI reference`);
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function emptyNode(): Node {
  return Object.create(null) as Node;
}

/** Formats a single JSON Pointer token. */
export function token(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function wrong(path: string, expected: string): SchemaError {
  const keyword = path.slice(path.lastIndexOf("/") + 1);
  const hint =
    keyword === "items" ? " (for a tuple, use prefixItems, or say draft-07 with $schema)" : "";
  return new SchemaError(path, `${quote(keyword)} must be ${expected}${hint}`);
}
