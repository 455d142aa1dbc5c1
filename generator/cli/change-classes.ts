import { CHANGE_CLASSES, type ChangeClass, isAtLeast } from "../diff/changes.js";
import { count, paint, type Style, type Text } from "./text.js";

interface Classified {
  readonly class: ChangeClass;
}

const STYLES: Readonly<Record<ChangeClass, Style>> = {
  breaking: "red",
  dangerous: "yellow",
  prose: "cyan",
  additive: "green",
};

/** The maximum number of changes in the text output; JSON contains all of them. */
const MOST = 200;

export function classLines<Change extends Classified>(
  changes: readonly Change[],
  textOf: (change: Change) => string,
): readonly Text[] {
  const lines = changes.slice(0, MOST).map((change): Text => {
    return ["  ", paint(STYLES[change.class], change.class.padEnd(9)), ` ${textOf(change)}`];
  });
  const rest = changes.length - lines.length;
  return rest > 0
    ? [...lines, paint("dim", `  … ${count(rest, "more change")}; --json has all of them`)]
    : lines;
}

/** Returns a sentence such as `3 changes: 1 breaking, 2 additive.` */
export function classSummary(changes: readonly Classified[]): string {
  const numbers = CHANGE_CLASSES.map((name) => ({
    name,
    number: changes.filter((change) => change.class === name).length,
  })).filter(({ number }) => number > 0);
  if (changes.length === 0) return "Nothing has changed.";
  return `${count(changes.length, "change")}: ${numbers.map(({ name, number }) => `${number} ${name}`).join(", ")}.`;
}

/** Returns true if any change is at least as serious as `limit`, the value of `--fail-on`. */
export function failsOn(changes: readonly Classified[], limit: string): boolean {
  const least = limit === "any" ? "additive" : (limit as ChangeClass);
  return changes.some((change) => isAtLeast(change.class, least));
}
