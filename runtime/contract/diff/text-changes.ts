import { canonicalJson } from "../index.js";
import { isRecord } from "../lock/read-json.js";
import { type EntryChange, token } from "./change.js";

/** A place where two values differ. */
export interface Difference {
  readonly pointer: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Innermost places where two JSON values differ; a value that only one of them has counts as a whole. */
export function differences(before: unknown, after: unknown, pointer = ""): readonly Difference[] {
  const isSame =
    before === after ||
    (before !== undefined && after !== undefined && canonicalJson(before) === canonicalJson(after));
  if (isSame) return [];
  if (!isRecord(before) || !isRecord(after)) return [{ pointer, before, after }];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].toSorted().flatMap((name) => {
    const [one, other] = [before, after].map((all) =>
      Object.hasOwn(all, name) ? all[name] : undefined,
    );
    return differences(one, other, pointer + token(name));
  });
}

/** Changes of texts that a model or a user reads. */
export function textChanges(before: unknown, after: unknown): readonly EntryChange[] {
  return differences(before, after).map(({ pointer, ...both }) => ({
    class: "prose",
    pointer,
    message: `${both.before === undefined ? "new: " : ""}${shortened(both)}`,
  }));
}

/** Old and new text on one line. */
export function shortened({ before, after }: Omit<Difference, "pointer">): string {
  if (before === undefined) return shown(after);
  return after === undefined ? `gone: ${shown(before)}` : `${shown(before)} -> ${shown(after)}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 70 ? `${text.slice(0, 67)}…` : text;
}
