import { sha256 } from "mcp-codegen/cli";
import { isObject } from "../json.js";
import { accepts } from "../diff/accepts.js";
import { SchemaDocument, type Node, typesOf, valuesOf } from "../diff/schema-document.js";

/** The depth from which only required members are generated. */
const DEEP = 4;
const DEEPEST = 32;
/** The maximum number of values in a sample. Any further value is null. */
const MOST_VALUES = 2000;

const FORMATS: Readonly<Record<string, string>> = {
  date: "1999-12-31",
  "date-time": "1999-12-31T23:59:59Z",
  time: "03:04:05Z",
  duration: "P1D",
  email: "someone@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/",
  "uri-reference": "/example",
  uuid: "6f1b0a4e-7c2d-4f3a-9b8c-1d2e3f405162",
  regex: "^a$",
  "json-pointer": "/a",
};

/**
 * Generates a value that a schema will probably accept. The same seed yields the same value. Patterns are ignored, so
 * callers must validate the value if its validity matters.
 */
export function sampleOf(schema: unknown, seed: string): unknown {
  return new Sampler(new SchemaDocument(schema), seed).sample(schema, "", 0);
}

class Sampler {
  readonly #document: SchemaDocument;
  readonly #seed: string;
  #count = 0;

  constructor(document: SchemaDocument, seed: string) {
    this.#document = document;
    this.#seed = seed;
  }

  sample(schema: unknown, path: string, depth: number): unknown {
    this.#count += 1;
    if (this.#count > MOST_VALUES) return null;
    const nodes = this.#nodes(schema, path, depth);
    for (const node of nodes) {
      const values = valuesOf(node)?.filter((value) =>
        nodes.every((one) => this.#allows(value, one)),
      );
      if (values && values.length > 0) return values[this.#number(path) % values.length];
    }
    for (const keyword of ["default", "examples"]) {
      for (const node of nodes) {
        const stated = node[keyword];
        const [value] = keyword === "examples" && Array.isArray(stated) ? stated : [stated];
        if (value !== undefined && nodes.every((one) => this.#allows(value, one))) return value;
      }
    }
    switch (this.#typeOf(nodes)) {
      case "object":
        return this.#object(nodes, path, depth);
      case "array":
        return this.#array(nodes, path, depth);
      case "string":
        return this.#string(nodes, path);
      case "integer":
      case "number":
        return this.#within(nodes, path);
      case "boolean":
        return this.#number(path) % 2 === 0;
      default:
        return null;
    }
  }

  #allows(value: unknown, node: Node): boolean {
    return accepts(value, node, this.#document) !== false;
  }

  /** Returns the subschemas that apply together. The seed selects a branch of each `anyOf` and `oneOf`. */
  #nodes(schema: unknown, path: string, depth: number): readonly Node[] {
    const nodes: Node[] = [];
    const add = (subschema: unknown, levels: number): void => {
      const node = this.#document.node(subschema);
      if (typeof node === "boolean" || levels > DEEPEST || nodes.includes(node)) return;
      nodes.push(node);
      const { $ref, allOf } = node;
      if (typeof $ref === "string") add(this.#document.target($ref)?.schema, levels + 1);
      if (Array.isArray(allOf)) allOf.forEach((one) => add(one, levels + 1));
      for (const keyword of ["anyOf", "oneOf"]) {
        const branches = node[keyword];
        if (!Array.isArray(branches) || branches.length === 0) continue;
        // In a deep schema, the first branch is more likely to end the recursion than the others.
        add(
          branches[depth > DEEP ? 0 : this.#number(path + keyword) % branches.length],
          levels + 1,
        );
      }
    };
    add(schema, 0);
    return nodes;
  }

  #typeOf(nodes: readonly Node[]): string {
    const named = nodes.flatMap((node) => {
      const types = typesOf(node);
      return types ? [types] : [];
    });
    const types = [...(named[0] ?? [])].filter((type) => named.every((one) => one.has(type)));
    const found = types.find((type) => type !== "null") ?? types[0];
    if (found !== undefined) return found;
    const has = (...keywords: string[]): boolean =>
      nodes.some((node) => keywords.some((keyword) => node[keyword] !== undefined));
    if (has("properties", "required", "additionalProperties")) return "object";
    return has("items", "prefixItems") ? "array" : "string";
  }

  #object(nodes: readonly Node[], path: string, depth: number): unknown {
    const required = new Set(
      nodes.flatMap(({ required: names }) => (Array.isArray(names) ? names : [])),
    );
    const described = new Map<string, unknown[]>();
    for (const { properties } of nodes) {
      for (const [name, schema] of isObject(properties) ? Object.entries(properties) : []) {
        described.set(name, [...(described.get(name) ?? []), schema]);
      }
    }
    const names = [...new Set([...described.keys(), ...required])].filter(
      (name) => required.has(name) || (depth < DEEP && described.has(name)),
    );
    const members = names
      .filter(() => depth < DEEPEST)
      .map((name) => {
        const allOf = described.get(name) ?? [];
        const schema = allOf.length === 1 ? allOf[0] : { allOf };
        return [name, this.sample(schema, `${path}/${name}`, depth + 1)];
      });
    return Object.fromEntries(members) as unknown;
  }

  #array(nodes: readonly Node[], path: string, depth: number): unknown {
    const least = Math.max(0, ...numbersOf(nodes, "minItems"));
    const most = Math.min(Infinity, ...numbersOf(nodes, "maxItems"));
    const prefix =
      nodes.flatMap(({ prefixItems }) => (Array.isArray(prefixItems) ? [prefixItems] : []))[0] ??
      [];
    const rest = nodes.find(({ items }) => items !== undefined)?.["items"];
    const preferred = depth < DEEP ? Math.max(prefix.length, rest === false ? 0 : 1) : 0;
    const length = Math.min(Math.max(least, preferred), most, 1000);
    return Array.from({ length }, (_, index) =>
      this.sample(
        index < prefix.length ? prefix[index] : (rest ?? {}),
        `${path}/${index}`,
        depth + 1,
      ),
    );
  }

  #string(nodes: readonly Node[], path: string): string {
    for (const { format } of nodes) {
      if (typeof format === "string" && Object.hasOwn(FORMATS, format)) return FORMATS[format]!;
    }
    const least = Math.max(0, ...numbersOf(nodes, "minLength"));
    const most = Math.min(10_000, ...numbersOf(nodes, "maxLength"));
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/\d+$/, "") || "text";
    const text = `${name}-${this.#number(path) % 1000}`;
    return text.padEnd(least, "x").slice(0, Math.max(most, 0));
  }

  #within(nodes: readonly Node[], path: string): number {
    const least = Math.max(
      ...[
        -Infinity,
        ...numbersOf(nodes, "minimum"),
        ...numbersOf(nodes, "exclusiveMinimum").map((one) => one + 1),
      ],
    );
    const most = Math.min(
      ...[
        Infinity,
        ...numbersOf(nodes, "maximum"),
        ...numbersOf(nodes, "exclusiveMaximum").map((one) => one - 1),
      ],
    );
    const [step = 1] = numbersOf(nodes, "multipleOf");
    const start = Number.isFinite(least)
      ? Math.ceil(least / step) * step
      : Number.isFinite(most)
        ? Math.floor(most / step) * step
        : 0;
    const next = start + (this.#number(path) % 10) * step;
    return next <= most ? next : start;
  }

  #number(path: string): number {
    return Number.parseInt(sha256(`${this.#seed} ${path}`).slice(0, 8), 16);
  }
}

function numbersOf(nodes: readonly Node[], keyword: string): readonly number[] {
  return nodes.flatMap((node) => (typeof node[keyword] === "number" ? [node[keyword]] : []));
}
