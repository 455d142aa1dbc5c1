/**
 * Server contracts, as written by `mcp-codegen lock`: the functions that generated code calls, and the `contractGuard`
 * plugin.
 */
export { canonicalJson, MAX_LEVELS, sortedEntries } from "./json.js";
export {
  type CallOptions,
  ContractCalls,
  type ContractCallsOptions,
  type ContractClient,
  type ToolCall,
  type ToolCallOutcome,
} from "./contract-calls.js";
export { ContractDriftError, type DriftChange } from "./contract-drift.js";
export { CONTRACT_LISTS, type ContractList } from "./families.js";
export type { ContractChecks, ContractValidators, ToolValidators } from "./contract-error.js";
export { ContractError, ToolCallError } from "./contract-error.js";
export {
  ANNOTATION_KEYWORDS,
  type DefinitionParts,
  definitionParts,
  PART_NAMES,
  type PartName,
  SCHEMA_MAPS,
} from "./definition-parts.js";
export { type ContractHandlers, implementContract } from "./implement-contract.js";
export { lastingDefinition } from "./server-contract.js";
export { type ContractGuardOptions, contractGuard, type OnDrift } from "./contract-guard.js";
export type { ChangeClass } from "./diff/change.js";
export type {
  ContractDefinition,
  ContractEntry,
  ContractScope,
  ServerContract,
} from "./server-contract.js";
