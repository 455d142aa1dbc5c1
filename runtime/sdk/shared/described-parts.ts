import {
  descriptionOf,
  type Shape,
  shapeOf,
  type Shapes,
  type Validator,
} from "@mcp-codegen/runtime/codegen";

/** A described type: a shape, and the table of types to which it refers. */
export interface Part {
  readonly shapes: Shapes;
  readonly shape: Shape;
}

export interface MemberPart extends Part {
  readonly optional: boolean;
}

export function partOf(validator: Validator): Part | undefined {
  const description = descriptionOf(validator);
  return description && named(description.shapes, description.name);
}

function named(shapes: Shapes, name: string): Part | undefined {
  const shape = shapeOf(shapes, name);
  return typeof shape === "function" ? partOf(shape) : resolved({ shapes, shape });
}

function resolved(part: Part): Part | undefined {
  const { shapes, shape } = part;
  return shape.kind === "reference" ? named(shapes, shape.name) : part;
}

/** Returns the members named by an object type, including those from all parts of an intersection. */
export function memberParts(part: Part): ReadonlyMap<string, MemberPart> | undefined {
  const { shapes, shape } = resolved(part) ?? part;
  if (shape.kind === "object") {
    return new Map(
      shape.members.map((one) => [one.name, { shapes, shape: one.shape, optional: one.optional }]),
    );
  }
  if (shape.kind !== "intersection") return undefined;
  const parts = shape.parts.flatMap((one) => [...(memberParts({ shapes, shape: one }) ?? [])]);
  return new Map(parts);
}

export function alternatives(part: Part): readonly Part[] | undefined {
  const { shapes, shape } = resolved(part) ?? part;
  if (shape.kind !== "union") return undefined;
  return shape.arms.map((arm) => ({ shapes, shape: arm }));
}

/** Returns a list that contains a type's only value. The list is empty if the type has several values. */
export function onlyValue(part: Part): readonly unknown[] {
  const { shape } = resolved(part) ?? part;
  if (shape.kind !== "scalar") return [];
  try {
    return [JSON.parse(shape.expected) as unknown];
  } catch {
    return [];
  }
}

/** Describes a type as a JSON Schema. Limits and formats are left out, and additional members are allowed. */
export function jsonSchemaOf(part: Part): object {
  const definitions: Record<string, object> = {};
  const names = new Map<Shape, string>();
  const write = (described: Part): object => {
    const { shapes, shape } = described;
    const inside = (inner: Shape): object => write({ shapes, shape: inner });
    switch (shape.kind) {
      case "reference":
        return refer(described, shape.name);
      case "array":
        return { type: "array", items: inside(shape.element) };
      case "object":
        return {
          type: "object",
          properties: Object.fromEntries(shape.members.map((one) => [one.name, inside(one.shape)])),
          required: shape.members.filter(({ optional }) => !optional).map(({ name }) => name),
          ...(shape.index && { additionalProperties: inside(shape.index) }),
        };
      case "union":
        return { anyOf: shape.arms.map(inside) };
      case "intersection":
        return { allOf: shape.parts.map(inside) };
      case "scalar":
        return scalarSchema(described);
      case "unknown":
        return {};
    }
  };
  const refer = (one: Part, name: string): object => {
    const target = resolved(one);
    if (target === undefined) return {};
    let key = names.get(target.shape);
    if (key === undefined) {
      key = Object.hasOwn(definitions, name) ? `${name}${names.size}` : name;
      names.set(target.shape, key);
      definitions[key] = {};
      definitions[key] = write(target);
    }
    return { $ref: `#/$defs/${key}` };
  };
  const schema = write(resolved(part) ?? part);
  return names.size > 0 ? { ...schema, $defs: definitions } : schema;
}

function scalarSchema(part: Part): object {
  const [value, ...others] = onlyValue(part);
  if (value !== undefined && others.length === 0) return { const: value };
  const [, type] = /^(string|integer|number|boolean)\b/.exec(part.shape.expected) ?? [];
  return type === undefined ? {} : { type };
}
