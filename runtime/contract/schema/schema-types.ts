import type { JsonValue } from "mcp-codegen";
import { isObject } from "../json.js";

import { type Node, SchemaDocument } from "../diff/schema-document.js";
import {
  intersectionOf,
  NEVER,
  type SchemaTypes,
  type TypeMember,
  type TypeNode,
  unionOf,
  UNKNOWN,
} from "./print-type.js";

/** Limits on a schema for which types are generated. Anything beyond them is `unknown`. */
const LIMITS = { depth: 64, nodes: 20_000, targets: 500 };

const OF_OBJECTS = ["properties", "required", "additionalProperties", "patternProperties"];
const OF_ARRAYS = ["items", "prefixItems"];

/**
 * Reads the types of a foreign JSON Schema. References outside the schema are not followed. Constraints that a type
 * cannot express are omitted and listed in `problems`.
 */
export function schemaTypes(schema: unknown): SchemaTypes {
  const reader = new SchemaReader(schema);
  const root = reader.read(schema, 0);
  return { root, targets: reader.targets(), problems: [...reader.problems] };
}

class SchemaReader {
  readonly problems = new Set<string>();
  readonly #document: SchemaDocument;
  readonly #targets = new Map<string, TypeNode | undefined>();
  #nodes = 0;

  constructor(root: unknown) {
    this.#document = new SchemaDocument(root);
  }

  /** Reads the types of all referenced subschemas, including those that this reading finds. */
  targets(): ReadonlyMap<string, TypeNode> {
    for (const [target] of this.#targets) {
      const found = this.#document.target(target);
      this.#targets.set(target, found ? this.read(found.schema, 0) : UNKNOWN);
    }
    const read = this.#targets as Map<string, TypeNode>;
    for (const target of loopsOf(read)) {
      this.problems.add(`${target} refers to itself`);
      read.set(target, UNKNOWN);
    }
    return read;
  }

  read(schema: unknown, depth: number): TypeNode {
    this.#nodes += 1;
    if (depth > LIMITS.depth || this.#nodes > LIMITS.nodes) {
      this.problems.add(
        `it is deeper than ${LIMITS.depth} levels, or larger than ${LIMITS.nodes} schemas`,
      );
      return UNKNOWN;
    }
    const node = this.#document.node(schema);
    if (node === false) return NEVER;
    if (node === true) return UNKNOWN;
    const parts: TypeNode[] = [this.#own(node, depth)];
    if (typeof node["$ref"] === "string") parts.push(this.#reference(node["$ref"]));
    if (node["$dynamicRef"] !== undefined || node["$recursiveRef"] !== undefined) {
      const reference = node["$dynamicRef"] ?? "#";
      parts.push(typeof reference === "string" ? this.#reference(reference) : UNKNOWN);
    }
    const read = (one: unknown): TypeNode => this.read(one, depth + 1);
    const { allOf, anyOf, oneOf } = node;
    if (Array.isArray(allOf)) parts.push(...allOf.map(read));
    for (const branches of [anyOf, oneOf]) {
      if (Array.isArray(branches)) parts.push(unionOf(branches.map(read)));
    }
    return intersectionOf(parts);
  }

  #reference(reference: string): TypeNode {
    const isKnown = this.#document.target(reference) !== undefined;
    if (!isKnown || (this.#targets.size >= LIMITS.targets && !this.#targets.has(reference))) {
      this.problems.add(`$ref ${JSON.stringify(reference.slice(0, 80))} points outside the schema`);
      return UNKNOWN;
    }
    if (!this.#targets.has(reference)) this.#targets.set(reference, undefined);
    return { kind: "reference", target: reference };
  }

  /** Returns the type described by the schema's own keywords, excluding references and schema combinations. */
  #own(node: Node, depth: number): TypeNode {
    const { type } = node;
    const named = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
    if (Object.hasOwn(node, "const")) return literalOf(node["const"]);
    if (Array.isArray(node["enum"])) return unionOf(node["enum"].map(literalOf));
    const types = named.length > 0 ? named : inferredTypes(node);
    return types.length === 0
      ? UNKNOWN
      : unionOf(types.map((one) => this.#ofType(one, node, depth)));
  }

  #ofType(type: string, node: Node, depth: number): TypeNode {
    switch (type) {
      case "string":
      case "boolean":
      case "null":
      case "number":
        return { kind: "keyword", name: type };
      case "integer":
        return { kind: "keyword", name: "number" };
      case "array":
        return this.#array(node, depth);
      case "object":
        return this.#object(node, depth);
      default:
        return UNKNOWN;
    }
  }

  #array({ items, prefixItems, minItems }: Node, depth: number): TypeNode {
    const rest = items === undefined ? UNKNOWN : this.read(items, depth + 1);
    if (!Array.isArray(prefixItems)) {
      const isNonEmpty = typeof minItems === "number" && minItems >= 1 && rest.kind !== "never";
      if (!isNonEmpty) return { kind: "array", element: rest };
      return { kind: "tuple", elements: [rest], required: 1, rest };
    }
    const elements = prefixItems.map((one) => this.read(one, depth + 1));
    const required = typeof minItems === "number" ? Math.min(minItems, elements.length) : 0;
    return { kind: "tuple", elements, required, rest: rest.kind === "never" ? undefined : rest };
  }

  #object(node: Node, depth: number): TypeNode {
    const { properties, required, additionalProperties, patternProperties } = node;
    const described = isObject(properties) ? Object.entries(properties) : [];
    const needed = new Set(
      Array.isArray(required) ? required.filter((one) => typeof one === "string") : [],
    );
    const members = described.map(([name, schema]): TypeMember => {
      const type = this.read(schema, depth + 1);
      const doc = isObject(schema) ? docOf(schema) : undefined;
      const isDeprecated = isObject(schema) && schema["deprecated"] === true;
      return { name, isOptional: !needed.has(name), type, doc, isDeprecated };
    });
    const names = new Set(described.map(([name]) => name));
    const others = [...needed].filter((name) => !names.has(name));
    const bare = others.map((name) => ({ name, isOptional: false, type: UNKNOWN, doc: undefined }));
    const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
    const open = patterns.map((schema) => this.read(schema, depth + 1));
    if (additionalProperties !== undefined) open.push(this.read(additionalProperties, depth + 1));
    else if (patterns.length > 0 || properties === undefined) open.push(UNKNOWN);
    return { kind: "object", members: [...members, ...bare], index: indexOf(open) };
  }
}

/** Keywords that a type cannot express, with their wording in doc comments. */
const REMARKS: Readonly<Record<string, string>> = {
  default: "Default",
  minimum: "Minimum",
  maximum: "Maximum",
  exclusiveMinimum: "More than",
  exclusiveMaximum: "Less than",
  minLength: "Characters, at least",
  maxLength: "Characters, at most",
  minItems: "Items, at least",
  maxItems: "Items, at most",
};

/** The maximum length of a keyword's value in a comment, in characters. Longer values are omitted. */
const LONGEST_REMARK = 80;

function docOf(schema: Node): string | undefined {
  const { description } = schema;
  const remarks = Object.entries(REMARKS).flatMap(([keyword, words]) => {
    const value = schema[keyword];
    const isShown = keyword === "default" ? value !== undefined : typeof value === "number";
    const text = isShown ? JSON.stringify(value) : "";
    return text === "" || text.length > LONGEST_REMARK ? [] : [`${words}: ${text}.`];
  });
  const texts = [
    ...(typeof description === "string" && description !== "" ? [description] : []),
    ...(remarks.length > 0 ? [remarks.join(" ")] : []),
  ];
  return texts.length === 0 ? undefined : texts.join("\n\n");
}

function indexOf(types: readonly TypeNode[]): TypeNode | undefined {
  const type = unionOf(types);
  return type.kind === "never" ? undefined : type;
}

function inferredTypes(node: Node): readonly string[] {
  if (OF_OBJECTS.some((keyword) => node[keyword] !== undefined)) return ["object"];
  return OF_ARRAYS.some((keyword) => node[keyword] !== undefined) ? ["array"] : [];
}

function literalOf(value: unknown): TypeNode {
  if (Array.isArray(value)) {
    const elements = value.map(literalOf);
    return { kind: "tuple", elements, required: elements.length, rest: undefined };
  }
  if (isObject(value)) {
    const members = Object.entries(value).map(([name, member]): TypeMember => {
      return { name, isOptional: false, type: literalOf(member), doc: undefined };
    });
    return { kind: "object", members, index: undefined };
  }
  return { kind: "literal", value: value as JsonValue };
}

/**
 * Returns the references whose types contain themselves without an object or array in between, because TypeScript
 * rejects such types.
 */
function loopsOf(targets: ReadonlyMap<string, TypeNode>): readonly string[] {
  const reaches = (from: string, to: string, seen: Set<string>): boolean =>
    openReferences(targets.get(from)).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  return [...targets.keys()].filter((target) => reaches(target, target, new Set()));
}

function openReferences(node: TypeNode | undefined): readonly string[] {
  if (node?.kind === "reference") return [node.target];
  if (node?.kind !== "union" && node?.kind !== "intersection") return [];
  return node.members.flatMap(openReferences);
}
