import { type Trace, type Validator, isObject } from "../wire/index.js";
import type { SchemaCheck, SchemaCompiler } from "./schema-compiler.js";

/** Source of schema checks: a compiler, or `unchecked` when the user decided to do without. */
export type Schemas = SchemaCompiler | "unchecked" | undefined;

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

/** @throws TypeError for what makes no checks */
export function assertSchemas(schemas: unknown): asserts schemas is Schemas {
  const isGiven = schemas !== undefined && schemas !== "unchecked";
  if (isGiven && typeof schemas !== "function") {
    throw new TypeError('schemas is jsonSchemas() or "unchecked"');
  }
}

/** Makes a check of a validator, such as the ones that mcp-codegen generates. */
export function checkedBy(validator: Validator): SchemaCheck {
  return (value) => {
    if (validator(value)) return undefined;
    const trace: Trace = [];
    validator(value, trace);
    return trace;
  };
}

/**
 * The check of a schema; undefined when there is nothing to be checked beyond that it is an object.
 *
 * @param whose - for messages: `the inputSchema of "add"`
 * @throws TypeError when the schema cannot be used, or nothing was given to check it with
 */
export function checkOf(schema: object, schemas: Schemas, whose: string): SchemaCheck | undefined {
  if (schemas === "unchecked") return undefined;
  const isTrivial = demandsNothing(schema);
  if (schemas === undefined) {
    if (isTrivial) return undefined;
    throw new TypeError(
      `Nothing can check ${whose}: pass schemas: jsonSchemas() from @mcp-codegen/runtime/json-schema, ` +
        `a check of your own beside the definition, or schemas: "unchecked" to do without`,
    );
  }
  try {
    const check = schemas(schema);
    if (typeof check !== "function" || typeof check({}) === "function") {
      throw new TypeError("schemas makes no checks; call it first: schemas: jsonSchemas()");
    }
    return isTrivial ? undefined : check;
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new TypeError(`${whose} cannot be used: ${problem}`, { cause: error });
  }
}

/** True when the schema admits every object. */
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
