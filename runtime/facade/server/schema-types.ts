import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { Flat, FromSchema, ObjectFromSchema } from "../../features/index.js";

/**
 * Schema of a library that validates values and has a form as JSON Schema: zod 4, arktype, valibot by means of
 * `toStandardJsonSchema` (Standard Schema, Standard JSON Schema).
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>;
}

/** Schemas by the names of properties, as in `{ city: z.string() }`. */
export type ShapeOfSchemas = Readonly<Record<string, StandardSchema>>;

/** A JSON Schema of the dialect 2020-12, unless it names another one. */
export type JsonSchema = object;

/**
 * Schema in any accepted form: a `StandardSchema`, a `ShapeOfSchemas` or a `JsonSchema`. The type
 * is any object, because with a union the compiler would compare each schema with all three.
 */
export type AnySchema = object;

/**
 * Values that handlers receive for a schema of an object. Most schemas declare the type; others are
 * compared as a whole.
 */
export type SchemaOutput<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : Schema extends StandardSchemaV1<infer _Input, infer Output>
    ? Output
    : Schema extends ShapeOfSchemas
      ? ShapeOutput<Schema>
      : ObjectFromSchema<Schema>;

/** Values that handlers may return for a schema. */
export type SchemaInput<Schema> =
  Schema extends StandardSchemaV1<infer Input, infer _Output>
    ? Input
    : Schema extends ShapeOfSchemas
      ? ShapeInput<Schema>
      : Schema extends { readonly type: "object" }
        ? ObjectFromSchema<Schema, unknown>
        : FromSchema<Schema>;

type ShapeOutput<Shape extends ShapeOfSchemas> = WithOptional<{
  -readonly [Name in keyof Shape]: StandardSchemaV1.InferOutput<Shape[Name]>;
}>;

type ShapeInput<Shape extends ShapeOfSchemas> = WithOptional<{
  -readonly [Name in keyof Shape]: StandardSchemaV1.InferInput<Shape[Name]>;
}>;

/** Members that can be undefined may be left out. */
type WithOptional<Members> = Flat<
  { [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name] } & {
    [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Members[Name];
  }
>;
