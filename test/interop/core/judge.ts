import type { Expected } from "./manifest.js";
import type { Step, Visit } from "./visit.js";

/** The visits to one server: one by our client, and those by official clients under their names. */
export interface Visits {
  readonly ours: Visit;
  readonly official: Readonly<Record<string, Visit>>;
}

export interface Verdict {
  /** The steps that an official client passes and ours unexpectedly fails. */
  readonly failures: readonly string[];
  /** Expected failures that no longer happen. */
  readonly stale: readonly string[];
  readonly remarks: readonly string[];
}

/** Compares our visit with those of the official clients, step by step. */
export function judge({ ours, official }: Visits, expected: Expected = {}): Verdict {
  const rivals = Object.entries(official);
  const failures: string[] = [];
  const remarks: string[] = [];
  const excused = new Set<string>();
  const names = new Set(
    [ours, ...Object.values(official)].flatMap(({ steps }) => Object.keys(steps)),
  );
  for (const name of names) {
    const mine = ours.steps[name];
    const better = rivals.filter(([, { steps }]) => isBetter(steps[name], mine));
    if (better.length === 0) {
      if (mine?.ok === false) remarks.push(`nobody: ${shown(name, mine)}`);
      else remarks.push(...weaknesses(name, mine, rivals));
      continue;
    }
    const failure = `${shown(name, mine)} (${better.map(([rival]) => rival).join(", ")}: ${said(better[0]![1].steps[name]!)})`;
    const reason = expected[name];
    if (reason === undefined) failures.push(failure);
    else remarks.push(`${name}: ${reason}`);
    excused.add(name);
  }
  if (![ours, ...Object.values(official)].some(({ steps }) => steps["connect"]?.ok))
    failures.push(`no client connects: ${ours.steps["connect"]?.note}`);
  const stale = Object.keys(expected)
    .filter((name) => !excused.has(name))
    .map((name) => `"${name}" is expected to fail, but passes: remove it from the manifest`);
  return { failures, stale, remarks };
}

/** Returns true if a rival passes a step that we fail, or finds more than we do. */
function isBetter(theirs: Step | undefined, mine: Step | undefined): boolean {
  if (!theirs?.ok) return false;
  if (!mine?.ok) return true;
  return (theirs.count ?? 0) > (mine.count ?? 0);
}

function weaknesses(
  name: string,
  mine: Step | undefined,
  rivals: readonly (readonly [string, Visit])[],
): string[] {
  const failed = rivals.filter(([, { steps }]) => steps[name]?.ok === false);
  if (mine === undefined || failed.length === 0) return [];
  const names = failed.map(([rival]) => rival).join(", ");
  return [`${names}: ${shown(name, failed.at(-1)![1].steps[name])}`];
}

const said = (step: Step): string =>
  [step.count, step.note].filter((part) => part !== undefined).join(" ") || "passes";

function shown(name: string, step: Step | undefined): string {
  return `${name}: ${step === undefined ? "not reached" : said(step)}`;
}

/** Returns how many of all steps passed, such as `9/10`. */
export function score({ steps }: Visit): string {
  const all = Object.values(steps);
  return `${all.filter(({ ok }) => ok).length}/${all.length}`;
}
