import type { StandardJSONSchemaV1, StandardSchemaV1 } from "@standard-schema/spec";
import { revisions } from "@mcp-codegen/universal";
import { ProtocolError, ProtocolErrorCode } from "./errors.js";
import { jsonSchemas } from "@mcp-codegen/runtime/json-schema";

export type { StandardJSONSchemaV1, StandardSchemaV1 };

/** A schema that also provides its JSON Schema. */
export interface StandardSchemaWithJSON<Input = unknown, Output = Input> {
  readonly "~standard": StandardSchemaV1.Props<Input, Output> &
    StandardJSONSchemaV1.Props<Input, Output>;
}
export declare namespace StandardSchemaWithJSON {
  /** The input type of a schema. */
  export type InferInput<Schema extends StandardSchemaV1> = StandardSchemaV1.InferInput<Schema>;
  /** The output type of a schema. */
  export type InferOutput<Schema extends StandardSchemaV1> = StandardSchemaV1.InferOutput<Schema>;
}

/** A schema with a synchronous `validate`. */
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

/** JSON Schema. */
export type JsonSchemaType = Record<string, unknown>;
/** The result of validating a value with a JSON Schema. */
export type JsonSchemaValidatorResult<Output> =
  | { valid: true; data: Output; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };
/** A function that validates values with one JSON Schema. */
export type JsonSchemaValidator<Output> = (input: unknown) => JsonSchemaValidatorResult<Output>;
/** A compiler for JSON Schemas. */
export interface jsonSchemaValidator {
  getValidator<Output>(schema: JsonSchemaType): JsonSchemaValidator<Output>;
}

/** True if the value is a schema from any library that implements Standard Schema. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  return (
    ((typeof value === "object" && value !== null) || typeof value === "function") &&
    "~standard" in value
  );
}

/**
 * Parses a value with a schema and returns the output.
 *
 * @throws ProtocolError -32602 if the value violates the schema
 */
export async function parsedBy(
  schema: StandardSchemaV1,
  value: unknown,
  what?: string,
): Promise<unknown> {
  const result = await schema["~standard"].validate(value);
  if (!result.issues) return result.value;
  const problems = result.issues.map(({ path = [], message }) => {
    const place = path.map((step) => String(typeof step === "object" ? step.key : step)).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    (what === undefined ? "" : `Invalid ${what}: `) + problems.join(", "),
  );
}

/** True if no revision defines the method. */
export function isCustom(method: string): boolean {
  return !revisions.some(({ methods }) => methods.has(method));
}

/** A schema for one method's messages. In version 1, it determines the method for which a handler is set. */
export interface MessageSchema {
  readonly shape?: unknown;
  readonly method?: unknown;
}

/**
 * Returns the method that a message schema states as a literal.
 *
 * @throws TypeError if the schema does not state one
 */
export function methodOf(schema: object): string {
  const { method: own, shape = inside(schema)?.["shape"] } = schema as MessageSchema;
  const members = typeof shape === "function" ? (shape as () => unknown)() : shape;
  const member = (members as { method?: unknown } | undefined)?.method;
  const method = typeof own === "string" ? own : literalOf(member);
  if (typeof method === "string") return method;
  throw new TypeError("The schema of a message needs a literal as its method");
}

/** Returns the value of a literal schema. Versions of zod store it in different properties. */
function literalOf(schema: unknown): unknown {
  const { value, _def, def = inside(schema) } = (schema ?? {}) as Record<string, ZodDefinition>;
  return value ?? _def?.["value"] ?? (def?.["values"] as unknown[] | undefined)?.[0];
}

type ZodDefinition = Readonly<Record<string, unknown>>;

function inside(schema: unknown): ZodDefinition | undefined {
  return (schema as { _zod?: { def?: ZodDefinition } } | undefined)?._zod?.def;
}

/**
 * Returns a Standard Schema that validates values with a JSON Schema.
 *
 * @param validator - replaces the built-in validator
 * @throws TypeError if the schema cannot be compiled
 */
export function fromJsonSchema<Value = unknown>(
  schema: JsonSchemaType,
  validator?: jsonSchemaValidator,
): StandardSchemaWithJSON<Value, Value> {
  return {
    "~standard": {
      version: 1,
      vendor: "mcp-codegen",
      jsonSchema: { input: () => schema, output: () => schema },
      validate: validator ? checkWith<Value>(validator, schema) : ownCheck<Value>(schema),
    },
  };
}

type Check<Value> = (value: unknown) => StandardSchemaV1.Result<Value>;

function checkWith<Value>(validator: jsonSchemaValidator, schema: JsonSchemaType): Check<Value> {
  const check = validator.getValidator<Value>(schema);
  return (value) => {
    const outcome = check(value);
    return outcome.valid
      ? { value: outcome.data }
      : { issues: [{ message: outcome.errorMessage }] };
  };
}

function ownCheck<Value>(schema: JsonSchemaType): Check<Value> {
  const check = jsonSchemas()(schema);
  return (value) => {
    const issues = check(value);
    if (issues === undefined) return { value: value as Value };
    return {
      issues: issues.map(({ path, expected, received }) => ({
        message: `expected ${expected}, received ${received}`,
        path: path.split("/").slice(1),
      })),
    };
  };
}
