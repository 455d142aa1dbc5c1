import type { Diagnostics } from "../../diagnostics.js";
import { checkForeign, write } from "../../output/write.js";
import type { Outcome } from "../outcome.js";
import type { Progress } from "../progress.js";
import type { Generation, Generator } from "./generation.js";
import { type Mode, report } from "./report.js";
import type { Request } from "./targets.js";

/** Tools and mode of a run. */
export interface RunOptions {
  readonly mode: Mode;
  readonly generator: Generator;
  readonly progress: Progress;
}

/** Generates everything before it writes anything: a refused revision leaves all folders as they were. */
export async function generateOnce(
  { targets, universal, extensions = [] }: Request,
  { mode, generator, progress }: RunOptions,
  diagnostics: Diagnostics,
): Promise<Outcome | undefined> {
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
  if (mode === "write" && !writeAll(generations, progress, diagnostics)) return undefined;
  return report(generations, mode, performance.now() - start);
}

function writeAll(
  generations: readonly Generation[],
  progress: Progress,
  diagnostics: Diagnostics,
): boolean {
  for (const { target, changes } of generations) checkForeign(target.folder, changes, diagnostics);
  if (diagnostics.hasErrors) return false;
  progress.step("Writing");
  return generations.every(({ target, changes }) => write(target.folder, changes, diagnostics));
}
