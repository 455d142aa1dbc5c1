import { isRecord } from "../lock/read-json.js";
import { JSON_TYPES, type JsonType, typesOf, valuesOf } from "./json-types.js";
import type { Node, SchemaDocument } from "./schema-document.js";

/** Keywords whose properties are not seen until a branch is chosen. */
const BRANCHING = ["anyOf", "oneOf", "if", "dependentSchemas", "dependencies", "$dynamicRef"];

/** The same objects each time, so that cycles are recognized. */
const ONE_TYPE = new Map(JSON_TYPES.map((type) => [type, { type }]));

/**
 * Values that a sender may send, as subschemas that hold all at once. Whatever is not understood is left out, so that the view
 * allows rather more than the schema.
 */
export class SenderView {
  readonly nodes: readonly Node[];
  readonly #document: SchemaDocument;

  private constructor(nodes: readonly Node[], document: SchemaDocument) {
    this.nodes = nodes;
    this.#document = document;
  }

  /** View of several schemas together; undefined when they allow nothing. */
  static of(schemas: readonly unknown[], document: SchemaDocument): SenderView | undefined {
    const nodes = new Set<Node>();
    const add = (schema: unknown): boolean => {
      const node = document.node(schema);
      if (typeof node === "boolean") return node;
      if (nodes.has(node)) return true;
      nodes.add(node);
      const { allOf, $ref } = node;
      const target = typeof $ref === "string" ? document.target($ref) : undefined;
      if (target && !add(target.schema)) return false;
      return !Array.isArray(allOf) || allOf.every(add);
    };
    if (!schemas.every(add)) return undefined;
    const view = new SenderView([...nodes], document);
    return view.types.size === 0 ? undefined : view;
  }

  /** The same for values of one type. */
  ofType(type: JsonType): SenderView | undefined {
    return SenderView.of([...this.nodes, ONE_TYPE.get(type)], this.#document);
  }

  get types(): ReadonlySet<JsonType> {
    const found = new Set<JsonType>(JSON_TYPES);
    for (const node of this.nodes) {
      const allowed = typesOf(node);
      if (allowed) for (const type of found) if (!allowed.has(type)) found.delete(type);
    }
    return found;
  }

  /** The only values that there are. */
  get values(): readonly unknown[] | undefined {
    for (const node of this.nodes) {
      const values = valuesOf(node);
      if (values) return values;
    }
    return undefined;
  }

  /** Values of a keyword, of those subschemas that have it. */
  all(keyword: string): readonly unknown[] {
    return this.nodes.flatMap((node) => (node[keyword] === undefined ? [] : [node[keyword]]));
  }

  numbers(keyword: string): readonly number[] {
    return this.all(keyword).filter((value): value is number => typeof value === "number");
  }

  get required(): ReadonlySet<string> {
    return new Set(this.all("required").flatMap((names) => (Array.isArray(names) ? names : [])));
  }

  /** Names of the properties that are described. */
  get names(): ReadonlySet<string> {
    return new Set(
      this.all("properties").flatMap((all) => (isRecord(all) ? Object.keys(all) : [])),
    );
  }

  /** True if the schema itself allows no properties but those that it describes. */
  get isClosed(): boolean {
    return this.nodes.some(
      (node) =>
        (node["additionalProperties"] === false && node["patternProperties"] === undefined) ||
        node["unevaluatedProperties"] === false,
    );
  }

  /**
   * The only properties that are sent; undefined for all. What describes properties and says nothing of others is read as
   * having only these: nobody relies on what the contract does not name.
   */
  get onlyNames(): ReadonlySet<string> | undefined {
    for (const node of this.nodes) {
      if (node["additionalProperties"] !== false || node["patternProperties"] !== undefined)
        continue;
      const { properties } = node;
      return new Set(isRecord(properties) ? Object.keys(properties) : []);
    }
    const isOpen = this.nodes.some(
      (node) =>
        node["additionalProperties"] !== undefined ||
        node["patternProperties"] !== undefined ||
        (node["unevaluatedProperties"] ?? false) !== false ||
        BRANCHING.some((keyword) => node[keyword] !== undefined) ||
        (typeof node["$ref"] === "string" && !this.#document.target(node["$ref"])),
    );
    if (isOpen || this.all("properties").length === 0) return undefined;
    return new Set([...this.names, ...this.required]);
  }

  /** Schemas of a property, by its name; undefined for one that is described by no name. */
  property(name: string | undefined): readonly unknown[] {
    return this.nodes.flatMap((node) => {
      const { properties, patternProperties, additionalProperties } = node;
      if (name !== undefined && isRecord(properties) && Object.hasOwn(properties, name)) {
        return [properties[name]];
      }
      const isKnown = patternProperties === undefined && additionalProperties !== undefined;
      return isKnown ? [additionalProperties] : [];
    });
  }

  /** Schemas of the item at an index; undefined for those behind all that are described one by one. */
  item(index: number | undefined): readonly unknown[] {
    return this.nodes.flatMap((node) => {
      const { prefixItems, items } = node;
      const prefix = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
      if (index !== undefined && index < prefix.length) return [prefix[index]];
      return items === undefined ? [] : [items];
    });
  }

  /** The same without the choice between branches that a subschema has, and its branches. */
  split(): { readonly rest: readonly Node[]; readonly branches: readonly unknown[] } | undefined {
    for (const [index, node] of this.nodes.entries()) {
      for (const keyword of ["anyOf", "oneOf"]) {
        const branches = node[keyword];
        if (!Array.isArray(branches)) continue;
        // What is referred to is among the nodes; it would bring the branches back.
        const rest = this.nodes.map((one, at) =>
          this.#document.without(one, "allOf", "$ref", ...(at === index ? [keyword] : [])),
        );
        return { rest, branches };
      }
    }
    return undefined;
  }
}
