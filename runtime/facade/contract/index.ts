/** Contracts of servers, as `mcp-codegen lock` writes them: `@mcp-codegen/runtime/contract`. */
export { canonicalJson, MAX_LEVELS, sortedEntries } from "./canonical-json.js";
export {
  ANNOTATION_KEYWORDS,
  type DefinitionParts,
  definitionParts,
  PART_NAMES,
  type PartName,
  SCHEMA_MAPS,
} from "./definition-parts.js";
