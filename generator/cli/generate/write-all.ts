import type { Diagnostics } from "../../diagnostics.js";
import { checkEdited, checkForeign, write } from "../../output/write.js";
import type { Progress } from "../progress.js";
import type { Generation } from "./generation.js";

/** Writes the changes of all folders; nothing where one of them has files that were edited or are not its own. */
export function writeAll(
  generations: readonly Generation[],
  { force, progress }: { readonly force: boolean; readonly progress: Progress },
  diagnostics: Diagnostics,
): boolean {
  for (const { target, changes } of generations) {
    checkForeign(target.folder, changes, diagnostics);
    if (!force) checkEdited(target.folder, changes, diagnostics);
  }
  if (diagnostics.hasErrors) return false;
  progress.step("Writing");
  return generations.every(({ target, changes }) => write(target.folder, changes, diagnostics));
}
