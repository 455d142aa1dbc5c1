import type { Constraints, Declaration, TypeExpression } from "../../model/schema-model.js";
import type {
  ConstrainedType,
  EffectiveMember,
  EffectiveShape,
  Shapes,
} from "../../model/shape.js";
import { FORMATS } from "../../link/facts-format.js";
import type { FormatRule } from "../../link/protocol.js";
import { allOf, anyOf, type Check, type ObjectCheck } from "./check.js";

/** Converts type expressions to checks. */
export class Lowering {
  readonly hidden = new Map<string, Check>();
  readonly #shapes: Shapes;
  readonly #formats: readonly FormatRule[] | undefined;
  readonly #open = new Set<TypeExpression>();
  readonly #hiddenNames = new Map<TypeExpression, string>();
  #declaration = "";

  /** @param formats - rules in addition to the schema's tags; undefined to ignore all formats */
  constructor(shapes: Shapes, formats?: readonly FormatRule[]) {
    this.#shapes = shapes;
    this.#formats = formats;
  }

  /** Returns the check that a declaration stands for, rather than a call by its name. */
  declaration(declaration: Exclude<Declaration, { kind: "const" }>): Check {
    this.#declaration = declaration.name;
    if (declaration.kind === "alias") return this.type(declaration.type, declaration.constraints);
    return this.#object(this.#shapes.named(declaration.name)!);
  }

  member(owner: string, name: string): Check | undefined {
    const member = this.#shapes.named(owner)?.members.get(name);
    return member && this.#all(member.types);
  }

  type(type: TypeExpression, constraints: Constraints = {}): Check {
    switch (type.kind) {
      case "keyword":
        return keyword(type.name, constraints);
      case "literal":
      case "typeof":
        return { kind: "literal", value: this.#shapes.literal(type)! };
      case "reference":
        return this.#reference(type.name, constraints);
      case "array":
        return { kind: "array", element: this.type(type.element), ...bounds(constraints, "Items") };
      case "union":
        return this.#union(type.members, constraints);
      case "intersection":
        return this.#expand(type, () => this.#intersection(type));
      case "omit":
        return this.#expand(type, () => this.#object(this.#shapes.of(type)!));
      case "object":
      case "record":
        return this.#object(this.#shapes.of(type)!);
    }
  }

  /** Converts a type that may contain itself. Inner references to the same type become calls. */
  #expand(type: TypeExpression, lower: () => Check): Check {
    if (this.#open.has(type) && !this.#hiddenNames.has(type)) {
      this.#hiddenNames.set(type, this.#hiddenName());
    }
    const known = this.#hiddenNames.get(type);
    if (known !== undefined) return { kind: "call", name: known };
    this.#open.add(type);
    const check = lower();
    this.#open.delete(type);
    const name = this.#hiddenNames.get(type);
    if (name === undefined) return check;
    this.hidden.set(name, check);
    return { kind: "call", name };
  }

  #hiddenName(): string {
    const taken = [...this.#hiddenNames.values()];
    let name = `${this.#declaration}_recursive`;
    while (this.#shapes.declaration(name) || taken.includes(name)) name += "_";
    return name;
  }

  /**
   * Returns a reference's check. The tags on the reference take precedence over those of the alias, but a `format` tag
   * on the reference has no effect.
   */
  #reference(name: string, constraints: Constraints): Check {
    const declaration = this.#shapes.declaration(name);
    const { format: _, ...effective } = constraints;
    if (declaration?.kind === "alias" && Object.keys(effective).length > 0) {
      return this.type(declaration.type, { ...declaration.constraints, ...effective });
    }
    return { kind: "call", name };
  }

  /**
   * Returns a union's check. In a union with booleans, `number` means any JSON number, because such a union represents
   * JSON scalars.
   */
  #union(members: readonly TypeExpression[], constraints: Constraints): Check {
    const keywords = members.map((member) => this.#keyword(member));
    const fractions = keywords.includes("number") && keywords.includes("boolean");
    return anyOf(
      members.map((member, index) =>
        fractions && keywords[index] === "number"
          ? keyword("number", { number: "number", ...constraints })
          : this.type(member, constraints),
      ),
    );
  }

  #keyword(type: TypeExpression): string | undefined {
    if (type.kind === "keyword") return type.name;
    if (type.kind !== "reference") return undefined;
    const declaration = this.#shapes.declaration(type.name);
    return declaration?.kind === "alias" ? this.#keyword(declaration.type) : undefined;
  }

  /**
   * Returns an intersection's check. The operands are merged into a single object, unless one of them is not an object,
   * or has an index signature that would also restrict the other operands' members.
   */
  #intersection(type: TypeExpression & { kind: "intersection" }): Check {
    const operands = type.members.map((member) => this.#shapes.of(member));
    const merge = operands.every(
      (shape) => shape && !shape.indexes.some((index) => !isOpen(index.type)),
    );
    if (merge) return this.#object(this.#shapes.of(type)!);
    return allOf(type.members.map((member) => this.type(member)));
  }

  #object(shape: EffectiveShape): ObjectCheck {
    const indexes = shape.indexes.filter((index) => !isOpen(index.type));
    const members = [...shape.members.values()].map((member) => ({
      name: member.name,
      optional: member.optional,
      check: this.#formatted(this.#all(member.types), member),
    }));
    const index =
      indexes.length > 0 && allOf(indexes.map((signature) => this.type(signature.type)));
    return { kind: "object", members, ...(index && { index }) };
  }

  /** Adds a member's formats to its check. Rules take precedence over tags. */
  #formatted(check: Check, { name, from, types }: EffectiveMember): Check {
    if (this.#formats === undefined) return check;
    const rules = this.#formats.filter(
      ({ type, member }) => member === name && (type ?? from) === from,
    );
    const own = rules.filter(({ isItem }) => !isItem).map(({ format }) => format);
    const tags = types.flatMap(({ constraints }) => constraints?.format ?? []).filter(isTested);
    const items = rules.filter(({ isItem }) => isItem).map(({ format }) => format);
    const formats = own.length > 0 ? own : tags;
    const whole = formats.length > 0 ? { ...check, format: formats.join(" ") } : check;
    if (items.length === 0 || whole.kind !== "array") return whole;
    return { ...whole, element: { ...whole.element, format: items.join(" ") } };
  }

  #all(types: readonly ConstrainedType[]): Check {
    return allOf(types.map(({ type, constraints }) => this.type(type, constraints)));
  }
}

function isTested(format: string): boolean {
  return FORMATS.some((known) => known === format);
}

function isOpen(type: TypeExpression): boolean {
  return type.kind === "keyword" && (type.name === "unknown" || type.name === "any");
}

function keyword(name: string, constraints: Constraints): Check {
  switch (name) {
    case "string":
      return { kind: "string", ...bounds(constraints, "Length"), ...matching(constraints) };
    case "number":
      return { kind: "number", integer: constraints.number !== "number", ...range(constraints) };
    case "boolean":
    case "null":
    case "never":
      return { kind: name };
    case "object":
      return { kind: "object", members: [] };
    default:
      return { kind: "any" };
  }
}

function matching({ pattern }: Constraints): { pattern?: string } {
  return pattern === undefined ? {} : { pattern };
}

function range({ minimum, maximum }: Constraints): { minimum?: number; maximum?: number } {
  return { ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
}

function bounds(constraints: Constraints, unit: "Items" | "Length"): Record<string, number> {
  const names = [`min${unit}`, `max${unit}`] as ("minItems" | "maxItems")[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = constraints[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
