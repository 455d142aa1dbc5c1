import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { FromSchema, ObjectFromSchema } from "../../features/index.js";

/**
 * Schema of a library that validates values and can be converted to JSON Schema: zod 4, arktype, or valibot with
 * `toStandardJsonSchema` (Standard Schema, Standard JSON Schema).
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>;
}

/** A JSON Schema of the dialect 2020-12, unless it names another one. */
export type JsonSchema = object;

/**
 * Schema in any accepted form: a `StandardSchema` or a `JsonSchema`. The type is any object, because with a union the
 * compiler would compare each schema with both.
 */
export type AnySchema = object;

/**
 * Values that handlers receive for a schema of an object. Most schemas declare the type in `types`; others are
 * matched against the interface `StandardSchemaV1`, and JSON Schemas are read by the compiler.
 */
export type SchemaOutput<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : Schema extends StandardSchemaV1<infer _Input, infer Output>
    ? Output
    : ObjectFromSchema<Schema>;

/** Values that handlers may return for a schema. */
export type SchemaInput<Schema> =
  Schema extends StandardSchemaV1<infer Input, infer _Output>
    ? Input
    : Schema extends { readonly type: "object" }
      ? ObjectFromSchema<Schema, unknown>
      : FromSchema<Schema>;
