import { quote } from "../messages/jsonrpc.js";
import { isObject } from "../validation/tests.js";
import { METHOD_DEFAULTS } from "./method-table.js";
import type { Method, Revision } from "./revision.js";

/** A row of a method table without its validators. Members that have their default value are omitted. */
export type RowSummary = Partial<Method> & Pick<Method, "method" | "kind" | "from">;

/** The facts about a revision that are available before its validators and projection are loaded. */
export interface RevisionSummary extends Pick<
  Revision,
  "id" | "traits" | "conventions" | "errorCodes" | "families"
> {
  readonly rows: readonly RowSummary[];
}

/**
 * Creates a revision from a summary, which suffices for negotiation. The rest is loaded before a conversation uses
 * the revision.
 *
 * @param load - imports the module with the complete revision
 */
export function onDemand(
  { rows, ...summary }: RevisionSummary,
  load: () => Promise<{ readonly revision: Revision }>,
): Revision {
  const methods = rows.map((row) => ({ ...METHOD_DEFAULTS, paramsOptional: true, ...row }));
  const revision: Revision = {
    ...summary,
    methods: new Map(methods.map((row) => [row.method, row])),
  };
  return completedBy(revision, async () => (await load()).revision);
}

/**
 * Adds the function `load`, which completes a revision. All callers share its promise. After a rejection, the next call
 * loads the revision again.
 */
export function completedBy(revision: Revision, whole: () => Promise<Revision>): Revision {
  let loading: Promise<void> | undefined;
  const load = (): Promise<void> => {
    loading ??= whole().then(
      (found) => void Object.assign(revision, found, { load: undefined }),
      (error: unknown) => {
        loading = undefined;
        throw new Error(`MCP ${revision.id} could not be loaded`, { cause: error });
      },
    );
    return loading;
  };
  return Object.assign(revision, { load });
}

export function chosenRevisions(
  chosen: readonly (Revision | string)[],
  known: readonly Revision[],
): readonly Revision[] {
  if (!Array.isArray(chosen)) throw new TypeError("revisions must be a list of revisions or ids");
  const whole = chosen.map((one: Revision | string) => {
    const found = typeof one === "string" ? known.find(({ id }) => id === one) : one;
    if (isObject(found)) return found;
    const ids = known.map(({ id }) => id).join(", ") || "imported values only";
    throw new TypeError(`revisions: ${quote(String(one))} is unknown; the known ones are ${ids}`);
  });
  if (whole.length > 0) return whole;
  throw new TypeError("At least one revision is needed: { revisions: [revision] }");
}
