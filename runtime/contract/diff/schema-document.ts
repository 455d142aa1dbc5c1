import { isObject } from "../json.js";

/** The maximum number of steps for one schema, because references in a foreign schema can multiply the work. */
const MAX_WORK = 300_000;

/** A JSON Schema document that resolves its references and normalizes its subschemas. */
export class SchemaDocument {
  readonly root: unknown;
  readonly #isOld: boolean;
  #anchors: Map<string, unknown> | undefined;
  /** Nodes derived from other nodes. They are kept because cycles are detected by object identity. */
  readonly #derived = new WeakMap<object, Map<string, Node>>();
  #work = 0;

  constructor(root: unknown) {
    this.root = root;
    const dialect = isObject(root) ? root["$schema"] : undefined;
    this.#isOld = typeof dialect === "string" && /draft-0[3-7]/.test(dialect);
  }

  /** Counts one step of work with this document, and returns true if the limit has been exceeded. */
  isExhausted(): boolean {
    this.#work += 1;
    return this.#work > MAX_WORK;
  }

  /**
   * Returns a subschema in its JSON Schema 2020-12 form, with `prefixItems` for tuples and with numeric exclusive
   * bounds.
   */
  node(schema: unknown): Node | boolean {
    if (typeof schema === "boolean") return schema;
    if (!isObject(schema)) return true;
    const { $ref } = schema;
    if (this.#isOld && typeof $ref === "string") {
      return Object.keys(schema).length === 1
        ? schema
        : this.#derive(schema, "$ref", () => ({ $ref }));
    }
    const { items, exclusiveMinimum, exclusiveMaximum } = schema;
    const isTuple = Array.isArray(items);
    const isFlag = typeof exclusiveMinimum === "boolean" || typeof exclusiveMaximum === "boolean";
    return isTuple || isFlag ? this.#derive(schema, "", () => modern(schema)) : schema;
  }

  without(node: Node, ...keywords: readonly string[]): Node {
    if (!keywords.some((keyword) => node[keyword] !== undefined)) return node;
    return this.#derive(node, keywords.join(), () =>
      Object.fromEntries(Object.entries(node).filter(([name]) => !keywords.includes(name))),
    );
  }

  #derive(from: object, key: string, create: () => Node): Node {
    const derived = this.#derived.get(from) ?? new Map<string, Node>();
    this.#derived.set(from, derived);
    const node = derived.get(key) ?? create();
    derived.set(key, node);
    return node;
  }

  /** Returns a reference's target, or undefined if the target does not exist or is outside the document. */
  target(reference: string): { readonly schema: unknown } | undefined {
    if (reference === "#") return { schema: this.root };
    if (reference.startsWith("#/")) return this.#at(reference.slice(2));
    if (!reference.startsWith("#")) return undefined;
    this.#anchors ??= anchorsOf(this.root);
    const name = reference.slice(1);
    return this.#anchors.has(name) ? { schema: this.#anchors.get(name) } : undefined;
  }

  #at(pointer: string): { readonly schema: unknown } | undefined {
    let found: unknown = this.root;
    for (const part of pointer.split("/")) {
      const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) {
        return undefined;
      }
      found = (found as Node)[name];
    }
    return { schema: found };
  }
}

function modern(schema: Node): Node {
  const { additionalItems, ...node } = { ...schema } as Record<string, unknown>;
  const { items, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (Array.isArray(items)) {
    delete node["items"];
    node["prefixItems"] = items;
    if (additionalItems !== undefined) node["items"] = additionalItems;
  }
  if (exclusiveMinimum === true) node["exclusiveMinimum"] = minimum;
  if (exclusiveMaximum === true) node["exclusiveMaximum"] = maximum;
  if (exclusiveMinimum === false) delete node["exclusiveMinimum"];
  if (exclusiveMaximum === false) delete node["exclusiveMaximum"];
  return node;
}

export type Node = Readonly<Record<string, unknown>>;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Maps anchors to subschemas. Anchors that occur more than once are omitted. */
function anchorsOf(root: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const twins = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = (value as Node)[keyword];
      if (typeof name !== "string") continue;
      if (found.has(name)) twins.add(name);
      found.set(name, value);
    }
    Object.values(value).forEach(visit);
  };
  visit(root);
  for (const name of twins) found.delete(name);
  return found;
}

/** The types of JSON values. Every `integer` is also a `number`. */
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

export function typeOfValue(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as JsonType;
}

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

export function valuesOf(node: Node): readonly unknown[] | undefined {
  if (Object.hasOwn(node, "const")) return [node["const"]];
  return Array.isArray(node["enum"]) ? (node["enum"] as unknown[]) : undefined;
}
