import { type Difference, differencesOf } from "../../tape/json-value.js";

export interface Changes {
  /** `added` or `changed`, keyed by the pointers to values in the new message. */
  readonly marks: ReadonlyMap<string, string>;
  /** The pointers to the values that only the old message has. */
  readonly removed: readonly string[];
}

export function changesOf(before: unknown, after: unknown): Changes {
  const differences = differencesOf(before, after);
  const removed = differences.filter(({ received }) => received === undefined);
  const others = differences.filter(({ received }) => received !== undefined);
  return {
    marks: new Map(others.map((one) => [one.pointer, markOf(one)])),
    removed: removed.map(({ pointer }) => pointer),
  };
}

function markOf({ expected }: Difference): string {
  return expected === undefined ? "added" : "changed";
}
