import type * as runtime from "@mcp-codegen/runtime/facade/codegen";

/** Names of drafts or shapes, of the parameters and the result of a method. */
export type MethodShapes = runtime.MethodShapes;

/** Differences at one place, with a rule by its name. */
export type Shape = runtime.Shape<string>;

/** Translation between two neighbouring revisions. */
export interface RevisionStep {
  /** Id of the newer revision. */
  readonly newer: string;
  readonly older: string;
  readonly step: runtime.Step<string>;
}
