import { canonicalJson } from "../index.js";
import { isObject } from "../json.js";

import { accepts } from "./accepts.js";
import { token } from "./change.js";
import {
  JSON_TYPES,
  type JsonType,
  typesOf,
  type Node,
  type SchemaDocument,
} from "./schema-document.js";
import { propertyMisfits } from "./property-containment.js";
import { scalarMisfits } from "./scalar-containment.js";
import { SenderView } from "./sender-view.js";

/** A place in the receiver's schema that may reject a value that the sender's schema allows. */
export interface Misfit {
  readonly pointer: string;
  readonly message: string;
  readonly undecided?: true;
}

/** The maximum number of subschemas to compare. Beyond that, the comparison is abandoned as undecided. */
const MAX_STEPS = 20_000;
const MAX_DEPTH = 200;

/** Keywords that are not interpreted but only compared for equality. */
const OPAQUE = [
  "not",
  "if",
  "then",
  "else",
  "contains",
  "minContains",
  "maxContains",
  "dependentSchemas",
  "dependencies",
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
  "$recursiveRef",
];

/**
 * Compares two schemas conservatively. There are no misfits only if the receiver's schema is certain to accept every
 * value that the sender's schema allows.
 */
export class Containment {
  readonly sender: SchemaDocument;
  readonly receiver: SchemaDocument;
  /**
   * True if the schemas describe results. Their sender is a program, which may send anything that its schema does not
   * rule out.
   */
  readonly areResults: boolean;
  readonly #haveEqualTargets: boolean;
  readonly #ids = new Map<Node, number>();
  readonly #texts = new WeakMap<Node, string>();
  readonly #underWay = new Set<string>();
  #steps = 0;
  #depth = 0;

  constructor(sender: SchemaDocument, receiver: SchemaDocument, areResults = false) {
    this.sender = sender;
    this.receiver = receiver;
    this.areResults = areResults;
    this.#haveEqualTargets = targetsOf(sender.root) === targetsOf(receiver.root);
  }

  misfits(): readonly Misfit[] {
    return this.compare([this.sender.root], this.receiver.root, "");
  }

  /** Returns the places that may reject a value allowed by all of these sender subschemas. */
  compare(subschemas: readonly unknown[], schema: unknown, pointer: string): readonly Misfit[] {
    const view = SenderView.of(subschemas, this.sender);
    return view === undefined ? [] : this.#compare(view, schema, pointer);
  }

  #compare(view: SenderView, schema: unknown, pointer: string): readonly Misfit[] {
    const node = this.receiver.node(schema);
    if (node === true) return [];
    if (node === false) return [{ pointer, message: "nothing is accepted any more" }];
    this.#steps += 1;
    if (this.#steps > MAX_STEPS || this.#depth > MAX_DEPTH) {
      return [{ pointer, message: "undecided: too much to compare", undecided: true }];
    }
    const key = `${view.nodes.map((one) => this.#idOf(one)).join(",")}|${this.#idOf(node)}`;
    if (this.#underWay.has(key)) return [];
    this.#underWay.add(key);
    this.#depth += 1;
    try {
      return this.#decide(view, node, pointer);
    } finally {
      this.#depth -= 1;
      this.#underWay.delete(key);
    }
  }

  #decide(view: SenderView, node: Node, pointer: string): readonly Misfit[] {
    if (this.isEqual(view.nodes, node)) return [];
    const { values } = view;
    const isReference = typeof node["$ref"] === "string" && Object.keys(node).length === 1;
    if (values && !isReference) return this.#valueMisfits(view, values, node, pointer);
    const found = this.#keywordMisfits(view, node, pointer);
    const split = found.length > 0 ? view.split() : undefined;
    if (split === undefined) return found;
    return split.branches.flatMap((branch) => this.compare([...split.rest, branch], node, pointer));
  }

  #keywordMisfits(view: SenderView, node: Node, pointer: string): readonly Misfit[] {
    const { $ref, allOf, anyOf, oneOf } = node;
    const found: Misfit[] = [...this.#typeMisfits(view, node, pointer)];
    if (typeof $ref === "string") found.push(...this.#referenceMisfits(view, $ref, pointer));
    if (Array.isArray(allOf)) {
      for (const [index, branch] of allOf.entries()) {
        found.push(...this.#compare(view, branch, `${pointer}/allOf/${index}`));
      }
    }
    if (Array.isArray(anyOf)) found.push(...this.#anyOfMisfits(view, anyOf, pointer));
    if (Array.isArray(oneOf)) found.push(...this.#oneOfMisfits(view, node, oneOf, pointer));
    found.push(...scalarMisfits(view, node, pointer));
    if (view.types.has("array")) found.push(...itemMisfits(this, view, node, pointer));
    if (view.types.has("object")) found.push(...propertyMisfits(this, view, node, pointer));
    for (const keyword of OPAQUE) {
      if (node[keyword] === undefined || this.#isImplied(view, node, keyword)) continue;
      const message = `undecided: ${keyword}`;
      found.push({ pointer: pointer + token(keyword), message, undecided: true });
    }
    return found;
  }

  #typeMisfits(view: SenderView, node: Node, pointer: string): readonly Misfit[] {
    const { type } = node;
    const found: Misfit[] = [];
    if (type !== undefined) {
      const accepted = typesOf({ type });
      const missing = [...view.types].filter((one) => accepted && !accepted.has(one));
      if (missing.length > 0) {
        const message = `${typeText(missing)} is no longer accepted`;
        found.push({ pointer: `${pointer}/type`, message });
      }
    }
    const keyword = Object.hasOwn(node, "const") ? "const" : "enum";
    if (found.length === 0 && node[keyword] !== undefined && !isBooleans(view, node["enum"])) {
      found.push({
        pointer: pointer + token(keyword),
        message: "only some values are accepted now",
      });
    }
    return found;
  }

  #valueMisfits(
    view: SenderView,
    values: readonly unknown[],
    node: Node,
    pointer: string,
  ): readonly Misfit[] {
    return values.flatMap((value): readonly Misfit[] => {
      const isSent = view.nodes.every((one) => accepts(value, one, this.sender) !== false);
      const verdict = isSent ? accepts(value, node, this.receiver) : true;
      if (verdict === true) return [];
      if (verdict === undefined && this.#isDecidedByKeywords(view, node, pointer)) return [];
      const place = node["enum"] === undefined ? pointer : `${pointer}/enum`;
      const shown = JSON.stringify(value).slice(0, 60);
      if (verdict === undefined) {
        return [{ pointer: place, message: `undecided: the value ${shown}`, undecided: true }];
      }
      return [{ pointer: place, message: `the value ${shown} is no longer accepted` }];
    });
  }

  #isDecidedByKeywords(view: SenderView, node: Node, pointer: string): boolean {
    return this.#keywordMisfits(view, node, pointer).length === 0;
  }

  #referenceMisfits(view: SenderView, reference: string, pointer: string): readonly Misfit[] {
    const target = this.receiver.target(reference);
    // Use the target's place rather than the reference's, so that a misfit is reported only once, no matter how often
    // it is referenced.
    const place = reference.startsWith("#/") ? reference.slice(1) : pointer;
    if (target) return this.#compare(view, target.schema, reference === "#" ? "" : place);
    const message = `undecided: $ref ${JSON.stringify(reference).slice(0, 60)}`;
    return [{ pointer: `${pointer}/$ref`, message, undecided: true }];
  }

  #anyOfMisfits(
    view: SenderView,
    branches: readonly unknown[],
    pointer: string,
  ): readonly Misfit[] {
    const place = `${pointer}/anyOf`;
    const fits = (one: SenderView): boolean =>
      branches.some((branch) => this.#compare(one, branch, place).length === 0);
    if (fits(view) || this.#isEach(view, fits)) return [];
    return [{ pointer: place, message: "undecided: anyOf", undecided: true }];
  }

  #oneOfMisfits(
    view: SenderView,
    node: Node,
    branches: readonly unknown[],
    pointer: string,
  ): readonly Misfit[] {
    if (this.#isImplied(view, node, "oneOf")) return [];
    const place = `${pointer}/oneOf`;
    const fits = (one: SenderView): boolean =>
      branches.some(
        (branch, index) =>
          branches.every((other, at) => at === index || this.#isApart(one, other)) &&
          this.#compare(one, branch, place).length === 0,
      );
    if (fits(view) || this.#isEach(view, fits)) return [];
    return [{ pointer: place, message: "undecided: oneOf", undecided: true }];
  }

  /** True if a view allows several types, and a condition holds for the values of each type separately. */
  #isEach(view: SenderView, holds: (one: SenderView) => boolean): boolean {
    const types = [...view.types].filter((type) => type !== "integer" || !view.types.has("number"));
    if (types.length < 2) return false;
    return types.every((type) => {
      const part = view.ofType(type);
      return part === undefined || holds(part);
    });
  }

  /**
   * Returns true if a receiver subschema is certain to reject every value in the view, because of its types, its
   * constants, or different constants for a property that both require.
   */
  #isApart(view: SenderView, schema: unknown): boolean {
    if (this.receiver.isExhausted()) return false;
    const other = SenderView.of([schema], this.receiver);
    if (other === undefined) return true;
    const types = [...other.types].filter((type) => view.types.has(type));
    if (types.length === 0) return true;
    if (view.values?.every((value) => accepts(value, schema, this.receiver) === false)) return true;
    if (types.some((type) => type !== "object")) return false;
    return [...other.required].some((name) => {
      if (!view.required.has(name)) return false;
      const [mine, theirs] = [
        SenderView.of(view.property(name), this.sender)?.values,
        SenderView.of(other.property(name), this.receiver)?.values,
      ];
      if (mine === undefined || theirs === undefined) return false;
      return mine.every((one) => theirs.every((two) => canonicalJson(one) !== canonicalJson(two)));
    });
  }

  /**
   * Returns true if a sender subschema has the same keyword with the same value. Keywords that affect that keyword's
   * meaning must also be the same.
   */
  #isImplied(view: SenderView, node: Node, keyword: string): boolean {
    return view.nodes.some((one) => {
      if (one[keyword] === undefined) return false;
      const group = GROUPS.find((names) => names.includes(keyword)) ?? [keyword];
      const names = keyword.startsWith("unevaluated") ? Object.keys({ ...one, ...node }) : group;
      return names.every((name) => this.isEqual([{ [name]: one[name] }], { [name]: node[name] }));
    });
  }

  isEqual(nodes: readonly Node[], node: Node): boolean {
    const text = this.#textOf(node);
    if (!this.#haveEqualTargets && /"\$(?:ref|dynamicRef|recursiveRef)"/.test(text)) return false;
    return nodes.some((one) => this.#textOf(one) === text);
  }

  #textOf(node: Node): string {
    const text = this.#texts.get(node) ?? canonicalJson(node);
    this.#texts.set(node, text);
    return text;
  }

  #idOf(node: Node): number {
    const known = this.#ids.get(node) ?? this.#ids.size;
    this.#ids.set(node, known);
    return known;
  }
}

const GROUPS = [
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
];

/**
 * Returns the text of all schemas that references can point to: the definitions, or the whole document if any reference
 * points elsewhere.
 */
function targetsOf(root: unknown): string {
  const text = canonicalJson(root);
  if (!isObject(root) || !text.includes('"$')) return "";
  const isPlain = [...text.matchAll(/"\$(?:ref|dynamicRef|recursiveRef)":"([^"]*)"/g)].every(
    ([, reference]) => /^#\/(?:\$defs|definitions)\//.test(reference!),
  );
  const { $defs, definitions } = root;
  return isPlain ? canonicalJson({ $defs, definitions }) : text;
}

function typeText(types: readonly JsonType[]): string {
  if (types.length === JSON_TYPES.length) return "any value";
  return types.filter((type) => type !== "integer" || !types.includes("number")).join(" or ");
}

/** Returns true if an `enum` contains both booleans and only booleans are sent. */
function isBooleans(view: SenderView, values: unknown): boolean {
  const isOnly = view.types.size === 1 && view.types.has("boolean");
  return isOnly && Array.isArray(values) && values.includes(true) && values.includes(false);
}

export function itemMisfits(
  containment: Containment,
  view: SenderView,
  node: Node,
  pointer: string,
): readonly Misfit[] {
  const { items, prefixItems } = node;
  const prefix = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
  if (items === undefined && prefix.length === 0) return [];
  const most = Math.min(Infinity, ...view.numbers("maxItems"));
  const sent = view.all("prefixItems").map((list) => (Array.isArray(list) ? list.length : 0));
  const described = Math.min(Math.max(prefix.length, 0, ...sent), most);
  const found: Misfit[] = [];
  for (let index = 0; index < described; index += 1) {
    const isInPrefix = index < prefix.length;
    const schema = isInPrefix ? prefix[index] : (items ?? true);
    const place = isInPrefix ? `${pointer}/prefixItems/${index}` : `${pointer}/items`;
    found.push(...containment.compare(view.item(index), schema, place));
  }
  if (items !== undefined && most > described) {
    found.push(...containment.compare(view.item(undefined), items, `${pointer}/items`));
  }
  return found;
}
