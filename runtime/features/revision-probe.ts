import type { Revision, Trace } from "../wire/index.js";

/** A message with a member of the wrong type, which only a revision that knows the member objects to. */
export interface Probe {
  readonly method: string;
  readonly part: "params" | "result";
  readonly value: unknown;
  /** JSON Pointer to the member. */
  readonly path: string;
}

/** Tells of each revision whether it knows a member: others take anything for an unknown one. Asks each only once. */
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
