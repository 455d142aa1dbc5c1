import { zodToJsonSchema } from "zod-to-json-schema";
import type { StandardSchemaV1, StandardSchemaWithJSON } from "../../shared/index.js";

type Shape = Readonly<Record<string, Zod3Schema>>;
type Issues = readonly StandardSchemaV1.Issue[];

/**
 * The properties of a zod 3 schema that are used here, because versions up to 3.23 do not implement Standard Schema.
 */
interface Zod3Schema {
  readonly _def: { readonly typeName: string };
  readonly shape?: Shape;
  safeParseAsync(value: unknown): Promise<{ data?: unknown; error?: { issues: Issues } }>;
}

/** True if the value is a zod 3 schema. Later versions store the definition in a different property. */
export function isZod3(value: unknown): value is Zod3Schema {
  const { _def: def } = (value ?? {}) as { _def?: { typeName?: unknown } };
  return typeof def?.typeName === "string";
}

/**
 * Adds a JSON Schema, in the form that version 1 of the SDK lists, to a zod 3 schema or a record of such schemas. Other
 * values are returned unchanged.
 */
export function withJsonSchema(schema: unknown): unknown {
  if (isZod3(schema)) return standardSchema(schema, schema.shape, parserOf(schema));
  if (!isShapeOfZod3(schema)) return schema;
  return standardSchema(objectOf(schema), schema, parserOfShape(schema));
}

/**
 * Returns a schema's Standard Schema. Its `shape` property gives access to the functions that suggest values for
 * properties.
 */
function standardSchema(
  schema: object,
  shape: Shape | undefined,
  validate: StandardSchemaV1.Props["validate"],
): StandardSchemaWithJSON & { readonly shape?: Shape | undefined } {
  const json = (pipeStrategy: "input" | "output") => () =>
    zodToJsonSchema(schema as never, { strictUnions: true, pipeStrategy }) as Record<
      string,
      unknown
    >;
  const jsonSchema = { input: json("input"), output: json("output") };
  return { shape, "~standard": { version: 1, vendor: "zod", validate, jsonSchema } };
}

function isShapeOfZod3(value: unknown): value is Shape {
  if (typeof value !== "object" || value === null || "~standard" in value) return false;
  const members = Object.values(value);
  return members.length > 0 && members.every(isZod3);
}

/** Returns an object that resembles an object schema. Only the user's own copy of zod could create a real one. */
function objectOf(shape: Shape): object {
  const catchall = { _def: { typeName: "ZodNever" } };
  return {
    _def: { typeName: "ZodObject", unknownKeys: "strip", catchall, shape: () => shape },
  };
}

function parserOf(
  schema: Zod3Schema,
): (value: unknown) => Promise<StandardSchemaV1.Result<unknown>> {
  return async (value) => {
    const { data, error } = await schema.safeParseAsync(value);
    return error ? { issues: error.issues } : { value: data };
  };
}

/** Returns an object parser. Properties that are not in the shape are dropped. */
function parserOfShape(shape: Shape): StandardSchemaV1.Props["validate"] {
  const parsers = Object.entries(shape).map(([name, schema]) => [name, parserOf(schema)] as const);
  return async (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { issues: [{ message: "Expected object" }] };
    const object = value as Record<string, unknown>;
    const issues: StandardSchemaV1.Issue[] = [];
    const members: [string, unknown][] = [];
    for (const [name, parse] of parsers) {
      const result = await parse(Object.hasOwn(object, name) ? object[name] : undefined);
      for (const { message, path = [] } of result.issues ?? [])
        issues.push({ message, path: [name, ...path] });
      if ("value" in result && (result.value !== undefined || name in object))
        members.push([name, result.value]);
    }
    return issues.length > 0 ? { issues } : { value: Object.fromEntries(members) };
  };
}
