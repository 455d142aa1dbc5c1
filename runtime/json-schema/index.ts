export type { SchemaCheck, SchemaCompiler } from "../features/index.js";
export { CHECKED_FORMATS } from "./assertions.js";
export { jsonSchemas, type JsonSchemasOptions } from "./json-schemas.js";
export { DEFAULT_SCHEMA_LIMITS, type SchemaLimits, type Trust } from "./limits.js";
export { type Dialect, DIALECTS, SchemaError } from "./vocabulary.js";
