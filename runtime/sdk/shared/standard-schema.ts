import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";

export type { StandardJSONSchemaV1, StandardSchemaV1 };

/** A schema that also says how it looks as JSON Schema. */
export interface StandardSchemaWithJSON<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>;
}
export declare namespace StandardSchemaWithJSON {
  /** Values that a schema accepts. */
  export type InferInput<Schema extends StandardSchemaV1> = StandardSchemaV1.InferInput<Schema>;
  /** Values that a schema makes of those that it accepts. */
  export type InferOutput<Schema extends StandardSchemaV1> = StandardSchemaV1.InferOutput<Schema>;
}

/** A schema whose `validate` answers at once. */
export interface StandardSchemaV1Sync<Input = unknown, Output = Input> extends StandardSchemaV1<
  Input,
  Output
> {
  readonly "~standard": Omit<StandardSchemaV1.Props<Input, Output>, "validate"> & {
    readonly validate: (
      value: unknown,
      options?: StandardSchemaV1.Options | undefined,
    ) => StandardSchemaV1.Result<Output>;
  };
}

/** A JSON Schema. */
export type JsonSchemaType = Record<string, unknown>;
/** Outcome of a check with a JSON Schema. */
export type JsonSchemaValidatorResult<Output> =
  | { valid: true; data: Output; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };
/** Checks values with one JSON Schema. */
export type JsonSchemaValidator<Output> = (input: unknown) => JsonSchemaValidatorResult<Output>;
/** Compiles JSON Schemas. */
export interface jsonSchemaValidator {
  getValidator<Output>(schema: JsonSchemaType): JsonSchemaValidator<Output>;
}
