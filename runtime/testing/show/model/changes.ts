import { type Difference, differencesOf } from "../../tape/json-value.js";

/** Differences of a message from an earlier form of it. */
export interface Changes {
  /** `added` or `changed`, by the pointers of values in the new message. */
  readonly marks: ReadonlyMap<string, string>;
  /** Pointers of the values that only the old message has. */
  readonly removed: readonly string[];
}

/** Compares two JSON values: objects member by member, arrays item by item. */
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
