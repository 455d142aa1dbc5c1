import { isObject, quote } from "../wire/index.js";
import { type Dialect, dialectOf, isBefore } from "./dialects.js";
import { keywordsOf, type Shape } from "./keywords.js";
import type { SchemaLimits } from "./limits.js";
import { emptyNode, type Node, type Subschema, token } from "./node.js";
import { SchemaError } from "./schema-error.js";

export interface CopiedSchema {
  readonly root: Subschema;
  /** All subschemas that are not just `true`, with where they are. */
  readonly nodes: ReadonlyMap<Node, string>;
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

/** Schemas with an `$id` that may be in each other: with each, the library reads what is inside twice as often. */
const MAX_RESOURCES = 6;

/** Keywords that older dialects evaluate beside a `$ref`. */
const BESIDE_REF: ReadonlySet<string> = new Set(["$ref", "definitions", "$defs"]);

/**
 * Copies a schema, with nothing in it but the keywords of its dialect.
 * @throws SchemaError when it is not a valid schema of its dialect, or too large
 */
export function copySchema(schema: object, dialect: Dialect, limits: SchemaLimits): CopiedSchema {
  const nodes = new Map<Node, string>();
  const root = new SchemaCopy(dialect, limits, nodes).schema(schema, "", 1);
  return { root, nodes };
}

class SchemaCopy {
  readonly #dialect: Dialect;
  readonly #limits: SchemaLimits;
  readonly #keywords: ReadonlyMap<string, Shape>;
  readonly #nodes: Map<Node, string>;
  readonly #idKeyword: string;
  #values = 0;
  #resources = 0;

  constructor(dialect: Dialect, limits: SchemaLimits, nodes: Map<Node, string>) {
    this.#dialect = dialect;
    this.#limits = limits;
    this.#keywords = keywordsOf(dialect);
    this.#nodes = nodes;
    this.#idKeyword = dialect === "draft-04" ? "id" : "$id";
  }

  schema(schema: unknown, path: string, depth: number): Subschema {
    if (schema === true) return true;
    // The library would not say where a `false` is, and its evaluation would not be counted.
    if (schema === false) return this.schema({ not: true }, path, depth);
    if (!isObject(schema)) throw new SchemaError(path, "a schema is an object or a boolean");
    this.#enter(path, depth);
    if (this.#nodes.size >= this.#limits.subschemas) {
      throw new SchemaError("", `it has more than ${this.#limits.subschemas} subschemas`);
    }
    if (dialectOf(schema, this.#dialect, path) !== this.#dialect) {
      throw new SchemaError(`${path}/$schema`, "a schema has one dialect for all of its parts");
    }
    if (!Object.hasOwn(schema, this.#idKeyword)) return this.#node(schema, path, depth);
    this.#resources += 1;
    if (this.#resources > MAX_RESOURCES) {
      throw new SchemaError(
        path,
        `more than ${MAX_RESOURCES} schemas with an $id are in each other`,
      );
    }
    const node = this.#node(schema, path, depth);
    this.#resources -= 1;
    return node;
  }

  #node(schema: Record<string, unknown>, path: string, depth: number): Node {
    const node = emptyNode();
    this.#nodes.set(node, path);
    const isReference = isBefore(this.#dialect, "2019-09") && typeof schema["$ref"] === "string";
    for (const name of Object.keys(schema)) {
      const shape = this.#keywords.get(name);
      const value = schema[name];
      if (shape === undefined || value === undefined) continue;
      if (isReference && !BESIDE_REF.has(name)) continue;
      node[name] = this.#value(shape, value, path + token(name), depth + 1);
    }
    moveDependencies(node);
    return node;
  }

  #value(shape: Shape, value: unknown, path: string, depth: number): unknown {
    switch (shape) {
      case "schema":
        if (Array.isArray(value)) throw wrong(path, "one schema");
        return this.schema(value, path, depth);
      case "schema or schemas":
        return Array.isArray(value)
          ? this.#schemas(value, path, depth)
          : this.schema(value, path, depth);
      case "schemas":
        return this.#schemas(value, path, depth);
      case "schemas by name":
      case "schemas by pattern":
        return this.#byName(value, path, (member, at) => this.schema(member, at, depth + 1));
      case "dependencies":
        return this.#dependencies(value, path, depth);
      case "strings by name":
        return this.#byName(value, path, (member, at) => this.#simple("strings", member, at));
      case "any":
        return this.#data(value, path, depth);
      case "array":
        if (!Array.isArray(value)) throw wrong(path, "an array");
        return quietly(this.#data(value, path, depth));
      default:
        return this.#simple(shape, value, path);
    }
  }

  #schemas(value: unknown, path: string, depth: number): Subschema[] {
    if (!Array.isArray(value)) throw wrong(path, "an array of schemas");
    return value.map((member, index) => this.schema(member, path + token(index), depth + 1));
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
      else dependentSchemas[name] = this.schema(member, at, depth + 1);
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

  /** A value that `const` or `enum` compares with. */
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
      throw new SchemaError(path.slice(0, 80), `more than ${values} values are too much`);
    }
  }
}

/** The library takes what is under this keyword for one schema, but knows those that came after it in any dialect. */
function moveDependencies(node: Node): void {
  const { dependencies } = node;
  if (dependencies === undefined) return;
  delete node["dependencies"];
  const others = Array.isArray(node["allOf"]) ? (node["allOf"] as unknown[]) : [];
  node["allOf"] = [...others, dependencies];
}

/** The library repeats all values in each of its messages, which nobody reads. */
function quietly(values: unknown): unknown {
  return Object.defineProperty(values as unknown[], "toJSON", { value: () => "…" });
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
  return new SchemaError(path, `${quote(keyword)} takes ${expected}${hint}`);
}
