import type { Change, ChangeStatus } from "../../output/compare.js";
import { unifiedDiff } from "../../output/unified-diff.js";
import { inheritedLines, inheritedToJson } from "../inherited-facts.js";
import type { Outcome } from "../outcome.js";
import { bytesOf, count, paint, showBytes, showTime, type Style, type Text } from "../text.js";
import type { Generation, MissingPackages } from "./generation.js";
import { join, relative, resolve } from "node:path";
import { VENDOR } from "../../bundled/clone.js";
import { inputOf } from "../../output/paths.js";

export type Mode = "write" | "check" | "dry-run";

/** A generation together with its diffs, which are computed once for all output formats. */
export interface RunReport extends Generation {
  /** The unified diffs; only with `--check`. */
  readonly diffs: ReadonlyMap<Change, string>;
}

const LINES: Readonly<Record<Mode, (reported: RunReport) => readonly Text[]>> = {
  write: writeLines,
  check: checkLines,
  "dry-run": dryRunLines,
};

export interface RunFigures {
  readonly milliseconds: number;
  readonly missing: MissingPackages | undefined;
  /** The folders of the packages that are installed from archives in their vendor folders. */
  readonly vendored: readonly string[];
  /** The file name of the runtime's archive in the vendor folders. */
  readonly archive?: string | undefined;
}

export function report(
  generations: readonly Generation[],
  mode: Mode,
  { milliseconds, missing, vendored, archive }: RunFigures,
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
      ...(missing !== undefined && { missing: missing.names.join(" ") }),
      ...(vendored.length > 0 && { vendored }),
    },
    lines: reported.flatMap((each) => [
      ...LINES[mode](each),
      ...(each.inherited ? inheritedLines(each.inherited) : []),
    ]),
    summary: [
      summarize(mode, differing, size),
      missing === undefined ? "" : `\nBefore it runs: ${missing.commands}`,
      nextSteps(generations, vendored, archive),
    ],
    drift: mode === "check" && differing.length > 0,
  };
}

/** Returns the commands for trying out the last package, after those for building the packages beside it that it needs. */
function nextSteps(
  generations: readonly Generation[],
  folders: readonly string[],
  archive: string | undefined,
): string {
  const folder = folders.at(-1);
  if (folder === undefined) return "";
  let here: string | undefined;
  const stepTo = (place: string): string =>
    `cd ${here === undefined ? place : relative(here, place)}`;
  const needed = generations
    .filter(({ target }) => target.folder.path === folder)
    .flatMap(besideOf);
  const builds = needed.flatMap((place) => {
    const step = stepTo(place);
    here = place;
    return [step, "npm install", "npm run build"];
  });
  const steps = [...builds, stepTo(folder), "npm install", "npm test"];
  const path = resolve(folder);
  const runtime = archive === undefined ? "" : ` ${join(path, VENDOR, archive)}`;
  const use = `\nThen, in your project:\n  npm install ${path}${runtime}`;
  return `\nNext:\n  ${steps.join("\n  ")}${use}`;
}

/** Returns the folders of the packages on which a package depends by a path, because they have no archives. */
function besideOf({ target, changes }: Generation): readonly string[] {
  const text = changes.find(({ path }) => path === "package.json")?.after ?? "{}";
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
  return Object.values(dependencies)
    .filter((range) => range.startsWith("file:../"))
    .map((range) => join(target.folder.path, range.slice("file:".length)));
}

function diffsOf({ changes }: Generation, mode: Mode): ReadonlyMap<Change, string> {
  const shown = mode === "check" ? changes.filter(({ status }) => status !== "unchanged") : [];
  return new Map(shown.map((change) => [change, unifiedDiff(change)]));
}

function toJson({ target, changes, diffs, inherited }: RunReport): object {
  return {
    revision: target.revision,
    ...(target.extension !== undefined && { extension: target.extension }),
    ...(target.contract !== undefined && { contract: target.contract }),
    folder: target.folder.path,
    ...(inherited && { inherited: inheritedToJson(inherited) }),
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
  return [legend(differing), paint("bold", `${number} out of date`), ` (${size}). ${advice}`];
}

/**
 * The maximum number of diff lines in the text output: `whole` for a new or removed file, `part` for a changed one.
 * JSON contains all lines.
 */
const DIFF_LINES = { whole: 20, part: 200 } as const;

const STYLES: Readonly<Record<ChangeStatus, Style>> = {
  unchanged: "dim",
  missing: "red",
  changed: "yellow",
  edited: "yellow",
  extra: "red",
  foreign: "red",
};

const VERBS: Readonly<Record<ChangeStatus, string>> = {
  unchanged: "keep",
  missing: "create",
  changed: "replace",
  edited: "replace",
  extra: "remove",
  foreign: "not replace",
};

const LEGEND: Partial<Record<ChangeStatus, string>> = {
  changed:
    "changed: generated from another schema, with other options or by another version of mcp-codegen",
  edited: "edited: changed after it was generated; replaced only with --force",
  foreign: "foreign: not generated by mcp-codegen, and in the way",
};

export function writeLines({ target, changes }: Generation): readonly Text[] {
  const removed = changes.filter(({ status }) => status === "extra");
  return [
    [paint("bold", target.folder.path), `  ${totals(changes)}${replaced(changes)}`],
    ...removed.map(({ path }): Text => ["  removed ", join(target.folder.path, path)]),
  ];
}

export function dryRunLines(generation: Generation): readonly Text[] {
  const { target, changes } = generation;
  const differing = changes.filter(({ status }) => status !== "unchanged");
  if (differing.length === 0) return [upToDate(generation)];
  return differing.map(({ path, status, after }): Text => {
    const size = after === undefined ? "" : ` (${showBytes(bytesOf(after))})`;
    return `would ${VERBS[status]} ${join(target.folder.path, path)}${size}`;
  });
}

export function checkLines(reported: RunReport): readonly Text[] {
  const { target, diffs } = reported;
  if (diffs.size === 0) return [upToDate(reported)];
  return [...diffs].flatMap(([change, diff]) => [
    [
      paint(STYLES[change.status], change.status.padEnd(8)),
      paint("bold", join(target.folder.path, change.path)),
      change.note === undefined ? "" : `  (${change.note})`,
    ],
    ...diffLines(change, diff),
  ]);
}

export function legend(differing: readonly Change[]): Text {
  const present = new Set(differing.map(({ status }) => status));
  const notes = [...present].flatMap((status) => LEGEND[status] ?? []).toSorted();
  return notes.map((note) => paint("dim", `${note}\n`));
}

function upToDate({ target }: Generation): Text {
  return [paint("bold", target.folder.path), "  up to date"];
}

function totals(changes: readonly Change[]): string {
  const tally = (verb: string, ...statuses: ChangeStatus[]): string[] => {
    const number = changes.filter(({ status }) => statuses.includes(status)).length;
    return number === 0 ? [] : [`${number} ${verb}`];
  };
  const done = [
    ...tally("created", "missing"),
    ...tally("updated", "changed", "edited"),
    ...tally("removed", "extra"),
  ];
  return done.length === 0
    ? "up to date"
    : [...done, ...tally("unchanged", "unchanged")].join(", ");
}

/**
 * Returns a note that states what the folder was previously generated from, such as another revision; empty if that has
 * not changed.
 */
function replaced(changes: readonly Change[]): string {
  const inputs = changes.flatMap(({ before, after }) => {
    const [was, is] = [before, after].map((text) => (text === undefined ? text : inputOf(text)));
    return was === undefined || is === undefined || was === is ? [] : [was];
  });
  return inputs.length === 0 ? "" : `; was generated from ${[...new Set(inputs)].join(", ")}`;
}

function diffLines({ before, after }: Change, diff: string): readonly Text[] {
  const lines = diff.split("\n").slice(0, -1);
  const limit = before === undefined || after === undefined ? DIFF_LINES.whole : DIFF_LINES.part;
  const rest = lines.length - limit;
  const more = `… ${count(rest, "more line")}; --json has all of them`;
  return [...lines.slice(0, limit).map(diffLine), ...(rest > 0 ? [paint("dim", more)] : [])];
}

export function diffLine(line: string): Text {
  if (/^(?:---|\+\+\+) /.test(line)) return paint("bold", line);
  if (line.startsWith("@@")) return paint("cyan", line);
  if (line.startsWith("+")) return paint("green", line);
  if (line.startsWith("-")) return paint("red", line);
  return line;
}
