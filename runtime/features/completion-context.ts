import type { Revision } from "../revision.js";
import type { Trace } from "../validation.js";

const known = new WeakMap<Revision, boolean>();

/** A request whose context can be none. */
const PROBE = {
  ref: { type: "ref/prompt", name: "" },
  argument: { name: "", value: "" },
  context: 0,
};

/** Whether completers learn of other arguments; a revision that does not know them checks nothing about them. */
export function hasCompletionContext(revision: Revision): boolean {
  let answer = known.get(revision);
  if (answer === undefined) {
    const issues: Trace = [];
    revision.methods.get("completion/complete")?.params?.(PROBE, issues);
    answer = issues.some(({ path }) => path === "/context");
    known.set(revision, answer);
  }
  return answer;
}
