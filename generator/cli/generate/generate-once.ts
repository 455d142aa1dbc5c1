import type { Diagnostics } from "../../diagnostics.js";
import type { Outcome } from "../outcome.js";
import type { Progress } from "../progress.js";
import type { Generation, Generator } from "./generation.js";
import { type Mode, report } from "./report.js";
import { missingPackage, warnOfCommonJs } from "./surroundings.js";
import type { Request } from "./targets.js";
import { writeAll } from "./write-all.js";

/** Tools and mode of a run. */
export interface RunOptions {
  readonly mode: Mode;
  /** True to replace files that were edited, too. */
  readonly force: boolean;
  readonly generator: Generator;
  readonly progress: Progress;
}

/** Generates everything before it writes anything: a refused revision leaves all folders as they were. */
export async function generateOnce(
  request: Request,
  { mode, force, generator, progress }: RunOptions,
  diagnostics: Diagnostics,
): Promise<Outcome | undefined> {
  const { targets, universal, extensions = [] } = request;
  const start = performance.now();
  const generations: Generation[] = [];
  for (const [index, target] of targets.entries()) {
    const place = targets.length > 1 ? ` (${index + 1} of ${targets.length})` : "";
    progress.step(`Generating ${target.revision}${place}`);
    const generation = await generator.run(target, diagnostics);
    if (generation) generations.push(generation);
  }
  if (universal && !diagnostics.hasErrors) {
    progress.step("Generating universal");
    const generation = await generator.runUniversal(targets, universal, diagnostics);
    if (generation) generations.push(generation);
  }
  for (const extension of diagnostics.hasErrors ? [] : extensions) {
    progress.step(`Generating ${extension.id}`);
    const generation = await generator.runExtension(extension, diagnostics);
    if (generation) generations.push(generation);
  }
  if (diagnostics.hasErrors) return undefined;
  if (mode === "write") {
    if (!writeAll(generations, { force, progress }, diagnostics)) return undefined;
    for (const { target, changes } of generations) {
      if (!request.modulesOnly) warnOfCommonJs(target.folder, changes, diagnostics);
    }
  }
  const folders = generations.map(({ target }) => target.folder);
  const missing = mode === "write" ? missingPackage(folders, request.runtime) : undefined;
  return report(generations, mode, { milliseconds: performance.now() - start, missing });
}
