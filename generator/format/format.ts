import type { Options } from "prettier";
import * as babel from "prettier/plugins/babel";
import * as estree from "prettier/plugins/estree";
import { format as prettier } from "prettier/standalone";
import type { OutputFile } from "../plan/file-plan.js";
import { seal } from "./seal.js";

/**
 * Complete formatting options, so that no configuration is read from the disk. Prettier has two parsers for
 * TypeScript; this one takes half the time, and its result is the same.
 */
const OPTIONS: Options = {
  parser: "babel-ts",
  plugins: [estree, babel],
  printWidth: 100,
  endOfLine: "lf",
};

/** Formats the TypeScript files, and seals all files. The other files are not formatted. */
export async function format(files: readonly OutputFile[]): Promise<OutputFile[]> {
  return Promise.all(
    files.map(async ({ path, text }) => ({
      path,
      text: seal(path.endsWith(".ts") ? await prettier(text, OPTIONS) : text),
    })),
  );
}
