import type {
  Constraints,
  Declaration,
  KeywordType,
  TypeExpression,
} from "../model/schema-model.js";
import { type EffectiveMember, type EffectiveShape, Shapes } from "../model/shape.js";

/**
 * A node in the graph of wire types. It contains only properties that are visible on the wire, and therefore no
 * declaration names.
 */
export interface WireNode {
  readonly label: string;
  readonly edges: readonly WireEdge[];
}

export interface WireEdge {
  readonly label: string;
  readonly to: number;
}

export interface WireGraphOptions {
  readonly ignoreFormat?: boolean;
}

/** A placeholder for a declaration whose node is not known yet. */
interface Forward {
  readonly forward: number;
}

const KEYWORDS: Readonly<Record<Exclude<KeywordType["name"], "number">, string>> = {
  string: "string",
  boolean: "boolean",
  null: "null",
  unknown: "any",
  any: "any",
  never: "never",
  object: "object",
};

/** The keywords besides `number` whose constraint tags are visible on the wire. */
const CONSTRAINABLE = new Set<KeywordType["name"]>(["string", "object"]);

/**
 * A graph of wire types. Aliases are replaced by the types they stand for; inheritance, intersections, `Omit` and
 * `Record` are evaluated; unions are flattened. Literals in a union with `string` are dropped, as are index signatures
 * of type `unknown`.
 */
export class WireGraph {
  readonly shapes: Shapes;
  readonly #declarations: ReadonlyMap<string, Declaration>;
  readonly #options: WireGraphOptions;
  readonly #nodes: (WireNode | Forward)[] = [];
  readonly #named = new Map<string, number>();
  readonly #pending: { readonly declaration: Declaration; readonly slot: number }[] = [];

  constructor(declarations: readonly Declaration[], options: WireGraphOptions = {}) {
    this.#declarations = new Map(
      declarations.map((declaration) => [declaration.name, declaration]),
    );
    this.shapes = new Shapes(declarations);
    this.#options = options;
  }

  /** Adds a type and returns its node, which is valid until the graph is {@link finish finished}. */
  add(type: TypeExpression): number {
    const node = this.#type(type);
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) {
      this.#nodes[next.slot] = { forward: this.#declaration(next.declaration) };
    }
    return node;
  }

  /** Returns the nodes, and a function that returns the final position of a node returned by {@link add}. */
  finish(): { readonly nodes: readonly WireNode[]; readonly position: (node: number) => number } {
    const kept = this.#nodes.flatMap((node, index) => ("forward" in node ? [] : [{ node, index }]));
    const positions = new Map(kept.map(({ index }, position) => [index, position]));
    const position = (node: number) => positions.get(this.#follow(node))!;
    const nodes = kept.map(({ node: { label, edges } }) => {
      return { label, edges: edges.map((edge) => ({ label: edge.label, to: position(edge.to) })) };
    });
    return { nodes, position };
  }

  #follow(index: number): number {
    const node = this.#nodes[index]!;
    return "forward" in node ? this.#follow(node.forward) : index;
  }

  #node(label: string, edges: readonly WireEdge[] = []): number {
    return this.#nodes.push({ label, edges }) - 1;
  }

  #reference(name: string): number {
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const declaration = this.#declarations.get(name)!;
    const slot = this.#node("");
    this.#named.set(name, slot);
    this.#pending.push({ declaration, slot });
    return slot;
  }

  #declaration(declaration: Declaration): number {
    switch (declaration.kind) {
      case "const":
        return this.#literal(declaration.value);
      case "interface":
        return this.#object(this.shapes.named(declaration.name)!, "");
      case "alias":
        return this.#type(declaration.type, declaration.constraints && [declaration.constraints]);
    }
  }

  #type(type: TypeExpression, constraints: readonly Constraints[] = []): number {
    const tags = this.#tags(constraints);
    switch (type.kind) {
      case "keyword":
        if (type.name === "number") {
          const kind = constraints.find(({ number }) => number !== undefined)?.number;
          return this.#node((kind ?? "integer") + tags);
        }
        return this.#node(KEYWORDS[type.name] + (CONSTRAINABLE.has(type.name) ? tags : ""));
      case "literal":
        return this.#literal(type.value);
      case "typeof":
        return this.#declaration(this.#declarations.get(type.name)!);
      case "reference":
        return this.#reference(type.name);
      case "array":
        return this.#node(`array${tags}`, [{ label: "e", to: this.#type(type.element) }]);
      case "union":
        return this.#union(this.shapes.arms(type), tags);
      case "intersection": {
        const shape = this.shapes.of(type);
        if (shape) return this.#object(shape, tags);
        const parts = type.members.map((member) => ({ label: "&", to: this.#type(member) }));
        return this.#node(`inter${tags}`, parts);
      }
      default:
        return this.#object(this.shapes.of(type)!, tags);
    }
  }

  #literal(value: string | number | boolean): number {
    return this.#node(`lit:${JSON.stringify(value)}`);
  }

  #union(all: readonly TypeExpression[], tags: string): number {
    const arms = all.some((arm) => isKeyword(arm, "string"))
      ? all.filter((arm) => typeof this.#literalOf(arm) !== "string")
      : all;
    const scalars = ["number", "boolean"] as const;
    const isJson = scalars.every((name) => arms.some((arm) => isKeyword(arm, name)));
    const fraction = isJson ? [{ number: "number" } as const] : [];
    const nodes = arms.map((arm) => this.#type(arm, isKeyword(arm, "number") ? fraction : []));
    if (nodes.length === 1 && tags === "") return nodes[0]!;
    return this.#node(
      `union${tags}`,
      nodes.map((to) => ({ label: "|", to })),
    );
  }

  #literalOf(type: TypeExpression): string | number | boolean | undefined {
    return type.kind === "reference" ? undefined : this.shapes.literal(type);
  }

  #object({ members, indexes }: EffectiveShape, tags: string): number {
    const edges = [...members.keys()].toSorted().map((name) => {
      const member = members.get(name)!;
      return { label: `.${name}${member.optional ? "?" : ""}`, to: this.#member(member) };
    });
    for (const { type } of indexes) {
      if (isKeyword(type, "unknown") || isKeyword(type, "any")) continue;
      edges.push({ label: "[string]", to: this.#type(type) });
    }
    return this.#node(`object${tags}`, edges);
  }

  #member({ types }: EffectiveMember): number {
    const { type } = types.reduce((first, second) => ({
      type: { kind: "intersection", members: [first.type, second.type], span: first.type.span },
    }));
    return this.#type(
      type,
      types.flatMap(({ constraints }) => constraints ?? []),
    );
  }

  #tags(constraints: readonly Constraints[]): string {
    const tags = constraints.flatMap((each) => Object.entries(each));
    return tags
      .filter(([name]) => name !== "number" && !(name === "format" && this.#options.ignoreFormat))
      .map(([name, value]) => `${name}=${value}`)
      .toSorted()
      .join(",");
  }
}

function isKeyword(type: TypeExpression, name: KeywordType["name"]): boolean {
  return type.kind === "keyword" && type.name === name;
}
