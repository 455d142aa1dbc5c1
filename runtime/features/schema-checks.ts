import { type Issue, type Trace, type Validator, isObject } from "../wire/index.js";
import { sentence } from "../ground/index.js";

/**
 * Returns the reasons why a value violates a schema, or undefined if it is valid. Never changes the value and never
 * throws.
 */
export type SchemaCheck = (value: unknown) => readonly Issue[] | undefined;

/**
 * Compiles a JSON Schema to a check. `jsonSchemas()` from `@mcp-codegen/runtime/json-schema` returns such a function.
 *
 * @throws TypeError if the schema is invalid, has an unknown dialect, or has a reference that cannot be resolved
 */
export type SchemaCompiler = (schema: object) => SchemaCheck;

/** A check whose code may have to be loaded first, in which case it returns a promise. */
export type DeferredCheck = (
  value: unknown,
) => readonly Issue[] | undefined | Promise<readonly Issue[] | undefined>;

/**
 * Compiles a JSON Schema, as a {@link SchemaCompiler} does, to a check that may load its code when it is first called.
 */
export type DeferredCompiler = (schema: object) => DeferredCheck;

/** The source of schema checks: a compiler, or `unchecked` to check nothing. */
export type Schemas = DeferredCompiler | "unchecked" | undefined;

const ANNOTATIONS: ReadonlySet<string> = new Set([
  "$comment",
  "$id",
  "$schema",
  "default",
  "deprecated",
  "description",
  "examples",
  "readOnly",
  "title",
  "writeOnly",
]);

export function assertSchemas(schemas: unknown): asserts schemas is Schemas {
  const isGiven = schemas !== undefined && schemas !== "unchecked";
  if (isGiven && typeof schemas !== "function") {
    throw new TypeError('schemas must be jsonSchemas() or "unchecked"');
  }
}

/** Converts a validator, such as a generated one, into a check. */
export function checkedBy(validator: Validator): SchemaCheck {
  return (value) => {
    if (validator(value)) return undefined;
    const trace: Trace = [];
    validator(value, trace);
    return trace;
  };
}

/**
 * Returns the check for a schema, or undefined if there is nothing to check.
 *
 * @param whose - the schema's owner, as named in errors: `the inputSchema of "add"`
 * @throws TypeError if the schema cannot be used, or no compiler was passed
 */
export function checkOf(
  schema: object,
  schemas: Schemas,
  whose: string,
): DeferredCheck | undefined {
  if (schemas === "unchecked") return undefined;
  const isTrivial = demandsNothing(schema);
  if (schemas === undefined) {
    if (isTrivial) return undefined;
    throw new TypeError(
      `There is no validator for ${whose}: pass schemas: jsonSchemas() from @mcp-codegen/runtime/json-schema, ` +
        `your own check along with the definition, or schemas: "unchecked" to skip validation`,
    );
  }
  try {
    const check = schemas(schema);
    const isCompiler = schemas.length === 0 && typeof check === "function";
    if (typeof check !== "function" || (isCompiler && typeof check({}) === "function")) {
      throw new TypeError("schemas must be the result of a call: schemas: jsonSchemas()");
    }
    return isTrivial ? undefined : check;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${sentence(whose)} cannot be used: ${problem}`, { cause: error });
  }
}

function demandsNothing(schema: object): boolean {
  return Object.entries(schema).every(([keyword, value]) => {
    if (value === undefined || ANNOTATIONS.has(keyword)) return true;
    switch (keyword) {
      case "type":
        return value === "object";
      case "properties":
        return isObject(value) && Object.keys(value).length === 0;
      case "required":
        return Array.isArray(value) && value.length === 0;
      case "additionalProperties":
        return value === true;
      default:
        return false;
    }
  });
}
