import type { ProjectionTable } from "../evolve/project/projection-table.js";
import type { Protocol } from "../link/protocol.js";

/** What is going to be written for the package that serves several revisions. */
export interface UniversalPlan {
  /** `@mcp-codegen/universal` */
  readonly packageName: string;
  /** Of the generator, and so of the package. */
  readonly version: string;
  /** Oldest first. */
  readonly protocols: readonly Protocol[];
  /** The revision that handlers are written for. */
  readonly newest: string;
  /** Of all but the newest. */
  readonly tables: readonly ProjectionTable[];
  /** The revisions are those that come with the generator. */
  readonly isAll: boolean;
  /** Schemas that do not come with the generator, by revision. */
  readonly ownSchemas: readonly string[];
}
