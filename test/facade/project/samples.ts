import type { TypeExpression } from "../../../generator/model/schema-model.js";
import type { ConstrainedType, EffectiveShape, Shapes } from "../../../generator/model/shape.js";

/** Typical values for places where any JSON is allowed. */
const USUAL: Readonly<Record<string, readonly unknown[]>> = {
  "CallToolResult.structuredContent": [{ answer: 42 }, [1, 2], "text", null],
  "ToolResultContent.structuredContent": [{ answer: 42 }, [1, 2]],
  "Tool.inputSchema": [
    { $schema: "urn:dialect", type: "object", properties: { a: {} }, $defs: {} },
  ],
  "Tool.outputSchema": [{ type: "object", properties: {} }, { type: "array" }],
};

/** Creates values that have every optional member. There are enough of them for each arm of each union to occur. */
export class Samples {
  readonly #shapes: Shapes;
  readonly #open = new Set<string>();

  constructor(shapes: Shapes) {
    this.#shapes = shapes;
  }

  named(name: string): unknown[] {
    const declaration = this.#shapes.declaration(name);
    if (!declaration || declaration.kind === "const") throw new Error(`No type: ${name}`);
    if (this.#open.has(name)) return [];
    this.#open.add(name);
    const shape = this.#shapes.named(name);
    const samples = shape
      ? this.#objects(name, shape)
      : declaration.kind === "alias"
        ? this.#samples(name, declaration)
        : [];
    this.#open.delete(name);
    return samples;
  }

  #samples(place: string, { type, constraints = {} }: ConstrainedType): unknown[] {
    if (USUAL[place]) return [...USUAL[place]];
    const literal = this.#shapes.literal(type);
    if (literal !== undefined) return [literal];
    switch (type.kind) {
      case "keyword":
        return scalars(type.name, constraints.minimum ?? 0);
      case "array":
        return [this.#samples(`${place}[]`, { type: type.element })];
      case "union":
        return this.#arms(type).flatMap((arm) => this.#samples(place, { type: arm }));
      case "reference": {
        const declaration = this.#shapes.declaration(type.name);
        if (declaration?.kind === "alias" && declaration.type.kind === "union") {
          return this.#samples(type.name, { type: declaration.type });
        }
        return this.named(type.name);
      }
      default: {
        const shape = this.#shapes.of(type);
        return shape ? this.#objects(place, shape) : [];
      }
    }
  }

  #arms(type: TypeExpression): readonly TypeExpression[] {
    return this.#shapes.arms(type);
  }

  #objects(place: string, { members, indexes }: EffectiveShape): unknown[] {
    const parts = [...members.values()].map(({ name, from, types }) => {
      const at = `${from === "" ? place : from}.${name}`;
      return [name, this.#samples(at, types[0]!)] as const;
    });
    const [index] = indexes;
    if (index && members.size === 0) {
      const values = this.#samples(`${place}[*]`, { type: index.type });
      return [Object.fromEntries(values.map((value, number) => [`key${number}`, value]))];
    }
    const number = Math.max(1, ...parts.map(([, samples]) => samples.length));
    return Array.from({ length: number }, (_, which) =>
      Object.fromEntries(
        parts.flatMap(([name, samples]) =>
          samples.length > 0 ? [[name, samples[which % samples.length]]] : [],
        ),
      ),
    );
  }
}

function scalars(name: string, minimum: number): unknown[] {
  const values: Readonly<Record<string, readonly unknown[]>> = {
    string: ["text"],
    number: [minimum],
    boolean: [true],
    null: [null],
    object: [{}],
    any: [{}],
    unknown: [{}],
  };
  return [...(values[name] ?? [])];
}
