import {
  JSON_TYPES,
  type JsonType,
  typesOf,
  valuesOf,
  type Node,
  type SchemaDocument,
} from "./schema-document.js";
import { isObject } from "../json.js";
/** Keywords that may add properties, depending on the branch that applies. */
const BRANCHING = ["anyOf", "oneOf", "if", "dependentSchemas", "dependencies", "$dynamicRef"];

/** Schemas with a single type each. They are created only once, so that cycles can be detected by identity. */
const ONE_TYPE = new Map(JSON_TYPES.map((type) => [type, { type }]));

/**
 * The values that a sender may send, namely those that satisfy several subschemas at once. Unknown keywords are
 * ignored, so the view may allow more than the schema does.
 */
export class SenderView {
  readonly nodes: readonly Node[];
  readonly #document: SchemaDocument;

  private constructor(nodes: readonly Node[], document: SchemaDocument) {
    this.nodes = nodes;
    this.#document = document;
  }

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

  /** The values listed by the first subschema that has `const` or `enum`, or undefined if none has one. */
  get values(): readonly unknown[] | undefined {
    for (const node of this.nodes) {
      const values = valuesOf(node);
      if (values) return values;
    }
    return undefined;
  }

  all(keyword: string): readonly unknown[] {
    return this.nodes.flatMap((node) => (node[keyword] === undefined ? [] : [node[keyword]]));
  }

  numbers(keyword: string): readonly number[] {
    return this.all(keyword).filter((value): value is number => typeof value === "number");
  }

  get required(): ReadonlySet<string> {
    return new Set(this.all("required").flatMap((names) => (Array.isArray(names) ? names : [])));
  }

  get names(): ReadonlySet<string> {
    return new Set(
      this.all("properties").flatMap((all) => (isObject(all) ? Object.keys(all) : [])),
    );
  }

  get isClosed(): boolean {
    return this.nodes.some(
      (node) =>
        (node["additionalProperties"] === false && node["patternProperties"] === undefined) ||
        node["unevaluatedProperties"] === false,
    );
  }

  /**
   * The names of the properties that may be sent, or undefined if any name is allowed. A schema that describes
   * properties without mentioning others is assumed to have only these, because programs do not rely on properties that
   * the contract does not name.
   */
  get onlyNames(): ReadonlySet<string> | undefined {
    for (const node of this.nodes) {
      if (node["additionalProperties"] !== false || node["patternProperties"] !== undefined)
        continue;
      const { properties } = node;
      return new Set(isObject(properties) ? Object.keys(properties) : []);
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

  /**
   * Returns the schemas that apply to a property.
   *
   * @param name - the property's name, or undefined for a property that is not described by name
   */
  property(name: string | undefined): readonly unknown[] {
    return this.nodes.flatMap((node) => {
      const { properties, patternProperties, additionalProperties } = node;
      if (name !== undefined && isObject(properties) && Object.hasOwn(properties, name)) {
        return [properties[name]];
      }
      const isKnown = patternProperties === undefined && additionalProperties !== undefined;
      return isKnown ? [additionalProperties] : [];
    });
  }

  /**
   * Returns the schemas that apply to an array item.
   *
   * @param index - the item's index, or undefined for the items after those that are described individually
   */
  item(index: number | undefined): readonly unknown[] {
    return this.nodes.flatMap((node) => {
      const { prefixItems, items } = node;
      const prefix = Array.isArray(prefixItems) ? (prefixItems as unknown[]) : [];
      if (index !== undefined && index < prefix.length) return [prefix[index]];
      return items === undefined ? [] : [items];
    });
  }

  /** Finds the first `anyOf` or `oneOf`. Returns its branches, and all nodes with that keyword removed. */
  split(): { readonly rest: readonly Node[]; readonly branches: readonly unknown[] } | undefined {
    for (const [index, node] of this.nodes.entries()) {
      for (const keyword of ["anyOf", "oneOf"]) {
        const branches = node[keyword];
        if (!Array.isArray(branches)) continue;
        // Also remove `allOf` and `$ref`, because their targets are already among the nodes and would add the choice
        // again.
        const rest = this.nodes.map((one, at) =>
          this.#document.without(one, "allOf", "$ref", ...(at === index ? [keyword] : [])),
        );
        return { rest, branches };
      }
    }
    return undefined;
  }
}
