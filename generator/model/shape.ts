import type {
  Constraints,
  Declaration,
  Doc,
  IndexSignature,
  ObjectShape,
  ReferenceType,
  TypeExpression,
  UnionType,
} from "./schema-model.js";

/** A member after inheritance, overrides, intersections and `Omit` have been applied. */
export interface EffectiveMember {
  readonly name: string;
  readonly optional: boolean;
  /**
   * The member's types, all of which apply. If several operands of an intersection have the member, there is one type
   * from each.
   */
  readonly types: readonly ConstrainedType[];
  /** The declaration that states the member; empty for an inline object type. */
  readonly from: string;
  readonly doc?: Doc;
}

export interface ConstrainedType {
  readonly type: TypeExpression;
  readonly constraints?: Constraints;
}

export interface EffectiveShape {
  /** The members in order of first appearance, with those of bases first. */
  readonly members: ReadonlyMap<string, EffectiveMember>;
  /** The index signatures. All of them apply to every unnamed member. */
  readonly indexes: readonly IndexSignature[];
}

/** The object structures of declarations and type expressions. */
export class Shapes {
  readonly #declarations: ReadonlyMap<string, Declaration>;
  readonly #cache = new Map<string, EffectiveShape | undefined>();

  constructor(declarations: Iterable<Declaration>) {
    this.#declarations = new Map(
      [...declarations].map((declaration) => [declaration.name, declaration]),
    );
  }

  declaration(name: string): Declaration | undefined {
    return this.#declarations.get(name);
  }

  /**
   * Returns a declaration's structure; undefined if the declaration is unknown, is not an object, or is defined only in
   * terms of itself.
   */
  named(name: string): EffectiveShape | undefined {
    if (this.#cache.has(name)) return this.#cache.get(name);
    this.#cache.set(name, undefined);
    const shape = this.#evaluate(this.#declarations.get(name));
    this.#cache.set(name, shape);
    return shape;
  }

  /** Returns a type expression's structure; undefined for unions, scalars and arrays. */
  of(type: TypeExpression): EffectiveShape | undefined {
    switch (type.kind) {
      case "object":
        return own(type, "", EMPTY);
      case "record":
        return {
          members: new Map(),
          indexes: [{ keyName: "key", type: type.value, span: type.span }],
        };
      case "reference":
        return this.named(type.name);
      case "omit": {
        const base = this.of(type.base);
        return base && without(base, type.keys);
      }
      case "intersection": {
        const operands = type.members.map((member) => this.of(member));
        return operands.every((operand) => operand !== undefined) ? intersect(operands) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** Returns the only literal that a type admits, even through aliases, `typeof` and intersections. */
  literal(type: TypeExpression): string | number | boolean | undefined {
    return this.#literal(type, new Set());
  }

  #literal(type: TypeExpression, seen: Set<string>): string | number | boolean | undefined {
    switch (type.kind) {
      case "literal":
        return type.value;
      case "typeof": {
        const declaration = this.#declarations.get(type.name);
        return declaration?.kind === "const" ? declaration.value : undefined;
      }
      case "reference": {
        const declaration = this.#declarations.get(type.name);
        if (declaration?.kind !== "alias" || seen.has(type.name)) return undefined;
        return this.#literal(declaration.type, seen.add(type.name));
      }
      case "intersection":
        return type.members
          .map((member) => this.#literal(member, seen))
          .find((value) => value !== undefined);
      default:
        return undefined;
    }
  }

  memberLiteral(member: EffectiveMember | undefined): string | number | boolean | undefined {
    return member?.types.map(({ type }) => this.literal(type)).find((value) => value !== undefined);
  }

  /**
   * Returns a union's alternatives, including those of unions behind aliases. Each aliased union is expanded only once.
   * For any other type, returns the type itself.
   */
  arms(type: TypeExpression): readonly TypeExpression[] {
    return this.#arms(type, new Set());
  }

  #arms(type: TypeExpression, seen: Set<UnionType>): readonly TypeExpression[] {
    if (type.kind === "union") return type.members.flatMap((member) => this.#arms(member, seen));
    if (type.kind !== "reference") return [type];
    const union = this.#aliasedUnion(type);
    if (!union) return [type];
    if (seen.has(union)) return [];
    return this.#arms(union, seen.add(union));
  }

  #aliasedUnion(reference: ReferenceType): UnionType | undefined {
    const seen = new Set<string>();
    let type: TypeExpression = reference;
    while (type.kind === "reference" && !seen.has(type.name)) {
      seen.add(type.name);
      const declaration = this.#declarations.get(type.name);
      if (declaration?.kind !== "alias") return undefined;
      type = declaration.type;
    }
    return type.kind === "union" ? type : undefined;
  }

  #evaluate(declaration: Declaration | undefined): EffectiveShape | undefined {
    if (declaration === undefined || declaration.kind === "const") return undefined;
    if (declaration.kind === "alias") return this.of(declaration.type);
    const bases = declaration.extends.map((base) => this.of(base) ?? EMPTY);
    return own(declaration, declaration.name, inherit(bases));
  }
}

const EMPTY: EffectiveShape = { members: new Map(), indexes: [] };

function own(shape: ObjectShape, from: string, base: EffectiveShape): EffectiveShape {
  const members = new Map(base.members);
  for (const { name, optional, type, constraints, doc } of shape.members) {
    members.set(name, {
      name,
      optional,
      types: [{ type, ...(constraints && { constraints }) }],
      from,
      ...(doc && { doc }),
    });
  }
  return { members, indexes: shape.index ? [shape.index] : base.indexes };
}

/**
 * Combines the members of the bases. For each member, the first declaration is used, because all bases must agree on
 * it.
 */
function inherit(bases: readonly EffectiveShape[]): EffectiveShape {
  const members = new Map<string, EffectiveMember>();
  for (const base of bases) {
    for (const [name, member] of base.members) if (!members.has(name)) members.set(name, member);
  }
  return { members, indexes: bases.flatMap((base) => base.indexes).slice(0, 1) };
}

function intersect(operands: readonly EffectiveShape[]): EffectiveShape {
  const members = new Map<string, EffectiveMember>();
  for (const operand of operands) {
    for (const [name, member] of operand.members) {
      const previous = members.get(name);
      members.set(
        name,
        previous
          ? {
              ...previous,
              optional: previous.optional && member.optional,
              types: distinct(previous.types, member.types),
            }
          : member,
      );
    }
  }
  return { members, indexes: [...new Set(operands.flatMap((operand) => operand.indexes))] };
}

/** Removes duplicates, because several operands may inherit a member from the same declaration. */
function distinct(
  first: readonly ConstrainedType[],
  second: readonly ConstrainedType[],
): readonly ConstrainedType[] {
  const known = new Set(first.map(({ type }) => type));
  return [...first, ...second.filter(({ type }) => !known.has(type))];
}

function without(base: EffectiveShape, keys: readonly string[]): EffectiveShape {
  const members = new Map([...base.members].filter(([name]) => !keys.includes(name)));
  return { members, indexes: base.indexes };
}
