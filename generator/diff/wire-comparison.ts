import type { Constraints, TypeExpression } from "../model/schema-model.js";
import type { ConstrainedType, EffectiveMember, EffectiveShape, Shapes } from "../model/shape.js";
import { isAnyJson, isAnyObject } from "../link/type-tests.js";

/** Compares types by the values that are valid on the wire. Names, order and aliases are ignored. */
export class WireComparison {
  readonly #before: Shapes;
  readonly #after: Shapes;
  /** The pairs of names that are being compared. If a pair recurs in a cycle, its types are assumed to be equal. */
  readonly #assumed = new Set<string>();

  constructor(before: Shapes, after: Shapes) {
    this.#before = before;
    this.#after = after;
  }

  same(before: ConstrainedType, after: ConstrainedType): boolean {
    const names = `${nameOf(before.type)} ${nameOf(after.type)}`;
    const isNamed = before.type.kind === "reference" && after.type.kind === "reference";
    if (!isNamed) return this.#compare(before, after);
    if (this.#assumed.has(names)) return true;
    this.#assumed.add(names);
    const same = this.#compare(before, after);
    this.#assumed.delete(names);
    return same;
  }

  sameNamed(before: string, after: string): boolean {
    return this.same({ type: reference(before) }, { type: reference(after) });
  }

  #compare(before: ConstrainedType, after: ConstrainedType): boolean {
    const [x, y] = [resolve(before, this.#before), resolve(after, this.#after)];
    const atoms = [atom(x, this.#before), atom(y, this.#after)];
    if (atoms[0] !== undefined || atoms[1] !== undefined) return atoms[0] === atoms[1];
    const [left, right] = [arms(x, this.#before), arms(y, this.#after)];
    if (left.length > 1 || right.length > 1) {
      return (
        left.every((one) => right.some((other) => this.same(one, other))) &&
        right.every((other) => left.some((one) => this.same(one, other)))
      );
    }
    if (x.type.kind === "array" && y.type.kind === "array") {
      const bounds = sizeText(x.constraints) === sizeText(y.constraints);
      return bounds && this.same({ type: x.type.element }, { type: y.type.element });
    }
    const [one, other] = [this.#before.of(x.type), this.#after.of(y.type)];
    return one !== undefined && other !== undefined && this.#sameShape(one, other);
  }

  #sameShape(before: EffectiveShape, after: EffectiveShape): boolean {
    const [left, right] = [before.members, after.members];
    if (left.size !== right.size) return false;
    for (const [name, member] of left) {
      const other = right.get(name);
      if (!other || other.optional !== member.optional) return false;
      if (!this.#sameMember(member, other)) return false;
    }
    const [one, other] = [typedIndex(before, this.#before), typedIndex(after, this.#after)];
    if (!one || !other) return one === other;
    return this.same({ type: one }, { type: other });
  }

  #sameMember(before: EffectiveMember, after: EffectiveMember): boolean {
    return (
      before.types.length === after.types.length &&
      before.types.every((type, index) => this.same(type, after.types[index]!))
    );
  }
}

function reference(name: string): TypeExpression {
  return { kind: "reference", name, span: { line: 0, column: 0, start: 0, end: 0 } };
}

function nameOf(type: TypeExpression): string {
  return type.kind === "reference" ? type.name : "";
}

/** Resolves aliases and merges their constraints. Outer constraints take precedence. */
function resolve({ type, constraints }: ConstrainedType, shapes: Shapes): ConstrainedType {
  let [current, bounds] = [type, constraints];
  const seen = new Set<string>();
  while (current.kind === "reference" && !seen.has(current.name)) {
    seen.add(current.name);
    const declaration = shapes.declaration(current.name);
    if (declaration?.kind !== "alias") break;
    bounds = { ...declaration.constraints, ...bounds };
    current = declaration.type;
  }
  return { type: current, ...(bounds && { constraints: bounds }) };
}

/** Returns a string that identifies a type without parts, such as a keyword or a literal; undefined for other types. */
function atom({ type, constraints = {} }: ConstrainedType, shapes: Shapes): string | undefined {
  if (isAnyJson(type, shapes)) return "any";
  if (isAnyObject(type, shapes)) return "object";
  const literal = type.kind === "reference" ? undefined : shapes.literal(type);
  if (literal !== undefined) return JSON.stringify(literal);
  if (type.kind !== "keyword") return undefined;
  const { number, format, ...bounds } = constraints;
  const name = type.name === "number" ? (number ?? "integer") : type.name;
  return [name, format ?? "", ...Object.entries(bounds).flat()].join(" ");
}

/**
 * Returns the effective alternatives of a union. A literal is redundant if the union also contains its scalar
 * type.
 */
function arms({ type, constraints }: ConstrainedType, shapes: Shapes): ConstrainedType[] {
  const all = shapes.arms(type);
  const keywords = new Set(
    all.flatMap((arm) => (arm.kind === "keyword" ? [arm.name as string] : [])),
  );
  // In a union with boolean, a number may be any JSON number, including one with a fraction.
  const scalar: Constraints = keywords.has("boolean") ? { number: "number" } : {};
  return all
    .filter((arm) => arm.kind !== "literal" || !keywords.has(typeof arm.value))
    .map((arm) => ({ type: arm, constraints: { ...constraints, ...scalar } }));
}

function sizeText({ minItems, maxItems }: Constraints = {}): string {
  return `${minItems ?? ""}..${maxItems ?? ""}`;
}

/**
 * Finds an index signature that restricts values. Objects are open, so a signature with unknown values does not
 * restrict them.
 */
function typedIndex({ indexes }: EffectiveShape, shapes: Shapes): TypeExpression | undefined {
  return indexes.find(({ type }) => !isAnyJson(type, shapes))?.type;
}
