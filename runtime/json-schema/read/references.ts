import { pointerNames, quote } from "../../wire/index.js";
import { type CopiedSchema, isNode, type Node, resolveUri, type Subschema } from "./copy-schema.js";
import { SchemaError } from "./vocabulary.js";

export type Targets = ReadonlyMap<Node, readonly Subschema[]>;

/** The maximum number of nested subschemas that may apply to the same value. */
const MAX_CHAIN = 256;

/**
 * Resolves all references within a copied schema.
 *
 * @throws SchemaError if a reference points outside the schema, cannot be resolved, or refers to itself endlessly
 */
export function resolveReferences(schema: CopiedSchema): Targets {
  const targets = new Map<Node, Subschema[]>();
  for (const node of schema.nodes.keys()) {
    const { $ref, $dynamicRef, $recursiveRef } = node;
    const found: Subschema[] = [];
    if (typeof $ref === "string") found.push(targetOf(schema, node, "$ref", $ref));
    if (typeof $dynamicRef === "string") found.push(dynamicTarget(schema, node, $dynamicRef));
    if (typeof $recursiveRef === "string") found.push(recursiveTarget(schema, node));
    if (found.length > 0) targets.set(node, found);
  }
  refuseEndless(schema, targets);
  return targets;
}

function targetOf(schema: CopiedSchema, node: Node, keyword: string, reference: string): Subschema {
  const { nodes, resources, anchors } = schema;
  const { path, base } = nodes.get(node)!;
  const { href, fragment } = resolveUri(reference, base, `${path}/${keyword}`);
  let target: unknown = fragment === "" ? resources.get(href) : anchors.get(`${href}#${fragment}`);
  if (fragment.startsWith("/")) {
    target = resources.get(href);
    for (const name of pointerNames(fragment)) {
      const owner = target;
      const isInside = typeof owner === "object" && owner !== null && Object.hasOwn(owner, name);
      target = isInside ? (owner as Node)[name] : undefined;
    }
  }
  if (typeof target === "boolean" || nodes.has(target as Node)) return target as Subschema;
  const problem = `${quote(reference)} is not in the schema, and nothing is fetched`;
  throw new SchemaError(`${path}/${keyword}`, `${problem}: put what it refers to into $defs`);
}

/**
 * Returns the target of a dynamic reference. In general, the target depends on the path that led to the reference. Only
 * schemas in which it does not are supported: those that have only one anchor with that name, or have one at the root.
 */
function dynamicTarget(schema: CopiedSchema, node: Node, reference: string): Subschema {
  const target = targetOf(schema, node, "$dynamicRef", reference);
  const name = reference.slice(reference.indexOf("#") + 1);
  if (!isNode(target) || target["$dynamicAnchor"] !== name) return target;
  const anchored = [...schema.nodes.keys()].filter((other) => other["$dynamicAnchor"] === name);
  if (anchored.length === 1) return target;
  const { base } = schema.nodes.get(schema.root as Node)!;
  const outermost = schema.anchors.get(`${base}#${name}`);
  if (outermost?.["$dynamicAnchor"] === name) return outermost;
  const problem = `${quote(reference)} has more than one $dynamicAnchor, which is not supported`;
  throw new SchemaError(`${schema.nodes.get(node)!.path}/$dynamicRef`, `${problem}: use $ref`);
}

/** Returns the target of `$recursiveRef`, which is the 2019-09 form of a dynamic reference. Its only value is `#`. */
function recursiveTarget({ root, nodes, resources }: CopiedSchema, node: Node): Subschema {
  const { path, base } = nodes.get(node)!;
  const target = resources.get(base)!;
  if (!isNode(target) || target["$recursiveAnchor"] !== true) return target;
  if (isNode(root) && root["$recursiveAnchor"] === true) return root;
  const others = [...nodes.keys()].filter((other) => other["$recursiveAnchor"] === true);
  if (others.length === 1) return target;
  throw new SchemaError(
    `${path}/$recursiveRef`,
    "more than one $recursiveAnchor is not supported: use $ref",
  );
}

/** Refuses subschemas that refer back to themselves without going deeper into the value. */
function refuseEndless({ nodes }: CopiedSchema, targets: Targets): void {
  /** The length of the longest chain that starts at a subschema; 0 while it is unknown. */
  const lengths = new Map<Node, number>();
  const lengthOf = (node: Node, depth: number): number => {
    const known = lengths.get(node);
    const { path } = nodes.get(node)!;
    if (known === 0) throw new SchemaError(path, "it refers to itself without end");
    if (known !== undefined) return known;
    lengths.set(node, 0);
    let longest = depth;
    if (depth <= MAX_CHAIN) {
      const next = [...(targets.get(node) ?? []), ...subschemasOfSameValue(node)].filter(isNode);
      longest = Math.max(0, ...next.map((other) => lengthOf(other, depth + 1)));
    }
    if (longest >= MAX_CHAIN) {
      throw new SchemaError(path, `more than ${MAX_CHAIN} references follow each other`);
    }
    lengths.set(node, longest + 1);
    return longest + 1;
  };
  for (const node of nodes.keys()) lengthOf(node, 1);
}

function subschemasOfSameValue(node: Node): unknown[] {
  const { allOf, anyOf, oneOf, dependentSchemas, dependencies } = node;
  const lists = [allOf, anyOf, oneOf].flatMap((list) => (list as unknown[] | undefined) ?? []);
  const byName = [dependentSchemas, (dependencies as Node | undefined)?.["dependentSchemas"]];
  const single = ["not", "if", "then", "else"].map((name) => node[name]);
  return [...lists, ...single, ...byName.flatMap((schemas) => Object.values(schemas ?? {}))];
}
