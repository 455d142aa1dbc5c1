export type { SchemaCheck, SchemaCompiler } from "../features/index.js";
export { type Dialect, DIALECTS } from "./dialects.js";
export { CHECKED_FORMATS } from "./formats.js";
export { jsonSchemas, type JsonSchemasOptions } from "./json-schemas.js";
export { DEFAULT_SCHEMA_LIMITS, type SchemaLimits, type Trust } from "./limits.js";
export { SchemaError } from "./schema-error.js";
