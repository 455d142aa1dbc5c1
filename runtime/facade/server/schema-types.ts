import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import type { FromSchema, ObjectFromSchema } from "../../features/index.js";

/**
 * A library schema that validates values and can be converted to JSON Schema: zod 4, arktype, or valibot with
 * `toStandardJsonSchema` (Standard Schema, Standard JSON Schema).
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>;
}

/** A JSON Schema in the 2020-12 dialect, unless it names another one. */
export type JsonSchema = object;

/**
 * A schema in any accepted form: a `StandardSchema` or a `JsonSchema`. The type is any object, because with a union,
 * the compiler would compare each schema with both.
 */
export type AnySchema = object;

/**
 * The values that handlers receive for an object schema. Most schemas declare the type in `types`. Others are matched
 * against the `StandardSchemaV1` interface, and JSON Schemas are read by the compiler.
 */
export type SchemaOutput<Schema> = Schema extends {
  readonly "~standard": { readonly types?: { readonly output: infer Output } | undefined };
}
  ? Output
  : Schema extends StandardSchemaV1<infer _Input, infer Output>
    ? Output
    : ObjectFromSchema<Schema>;

/** The values that handlers may return for a schema. */
export type SchemaInput<Schema> =
  Schema extends StandardSchemaV1<infer Input, infer _Output>
    ? Input
    : Schema extends { readonly type: "object" }
      ? ObjectFromSchema<Schema, unknown>
      : FromSchema<Schema>;
