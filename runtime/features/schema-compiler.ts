import type { Issue } from "../wire/index.js";

/** Tells why a value does not fit a schema; undefined when it does. Never changes the value, never throws. */
export type SchemaCheck = (value: unknown) => readonly Issue[] | undefined;

/**
 * Makes the check of a JSON Schema, once; `jsonSchemas()` of `@mcp-codegen/runtime/json-schema` gives one.
 *
 * @throws TypeError for a schema that is invalid, of an unknown dialect, or refers to what is not in it
 */
export type SchemaCompiler = (schema: object) => SchemaCheck;
