import type {
  Constraints,
  Declaration,
  ObjectShape,
  TypeExpression,
} from "../../generator/model/schema-model.js";

interface Property {
  readonly optional: boolean;
  readonly type: TypeExpression;
  readonly constraints: Constraints;
}

interface Shape {
  readonly properties: ReadonlyMap<string, Property>;
  readonly index: TypeExpression | undefined;
}

/**
 * A second opinion on JSON values. It reads the syntax model step by step and shares no code with the validator
 * generator, not even the evaluation of heritage.
 */
export class Interpreter {
  readonly #declarations: ReadonlyMap<string, Declaration>;

  constructor(declarations: readonly Declaration[]) {
    this.#declarations = new Map(
      declarations.map((declaration) => [declaration.name, declaration]),
    );
  }

  accepts(name: string, value: unknown): boolean {
    return this.#named(name, value, {});
  }

  /** Returns the properties and index signature of anything that is an object. */
  shape(type: TypeExpression): Shape | undefined {
    switch (type.kind) {
      case "object":
        return this.#own(type, []);
      case "record":
        return { properties: new Map(), index: type.value };
      case "omit": {
        const { properties, index } = this.shape(type.base)!;
        return {
          properties: new Map([...properties].filter(([key]) => !type.keys.includes(key))),
          index,
        };
      }
      case "reference": {
        const declaration = this.#declarations.get(type.name);
        if (declaration?.kind === "interface") return this.#own(declaration, declaration.extends);
        return declaration?.kind === "alias" ? this.shape(declaration.type) : undefined;
      }
      default:
        return undefined;
    }
  }

  #own(shape: ObjectShape, bases: readonly TypeExpression[]): Shape {
    const inherited = bases.map((base) => this.shape(base)!);
    const own = shape.members.map(
      ({ name, optional, type, constraints = {} }): [string, Property] => [
        name,
        { optional, type, constraints },
      ],
    );
    const entries = [
      ...inherited.toReversed().flatMap(({ properties }) => [...properties]),
      ...own,
    ];
    const index = shape.index?.type ?? inherited.find((base) => base.index)?.index;
    return { properties: new Map(entries), index };
  }

  #named(name: string, value: unknown, constraints: Constraints): boolean {
    const declaration = this.#declarations.get(name);
    if (declaration?.kind === "interface") return this.#object(this.shape(reference(name))!, value);
    if (declaration?.kind !== "alias") throw new Error(`${name} is no type.`);
    return this.#type(declaration.type, value, { ...declaration.constraints, ...constraints });
  }

  #type(type: TypeExpression, value: unknown, constraints: Constraints): boolean {
    switch (type.kind) {
      case "keyword":
        return keyword(type.name, value, constraints);
      case "literal":
        return value === type.value;
      case "typeof":
        return value === (this.#declarations.get(type.name) as { value?: unknown }).value;
      case "reference":
        return this.#named(type.name, value, constraints);
      case "array":
        return (
          Array.isArray(value) &&
          value.length >= (constraints.minItems ?? 0) &&
          value.length <= (constraints.maxItems ?? Infinity) &&
          value.every((item) => this.#type(type.element, item, {}))
        );
      case "union":
        return type.members.some((member) =>
          this.#type(member, value, this.#inUnion(type.members, constraints)),
        );
      case "intersection":
        return type.members.every((member) => this.#type(member, value, {}));
      default:
        return this.#object(this.shape(type)!, value);
    }
  }

  /** Allows any JSON number for a number beside a boolean. */
  #inUnion(members: readonly TypeExpression[], constraints: Constraints): Constraints {
    const has = (name: string): boolean =>
      members.some((member) => member.kind === "keyword" && member.name === name);
    return has("number") && has("boolean") ? { number: "number", ...constraints } : constraints;
  }

  #object({ properties, index }: Shape, value: unknown): boolean {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
    const own = new Map(Object.entries(value));
    for (const [name, { optional, type, constraints }] of properties) {
      if (!own.has(name)) {
        if (!optional) return false;
      } else if (!this.#type(type, own.get(name), constraints)) return false;
    }
    return index === undefined
      ? true
      : [...own].every(([name, member]) => properties.has(name) || this.#type(index, member, {}));
  }
}

export function reference(name: string): TypeExpression {
  return { kind: "reference", name, span: { line: 0, column: 0, start: 0, end: 0 } };
}

function keyword(name: string, value: unknown, constraints: Constraints): boolean {
  switch (name) {
    case "string":
      return typeof value === "string";
    case "boolean":
      return value === true || value === false;
    case "null":
      return value === null;
    case "never":
      return false;
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "number":
      return (
        typeof value === "number" &&
        (constraints.number === "number" || value % 1 === 0) &&
        value >= (constraints.minimum ?? -Infinity) &&
        value <= (constraints.maximum ?? Infinity)
      );
    default:
      return true;
  }
}
