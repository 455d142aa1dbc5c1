import { dereference, type Schema } from "@cfworker/json-schema";
import { describeThrown, quote } from "../wire/index.js";
import type { CopiedSchema } from "./copy-schema.js";
import { isNode, type Node, type Subschema } from "./node.js";
import { SchemaError } from "./schema-error.js";

/** Subschemas by absolute URI. */
export type Lookup = Record<string, Schema | boolean>;

/** Base of relative references. Nothing is ever fetched from there or anywhere else. */
const BASE = "schema://local/";

/** Subschemas that may apply to the same value one inside the other. */
const MAX_CHAIN = 256;

/**
 * Resolves all references of a copied schema within it.
 * @throws SchemaError for one that leads out of the schema, to nowhere, or back to itself without end
 */
export function resolveReferences({ root, nodes }: CopiedSchema): Lookup {
  bindDynamic(nodes);
  refuseSameAnchors(nodes);
  const lookup = Object.create(null) as Lookup;
  try {
    dereference(root as Schema, lookup, new URL(BASE));
  } catch (error) {
    throw new SchemaError("", `its $id, $anchor or $ref cannot be used: ${describeThrown(error)}`);
  }
  for (const [node, path] of nodes) {
    if (typeof node["$ref"] === "string" && targetOf(node, lookup) === undefined) {
      const problem = `${quote(node["$ref"])} is not in the schema, and nothing is fetched`;
      throw new SchemaError(`${path}/$ref`, `${problem}: put what it refers to into $defs`);
    }
  }
  new Chains(root, nodes, lookup).check();
  return lookup;
}

/** Target of a subschema's `$ref`. */
export function targetOf(node: Node, lookup: Lookup): Subschema | undefined {
  return lookup[node["__absolute_ref__"] as string] as Subschema | undefined;
}

/**
 * Dynamic references are unknown to the library. With one anchor of a name there is only one place that they can
 * lead to, so that a plain reference does the same.
 */
function bindDynamic(nodes: ReadonlyMap<Node, string>): void {
  const anchors = new Map<unknown, number>();
  for (const [node, path] of nodes) {
    const name = node["$dynamicAnchor"];
    if (name === undefined) continue;
    if (node["$anchor"] !== undefined && node["$anchor"] !== name) {
      throw new SchemaError(path, "$anchor and $dynamicAnchor beside each other are not supported");
    }
    node["$anchor"] = name;
    delete node["$dynamicAnchor"];
    anchors.set(name, (anchors.get(name) ?? 0) + 1);
  }
  for (const [node, path] of nodes) {
    const reference = node["$dynamicRef"];
    if (typeof reference !== "string") continue;
    if ((anchors.get(reference.slice(reference.indexOf("#") + 1)) ?? 0) > 1) {
      const problem = `${quote(reference)} has more than one $dynamicAnchor, which is not supported`;
      throw new SchemaError(`${path}/$dynamicRef`, `${problem}: use $ref`);
    }
    if (node["$ref"] !== undefined) {
      throw new SchemaError(path, "$ref and $dynamicRef beside each other are not supported");
    }
    node["$ref"] = reference;
    delete node["$dynamicRef"];
  }
}

/** Refuses schemas with several `$id`s and equal anchors, which the library cannot tell apart. */
function refuseSameAnchors(nodes: ReadonlyMap<Node, string>): void {
  const anchors = new Set<unknown>();
  for (const [node, path] of nodes) {
    const { $anchor } = node;
    if ($anchor === undefined) continue;
    if (anchors.has($anchor)) {
      const problem = `the anchor ${quote(String($anchor))} is there twice, which is not supported`;
      throw new SchemaError(`${path}/$anchor`, problem);
    }
    anchors.add($anchor);
  }
}

/** Looks for subschemas that lead back to themselves without going any deeper into the value. */
class Chains {
  readonly #root: Subschema;
  readonly #nodes: ReadonlyMap<Node, string>;
  readonly #lookup: Lookup;
  /** The longest chain from a subschema on; 0 while that is being found out. */
  readonly #lengths = new Map<Node, number>();

  constructor(root: Subschema, nodes: ReadonlyMap<Node, string>, lookup: Lookup) {
    this.#root = root;
    this.#nodes = nodes;
    this.#lookup = lookup;
  }

  check(): void {
    for (const node of this.#nodes.keys()) this.#length(node, 1);
  }

  #length(node: Node, depth: number): number {
    const known = this.#lengths.get(node);
    const path = this.#nodes.get(node) ?? "";
    if (known === 0) throw new SchemaError(path, "it refers to itself without end");
    if (known !== undefined) return known;
    this.#lengths.set(node, 0);
    let longest = 0;
    if (depth <= MAX_CHAIN) {
      for (const next of this.#sameValue(node)) {
        longest = Math.max(longest, this.#length(next, depth + 1));
      }
    }
    if (depth > MAX_CHAIN || longest >= MAX_CHAIN) {
      throw new SchemaError(path, `more than ${MAX_CHAIN} references follow each other`);
    }
    this.#lengths.set(node, longest + 1);
    return longest + 1;
  }

  *#sameValue(node: Node): Generator<Node> {
    const candidates: unknown[] = [targetOf(node, this.#lookup)];
    if (node["$recursiveRef"] !== undefined) candidates.push(this.#root);
    for (const name of ["allOf", "anyOf", "oneOf"]) {
      const members = node[name];
      if (Array.isArray(members)) candidates.push(...(members as unknown[]));
    }
    for (const name of ["not", "if", "then", "else"]) candidates.push(node[name]);
    const dependent = node["dependentSchemas"];
    if (isNode(dependent)) candidates.push(...Object.values(dependent));
    for (const candidate of candidates) if (isNode(candidate)) yield candidate;
  }
}
