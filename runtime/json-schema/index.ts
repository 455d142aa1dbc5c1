export type { SchemaCheck, SchemaCompiler } from "../features/index.js";
export { CHECKED_FORMATS } from "./assertions.js";
export { compileOwn, jsonSchemas, type JsonSchemasOptions } from "./json-schemas.js";
export {
  DEFAULT_SCHEMA_LIMITS,
  type Dialect,
  DIALECTS,
  SchemaError,
  type SchemaLimits,
  type Trust,
} from "./read/index.js";
