import { pointerOf } from "../../tape/json-text.js";

/** Differences of a message from another one. */
export interface Changes {
  /** `added` or `changed`, by the pointer of a value of the new message. */
  readonly marks: ReadonlyMap<string, string>;
  /** Pointers of the values that only the old message has. */
  readonly removed: readonly string[];
}

/** Number of values that are compared. */
const MOST = 20_000;

/** Compares two JSON values: objects member by member, arrays item by item. */
export function changesOf(before: unknown, after: unknown): Changes {
  const marks = new Map<string, string>();
  const removed: string[] = [];
  const waiting: (readonly [string, unknown, unknown])[] = [["", before, after]];
  for (let index = 0; index < waiting.length && index < MOST; index++) {
    const [pointer, old, value] = waiting[index]!;
    if (Object.is(old, value)) continue;
    if (!isContainer(old) || !isContainer(value) || Array.isArray(old) !== Array.isArray(value)) {
      marks.set(pointer, "changed");
      continue;
    }
    for (const name of new Set([...Object.keys(old), ...Object.keys(value)])) {
      const place = pointer + pointerOf([name]);
      if (!Object.hasOwn(value, name)) removed.push(place);
      else if (!Object.hasOwn(old, name)) marks.set(place, "added");
      else waiting.push([place, (old as Members)[name], (value as Members)[name]]);
    }
  }
  return { marks, removed };
}

type Members = Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
