import type {
  Constraints,
  Declaration,
  TypeExpression,
} from "../../generator/model/schema-model.js";
import type { Interpreter } from "./interpreter.js";

/** Builds valid values of a type, from the smallest to the largest. */
export class Variants {
  readonly #declarations: ReadonlyMap<string, Declaration>;
  readonly #interpreter: Interpreter;

  constructor(declarations: readonly Declaration[], interpreter: Interpreter) {
    this.#declarations = new Map(
      declarations.map((declaration) => [declaration.name, declaration]),
    );
    this.#interpreter = interpreter;
  }

  of(name: string): readonly unknown[] {
    return this.#named(name, {}, 0);
  }

  #named(name: string, constraints: Constraints, depth: number): readonly unknown[] {
    const declaration = this.#declarations.get(name)!;
    if (declaration.kind === "const") return [declaration.value];
    if (declaration.kind === "alias") {
      return this.#type(declaration.type, { ...declaration.constraints, ...constraints }, depth);
    }
    return this.#object({ kind: "reference", name, span: declaration.span }, depth);
  }

  #type(type: TypeExpression, constraints: Constraints, depth: number): readonly unknown[] {
    switch (type.kind) {
      case "keyword":
        return keyword(type.name, constraints);
      case "literal":
        return [type.value];
      case "typeof":
      case "reference":
        return this.#named(type.name, constraints, depth);
      case "array":
        return this.#array(type.element, constraints, depth);
      case "union":
        return type.members.flatMap((member) => {
          const arms = this.#type(member, constraints, depth + 1);
          return depth > 2 ? arms.slice(0, 1) : [...new Set([arms[0], arms.at(-1)])];
        });
      case "intersection":
        return this.#intersection(type.members, depth);
      default:
        return this.#object(type, depth);
    }
  }

  #array(element: TypeExpression, constraints: Constraints, depth: number): readonly unknown[] {
    if (depth > DEEPEST) return [[]];
    const items = this.#type(element, {}, depth + 1);
    const { minItems = 0, maxItems } = constraints;
    const least = Array.from({ length: minItems }, () => items[0]);
    const full = maxItems === undefined ? items : Array.from({ length: maxItems }, () => items[0]);
    return [least, [items[0]], full];
  }

  /** Merges what the operands need, and leaves out values that turn out not to fit together. */
  #intersection(operands: readonly TypeExpression[], depth: number): readonly unknown[] {
    const parts = operands.map((operand) => this.#type(operand, {}, depth));
    const literal = parts.flat().find((part) => typeof part !== "object" || part === null);
    if (literal !== undefined) return [literal];
    return [0, -1].map((end) =>
      Object.assign({}, ...parts.map((part) => part.at(end))),
    ) as unknown[];
  }

  #object(type: TypeExpression, depth: number): readonly unknown[] {
    const { properties, index } = this.#interpreter.shape(type)!;
    const least: [string, unknown][] = [];
    const most: [string, unknown][] = [];
    const single: [string, unknown][] = [];
    for (const [name, property] of properties) {
      if (property.optional && depth > DEEPEST) continue;
      const values = this.#type(property.type, property.constraints, depth + 1);
      if (values.length === 0) continue;
      if (!property.optional) least.push([name, values[0]]);
      most.push([name, values.at(-1)]);
      if (depth === 0) single.push(...values.map((value): [string, unknown] => [name, value]));
    }
    const members = index && depth <= DEEPEST ? this.#type(index, {}, depth + 1) : [];
    most.push(...members.map((value, key): [string, unknown] => [`key ${key}/~`, value]));
    const surplus: [string, unknown] = ["unknown member", { kept: [null] }];
    return [
      least,
      ...single.map((entry) => [...least, entry]),
      index === undefined ? [...least, surplus] : least,
      most,
    ].map((entries) => Object.fromEntries(entries) as unknown);
  }
}

const DEEPEST = 5;

function keyword(name: string, { number, minimum, maximum }: Constraints): readonly unknown[] {
  switch (name) {
    case "string":
      return ["", "text"];
    case "boolean":
      return [true, false];
    case "null":
      return [null];
    case "never":
      return [];
    case "object":
      return [{}, { any: [1.5, null] }];
    case "number": {
      const fraction = number === "number" ? [((minimum ?? 0) + (maximum ?? 1)) / 2] : [];
      return [minimum ?? 0, ...fraction, maximum ?? 7];
    }
    default:
      return ["any", null, [1.5, {}]];
  }
}
