import type { Change } from "../../output/compare.js";
import { unifiedDiff } from "../../output/unified-diff.js";
import type { Outcome } from "../outcome.js";
import { paint, type Text } from "../text.js";
import { bytesOf, count, showBytes, showTime } from "../units.js";
import type { Generation } from "./generation.js";
import { checkLines, dryRunLines, legend, writeLines } from "./report-lines.js";

export type Mode = "write" | "check" | "dry-run";

/** A generation whose differences were made visible, once for all readers. */
export interface RunReport extends Generation {
  /** Unified diffs; of `--check` only. */
  readonly diffs: ReadonlyMap<Change, string>;
}

const LINES: Readonly<Record<Mode, (reported: RunReport) => readonly Text[]>> = {
  write: writeLines,
  check: checkLines,
  "dry-run": dryRunLines,
};

/** Facts of a run that are not about its files. */
export interface RunFigures {
  readonly milliseconds: number;
  /** Package that has to be installed before the code runs. */
  readonly missing: string | undefined;
}

/** Tells what a run did, found or would do. */
export function report(
  generations: readonly Generation[],
  mode: Mode,
  { milliseconds, missing }: RunFigures,
): Outcome {
  const reported = generations.map((generation) => ({
    ...generation,
    diffs: diffsOf(generation, mode),
  }));
  const all = generations.flatMap(({ changes }) => changes);
  const differing = all.filter(({ status }) => status !== "unchanged");
  const generated = all.flatMap(({ after }) => after ?? []);
  const bytes = generated.reduce((sum, text) => sum + bytesOf(text), 0);
  const size = `${count(generated.length, "file")}, ${showBytes(bytes)}, ${showTime(milliseconds)}`;
  return {
    data: {
      mode,
      outputs: reported.map(toJson),
      summary: { files: generated.length, bytes, milliseconds: Math.round(milliseconds) },
      ...(missing !== undefined && { missing }),
    },
    lines: reported.flatMap((each) => LINES[mode](each)),
    summary: [
      summarize(mode, differing, size),
      missing === undefined ? "" : `\nBefore it runs: npm install ${missing}`,
    ],
    drift: mode === "check" && differing.length > 0,
  };
}

function diffsOf({ changes }: Generation, mode: Mode): ReadonlyMap<Change, string> {
  const shown = mode === "check" ? changes.filter(({ status }) => status !== "unchanged") : [];
  return new Map(shown.map((change) => [change, unifiedDiff(change)]));
}

function toJson({ target, changes, diffs }: RunReport): object {
  return {
    revision: target.revision,
    ...(target.extension !== undefined && { extension: target.extension }),
    ...(target.contract !== undefined && { contract: target.contract }),
    folder: target.folder.path,
    files: changes.map((change) => ({
      path: change.path,
      status: change.status,
      ...(change.after !== undefined && { bytes: bytesOf(change.after) }),
      ...(change.note !== undefined && { note: change.note }),
      ...(diffs.has(change) && { diff: diffs.get(change) }),
    })),
  };
}

function summarize(mode: Mode, differing: readonly Change[], size: string): Text {
  if (mode === "dry-run") return `Nothing was written (${size}).`;
  if (mode === "write" || differing.length === 0) return `Done (${size}).`;
  const number = count(differing.length, "file");
  const isBlocked = differing.some(({ status }) => status === "foreign");
  const force = differing.some(({ losesEdits }) => losesEdits) ? " with --force" : "";
  const advice = isBlocked
    ? `Move the foreign ones away; then the same command without --check${force && ` and${force}`} updates the others.`
    : `The same command without --check${force && `, and${force},`} updates them.`;
  return [legend(differing), paint("bold", `${number} out of step`), ` (${size}). ${advice}`];
}
