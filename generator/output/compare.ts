import type { OutputFile } from "../plan/file-plan.js";
import type { Inventory } from "./inventory.js";
import { isEdited } from "./paths.js";

/**
 * The status of a file:
 * - `missing`: the file has to be created.
 * - `changed`: our file, unedited, but generated from another schema, with other options or by another version of the
 *   generator.
 * - `edited`: our file, but edited since it was generated. It is replaced only on request.
 * - `extra`: our file, but no longer generated.
 * - `foreign`: not our file, but at a path that we need. It is never modified.
 */
export type ChangeStatus = "unchanged" | "missing" | "changed" | "edited" | "extra" | "foreign";

/** A path in the output, with the difference between the file on disk and the generated file. */
export interface Change {
  /** The path relative to the output folder. */
  readonly path: string;
  readonly status: ChangeStatus;
  /** The text on disk; absent if the file is missing or foreign. */
  readonly before?: string;
  /** The generated text; absent if the file is no longer generated. */
  readonly after?: string;
  /** A description of a foreign entry, or a remark on the difference. */
  readonly note?: string;
  /** True if replacing or removing the file would lose a user's changes. */
  readonly losesEdits?: true;
}

/** Compares generated files with those on disk. The changes are sorted by path. */
export function compare(files: readonly OutputFile[], inventory: Inventory): readonly Change[] {
  const expected = new Set(files.map((file) => file.path));
  const changes = files.map((file) => compareFile(file, inventory));
  for (const [path, found] of inventory) {
    if (!expected.has(path) && found.kind === "owned") {
      const edits = isEdited(found.text) ? ({ losesEdits: true, note: "edited" } as const) : {};
      changes.push({ path, status: "extra", before: found.text, ...edits });
    }
  }
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function compareFile({ path, text: after }: OutputFile, inventory: Inventory): Change {
  const found = inventory.get(path);
  if (found === undefined) return { path, status: "missing", after };
  if (found.kind === "foreign") return { path, status: "foreign", after, note: found.what };
  const before = found.text;
  if (before === after) return { path, status: "unchanged", before, after };
  if (isEdited(before)) return { path, status: "edited", before, after, losesEdits: true };
  const onlyLineEndings = before.replaceAll("\r\n", "\n") === after;
  const note = onlyLineEndings && { note: "only line endings differ" };
  return { path, status: "changed", before, after, ...note };
}
