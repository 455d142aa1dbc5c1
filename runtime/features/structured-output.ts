import type { Revision } from "../revision.js";
import type { Trace } from "../validation.js";

const known = new WeakMap<Revision, boolean>();

/** A list with a tool whose output is described by what can be no schema. */
const PROBE = { tools: [{ name: "probe", inputSchema: { type: "object" }, outputSchema: 0 }] };

/**
 * Whether tools have an `outputSchema` and results a `structuredContent`, which came together: a revision that does
 * not know them takes anything for an unknown member.
 */
export function hasStructuredOutput(revision: Revision): boolean {
  let answer = known.get(revision);
  if (answer === undefined) {
    const issues: Trace = [];
    revision.methods.get("tools/list")?.result?.(PROBE, issues);
    answer = issues.some(({ path }) => path === "/tools/0/outputSchema");
    known.set(revision, answer);
  }
  return answer;
}
