import type { Method } from "../../link/protocol.js";
import type { JsonValue } from "../../link/protocol.js";
import type { Constraints, TypeExpression } from "../../model/schema-model.js";
import type { EffectiveShape, Shapes } from "../../model/shape.js";
import type { Revision } from "./reference.js";

/** A small message of a method, made from its type, as indented JSON. */
export function sampleMessage(method: Method, revision: Revision): string {
  return JSON.stringify(messageOf(method, revision), null, 2);
}

/** A small valid message: the members that are required, with short values. */
export function messageOf(method: Method, { protocol, shapes }: Revision): JsonValue {
  const { envelope } = protocol;
  const own = sample(method.type, shapes);
  if (method.channel === "embedded") return own;
  const frame = sample(
    method.kind === "request" ? envelope.request : envelope.notification,
    shapes,
  );
  if (!isObject(own) || !isObject(frame)) return own;
  const { method: _, ...head } = frame;
  return { ...head, ...own };
}

/** A small value of a declared type. */
export function sample(type: string, shapes: Shapes): JsonValue {
  return valueOf({ kind: "reference", name: type, span: NOWHERE }, shapes, []) ?? null;
}

const NOWHERE = { line: 0, column: 0, start: 0, end: 0 };

/** Depth at which a type that contains itself ends. */
const DEEPEST = 12;

function valueOf(
  type: TypeExpression,
  shapes: Shapes,
  above: readonly string[],
  constraints: Constraints = {},
): JsonValue | undefined {
  if (above.length > DEEPEST) return undefined;
  const pinned = shapes.literal(type);
  if (pinned !== undefined) return pinned;
  const shape = shapes.of(type);
  if (shape) return objectOf(shape, shapes, [...above, nameOf(type)]);
  switch (type.kind) {
    case "keyword":
      return SIMPLE[type.name]?.(constraints);
    case "reference": {
      const declaration = shapes.declaration(type.name);
      if (declaration?.kind !== "alias" || above.includes(type.name)) return undefined;
      const limits = declaration.constraints ?? constraints;
      return valueOf(declaration.type, shapes, [...above, type.name], limits);
    }
    case "array":
      return arrayOf(type.element, shapes, above, constraints);
    case "union":
      return firstOf(type.members, (arm) => valueOf(arm, shapes, above, constraints));
    case "intersection":
      return firstOf(type.members, (arm) => valueOf(arm, shapes, above, constraints));
    default:
      return undefined;
  }
}

function nameOf(type: TypeExpression): string {
  return type.kind === "reference" ? type.name : "";
}

function firstOf<T>(
  items: readonly T[],
  valueFor: (item: T) => JsonValue | undefined,
): JsonValue | undefined {
  for (const item of items) {
    const value = valueFor(item);
    if (value !== undefined) return value;
  }
  return undefined;
}

function arrayOf(
  element: TypeExpression,
  shapes: Shapes,
  above: readonly string[],
  { minItems = 1 }: Constraints,
): JsonValue {
  const item = valueOf(element, shapes, above);
  return item === undefined ? [] : Array.from({ length: Math.max(minItems, 1) }, () => item);
}

/** An object with its required members; undefined if one of them has no small value. */
function objectOf(
  { members }: EffectiveShape,
  shapes: Shapes,
  above: readonly string[],
): JsonValue | undefined {
  const entries: [string, JsonValue][] = [];
  for (const { name, optional, types } of members.values()) {
    if (optional) continue;
    const value = firstOf(
      types.filter(({ type }) => types.length === 1 || shapes.literal(type) !== undefined),
      ({ type, constraints }) => valueOf(type, shapes, above, constraints),
    );
    const known = value ?? firstOf(types, (one) => valueOf(one.type, shapes, above));
    if (known === undefined) return undefined;
    entries.push([name, known]);
  }
  return Object.fromEntries(entries);
}

const SIMPLE: Readonly<Record<string, (constraints: Constraints) => JsonValue>> = {
  string: ({ format, minLength = 1 }) => {
    const known = format === undefined ? undefined : FORMATS[format];
    return known ?? "text".padEnd(minLength, "x");
  },
  number: ({ minimum, maximum }) => Math.min(Math.max(minimum ?? 1, 1), maximum ?? Infinity),
  boolean: () => true,
  null: () => null,
  unknown: () => "text",
  any: () => "text",
  object: () => ({}),
};

const FORMATS: Readonly<Record<string, string>> = {
  uri: "https://example.com/",
  "uri-template": "https://example.com/{name}",
  byte: "aGVsbG8=",
  "date-time": "2000-01-01T00:00:00Z",
  date: "2000-01-01",
  email: "a@example.com",
};

function isObject(value: JsonValue): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
