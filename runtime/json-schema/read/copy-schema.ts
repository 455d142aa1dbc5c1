import { isObject, quote } from "../../wire/index.js";
import type { SchemaLimits } from "./limits.js";
import {
  type Dialect,
  dialectOf,
  isBefore,
  keywordsOf,
  SchemaError,
  type Shape,
} from "./vocabulary.js";

/** A subschema: a copy with its dialect's keywords only, without a prototype. */
export type Node = Record<string, unknown>;

export type Subschema = Node | boolean;

export interface CopiedSchema {
  readonly root: Subschema;
  /** All subschemas except booleans, with their places. */
  readonly nodes: ReadonlyMap<Node, Place>;
  /** Subschemas with an identifier, by absolute URI without a fragment; the schema itself is one. */
  readonly resources: ReadonlyMap<string, Subschema>;
  /** Subschemas by absolute URI with an anchor. */
  readonly anchors: ReadonlyMap<string, Node>;
}

export interface Place {
  /** JSON Pointer into the schema. */
  readonly path: string;
  /** Base of its references. */
  readonly base: string;
}

const TYPES: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
]);

/** Base of relative identifiers. Nothing is ever fetched. */
const BASE = "schema://local/";

/** Keywords that older dialects evaluate next to a `$ref`. */
const BESIDE_REF: ReadonlySet<string> = new Set(["$ref", "definitions", "$defs"]);

/**
 * Copies a schema, with only the keywords of its dialect.
 * @throws SchemaError if it is not a valid schema of its dialect, or too large
 */
export function copySchema(schema: object, dialect: Dialect, limits: SchemaLimits): CopiedSchema {
  return new SchemaCopy(schema, dialect, limits);
}

class SchemaCopy implements CopiedSchema {
  readonly root: Subschema;
  readonly nodes: Map<Node, Place> = new Map();
  readonly resources: Map<string, Subschema> = new Map();
  readonly anchors: Map<string, Node> = new Map();
  readonly #dialect: Dialect;
  readonly #limits: SchemaLimits;
  readonly #keywords: ReadonlyMap<string, Shape>;
  #base = BASE;
  #values = 0;

  constructor(schema: object, dialect: Dialect, limits: SchemaLimits) {
    this.#dialect = dialect;
    this.#limits = limits;
    this.#keywords = keywordsOf(dialect);
    this.root = this.#schema(schema, "", 1);
    this.resources.set(BASE, this.root);
  }

  #schema(schema: unknown, path: string, depth: number): Subschema {
    if (typeof schema === "boolean") return schema;
    if (!isObject(schema)) throw new SchemaError(path, "a schema must be an object or a boolean");
    this.#enter(path, depth);
    if (this.nodes.size >= this.#limits.subschemas) {
      throw new SchemaError("", `it has more than ${this.#limits.subschemas} subschemas`);
    }
    if (dialectOf(schema, this.#dialect, path) !== this.#dialect) {
      throw new SchemaError(
        `${path}/$schema`,
        "a schema must have one dialect for all of its parts",
      );
    }
    const outerBase = this.#base;
    const node = this.#node(schema, path, depth);
    this.#base = outerBase;
    return node;
  }

  #node(schema: Record<string, unknown>, path: string, depth: number): Node {
    const node = emptyNode();
    const isReference = isBefore(this.#dialect, "2019-09") && typeof schema["$ref"] === "string";
    if (!isReference) this.#identify(node, schema, path);
    this.nodes.set(node, { path, base: this.#base });
    for (const name of Object.keys(schema)) {
      const shape = this.#keywords.get(name);
      const value = schema[name];
      if (shape === undefined || value === undefined) continue;
      if (isReference && !BESIDE_REF.has(name)) continue;
      node[name] = this.#value(shape, value, path + token(name), depth + 1);
    }
    return node;
  }

  /** Registers a subschema under its identifier and its anchors. */
  #identify(node: Node, schema: Record<string, unknown>, path: string): void {
    const own = (name: string): unknown =>
      this.#keywords.has(name) && Object.hasOwn(schema, name) ? schema[name] : undefined;
    const id = own(this.#dialect === "draft-04" ? "id" : "$id");
    if (typeof id === "string") {
      const uri = resolveUri(id, this.#base, path);
      // In older dialects, an identifier that is a fragment is an anchor.
      if (uri.fragment !== "") return this.#anchor(node, uri.fragment, path);
      if (this.resources.has(uri.href)) {
        throw new SchemaError(path, `${quote(id)} identifies two subschemas`);
      }
      this.resources.set(uri.href, node);
      this.#base = uri.href;
    }
    for (const anchor of new Set([own("$anchor"), own("$dynamicAnchor")])) {
      if (typeof anchor === "string") this.#anchor(node, anchor, path);
    }
  }

  #anchor(node: Node, name: string, path: string): void {
    const uri = `${this.#base}#${name}`;
    if (this.anchors.has(uri)) {
      throw new SchemaError(path, `the anchor ${quote(name)} occurs twice, which is not supported`);
    }
    this.anchors.set(uri, node);
  }

  #value(shape: Shape, value: unknown, path: string, depth: number): unknown {
    switch (shape) {
      case "schema":
        if (Array.isArray(value)) throw wrong(path, "one schema");
        return this.#schema(value, path, depth);
      case "schema or schemas":
        return Array.isArray(value)
          ? this.#schemas(value, path, depth)
          : this.#schema(value, path, depth);
      case "schemas":
        return this.#schemas(value, path, depth);
      case "schemas by name":
      case "schemas by pattern":
        return this.#byName(value, path, (member, at) => this.#schema(member, at, depth + 1));
      case "dependencies":
        return this.#dependencies(value, path, depth);
      case "strings by name":
        return this.#byName(value, path, (member, at) => this.#simple("strings", member, at));
      case "any":
        return this.#data(value, path, depth);
      case "array":
        if (!Array.isArray(value)) throw wrong(path, "an array");
        return this.#data(value, path, depth);
      default:
        return this.#simple(shape, value, path);
    }
  }

  #schemas(value: unknown, path: string, depth: number): Subschema[] {
    if (!Array.isArray(value)) throw wrong(path, "an array of schemas");
    return value.map((member, index) => this.#schema(member, path + token(index), depth + 1));
  }

  #byName(value: unknown, path: string, copy: (member: unknown, path: string) => unknown): Node {
    if (!isObject(value)) throw wrong(path, "an object");
    const copied = emptyNode();
    for (const name of Object.keys(value)) copied[name] = copy(value[name], path + token(name));
    return copied;
  }

  #dependencies(value: unknown, path: string, depth: number): Node {
    if (!isObject(value)) throw wrong(path, "an object");
    const dependentRequired = emptyNode();
    const dependentSchemas = emptyNode();
    for (const [name, member] of Object.entries(value)) {
      const at = path + token(name);
      if (Array.isArray(member)) dependentRequired[name] = this.#simple("strings", member, at);
      else dependentSchemas[name] = this.#schema(member, at, depth + 1);
    }
    return Object.assign(emptyNode(), { dependentRequired, dependentSchemas });
  }

  #simple(shape: Shape, value: unknown, path: string): unknown {
    switch (shape) {
      case "boolean":
        return expectThat(typeof value === "boolean", value, path, "true or false");
      case "number":
        return expectThat(Number.isFinite(value), value, path, "a number");
      case "positive":
        return expectThat((value as number) > 0, value, path, "a number above 0");
      case "bound": {
        const isFlag = this.#dialect === "draft-04";
        const fits = isFlag ? typeof value === "boolean" : Number.isFinite(value);
        return expectThat(fits, value, path, isFlag ? "true or false" : "a number");
      }
      case "count":
        return expectThat(
          Number.isInteger(value) && (value as number) >= 0,
          value,
          path,
          "a whole number from 0",
        );
      case "type": {
        const types = Array.isArray(value) ? value : [value];
        const fits = types.length > 0 && types.every((type) => TYPES.has(type));
        return copyOf(expectThat(fits, value, path, `one or more of ${[...TYPES].join(", ")}`));
      }
      case "strings": {
        const fits = Array.isArray(value) && value.every((name) => typeof name === "string");
        return copyOf(expectThat(fits, value, path, "an array of strings"));
      }
      default:
        return expectThat(typeof value === "string", value, path, "a string");
    }
  }

  /** Copies a value that `const` or `enum` compares with. */
  #data(value: unknown, path: string, depth: number): unknown {
    this.#enter(path, depth);
    if (Array.isArray(value)) return value.map((member) => this.#data(member, path, depth + 1));
    if (!isObject(value)) return value;
    const copied = emptyNode();
    for (const name of Object.keys(value)) copied[name] = this.#data(value[name], path, depth + 1);
    return copied;
  }

  #enter(path: string, depth: number): void {
    const { depth: maxDepth, values } = this.#limits;
    if (depth > maxDepth) throw new SchemaError("", `it has more than ${maxDepth} levels`);
    this.#values += 1;
    if (this.#values > values) {
      throw new SchemaError(path.slice(0, 80), `it has more than ${values} values`);
    }
  }
}

/** Resolves a reference; `href` is without the fragment. */
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

/** One token of a JSON Pointer. */
export function token(name: string | number): string {
  return `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function expectThat(fits: boolean, value: unknown, path: string, expected: string): unknown {
  if (!fits) throw wrong(path, expected);
  return value;
}

function copyOf(value: unknown): unknown {
  return Array.isArray(value) ? [...(value as unknown[])] : value;
}

function wrong(path: string, expected: string): SchemaError {
  const keyword = path.slice(path.lastIndexOf("/") + 1);
  const hint =
    keyword === "items" ? " (for a tuple, use prefixItems, or say draft-07 with $schema)" : "";
  return new SchemaError(path, `${quote(keyword)} must be ${expected}${hint}`);
}
