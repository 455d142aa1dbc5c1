import type { Diagnostics } from "../../diagnostics.js";
import { generate } from "../../generate.js";
import { checkPaths } from "../../output/check-paths.js";
import { type Change, compare } from "../../output/compare.js";
import { readInventory } from "../../output/inventory.js";
import type { OutputFile } from "../../plan/file-plan.js";
import { readInput } from "../read-input.js";
import type { Target } from "./targets.js";

/** A target, and how the disk and its regeneration relate. */
export interface Generation {
  readonly target: Target;
  readonly changes: readonly Change[];
}

/** Generates targets, each input only once however often it is asked for. */
export class Generator {
  readonly runtime: string | undefined;
  readonly #done = new Map<
    string,
    { readonly key: string; readonly files: readonly OutputFile[] }
  >();

  constructor(runtime: string | undefined) {
    this.runtime = runtime;
  }

  /** Undefined when the input was refused or the output folder cannot be used; writes nothing. */
  async run(target: Target, diagnostics: Diagnostics): Promise<Generation | undefined> {
    const files = await this.#files(target, diagnostics);
    if (files === undefined) return undefined;
    const expected = files.map(({ path }) => path);
    if (!checkPaths(expected, diagnostics)) return undefined;
    const inventory = readInventory(target.folder, expected, diagnostics);
    return inventory && { target, changes: compare(files, inventory) };
  }

  async #files(
    target: Target,
    diagnostics: Diagnostics,
  ): Promise<readonly OutputFile[] | undefined> {
    const { revision } = target;
    const input = readInput(target, diagnostics);
    if (input === undefined) return undefined;
    const { source, facts } = input;
    const key = `${source.sha256} ${facts?.origin?.text}`;
    const known = this.#done.get(revision);
    if (known?.key === key) return known.files;
    const runtime = this.runtime === undefined ? {} : { runtime: this.runtime };
    const files = await generate(
      { source, revision, ...(facts && { facts }), ...runtime },
      diagnostics,
    );
    if (files === undefined || diagnostics.hasErrors) return undefined;
    this.#done.set(revision, { key, files });
    return files;
  }
}
