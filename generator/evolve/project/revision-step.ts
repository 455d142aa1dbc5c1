import type * as runtime from "@mcp-codegen/runtime/facade/codegen";

/** Names of drafts or shapes for the parameters and the result of a method. */
export type MethodShapes = runtime.MethodShapes;

/** Differences at one place, and the name of its rule. */
export type Shape = runtime.Shape<string>;

/** Translation between two adjacent revisions. */
export interface RevisionStep {
  /** Id of the newer revision. */
  readonly newer: string;
  readonly older: string;
  readonly step: runtime.Step<string>;
}
