import type { Revision, Trace } from "../wire/index.js";

/** A message with a member of the wrong type, which only a revision that knows the member refuses. */
interface Probe {
  readonly method: string;
  readonly part: "params" | "result";
  readonly value: unknown;
  /** JSON Pointer to the member. */
  readonly path: string;
}

/** True if a revision knows a member; other revisions accept any value for it. Probes each revision once. */
export function knowsMember({ method, part, value, path }: Probe): (revision: Revision) => boolean {
  const known = new WeakMap<Revision, boolean>();
  return (revision) => {
    let answer = known.get(revision);
    if (answer === undefined) {
      const issues: Trace = [];
      revision.methods.get(method)?.[part]?.(value, issues);
      answer = issues.some((issue) => issue.path === path);
      known.set(revision, answer);
    }
    return answer;
  };
}
