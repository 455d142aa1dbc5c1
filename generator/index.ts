/**
 * The generator as a library. `generate` runs all stages, from a schema to files; each stage is also exported
 * separately. Each stage is a pure function that adds its errors to `Diagnostics`, except that `load` and `write`
 * access the disk.
 */
export {
  type BundledExtension,
  bundledExtension,
  bundledExtensions,
  type BundledRevision,
  bundledRevision,
  bundledRevisions,
} from "./bundled/bundled.js";
export { type Config, defineConfig, type ExtensionConfig } from "./config/config.js";
export { type Diagnostic, Diagnostics, type Span } from "./diagnostics.js";
export { diff } from "./diff/diff.js";
export type { ProtocolDiff } from "./diff/protocol-diff.js";
export { emit } from "./emit/emit.js";
export type { Evolution } from "./evolve/evolution.js";
export { evolve } from "./evolve/evolve.js";
export { project } from "./evolve/project/project.js";
export type { RevisionStep } from "./evolve/project/draft.js";
export { apiDigest } from "./fingerprint/api-digest.js";
export { wireDigest } from "./fingerprint/wire-digest.js";
export { format } from "./format/format.js";
export { generate, type GenerateInput } from "./generate.js";
export { generateExtension, type GenerateExtensionInput } from "./generate-extension.js";
export { generateUniversal } from "./generate-universal.js";
export type { Facts } from "./link/facts.js";
export type { FactRow, InheritedFacts } from "./link/facts.js";
export { link, type LinkOptions } from "./link/link.js";
export type * from "./link/protocol.js";
export { readFacts } from "./link/read-facts.js";
export { load } from "./load/load.js";
export { type SourceOptions, sourceFromBytes } from "./load/source-from-bytes.js";
export type { Source } from "./load/source.js";
export { model, type ModelOptions } from "./model/model.js";
export type * from "./model/schema-model.js";
export { type EffectiveShape, Shapes } from "./model/shape.js";
export { type Change, type ChangeStatus, compare } from "./output/compare.js";
export { type Inventory, type OutputFolder, readInventory } from "./output/inventory.js";
export { unifiedDiff } from "./output/unified-diff.js";
export { write } from "./output/write.js";
export type { OutputFile } from "./plan/file-plan.js";
export { plan, type PlanOptions } from "./plan/plan.js";
export type { RevisionPlan } from "./plan/revision-plan.js";
export { renderReport, type RenderOptions, type ReportOptions } from "./report/report.js";
