export {
  type CopiedSchema,
  copySchema,
  isNode,
  type Node,
  type Subschema,
  token,
} from "./copy-schema.js";
export { type Compile, deferredSchemas, nativePattern } from "./deferred-schemas.js";
export { DEFAULT_SCHEMA_LIMITS, type SchemaLimits, type Trust } from "./limits.js";
export { resolveReferences, type Targets } from "./references.js";
export { type Dialect, dialectOf, DIALECTS, SchemaError } from "./vocabulary.js";
