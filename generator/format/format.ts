import type { Options } from "prettier";
import * as babel from "prettier/plugins/babel";
import * as estree from "prettier/plugins/estree";
import { format as prettier } from "prettier/standalone";
import type { OutputFile } from "../plan/file-plan.js";
import { seal } from "./seal.js";

/**
 * A complete set of formatting options, so that Prettier does not read any configuration from the disk. Prettier's
 * other TypeScript parser takes twice as long for the same result.
 */
const OPTIONS: Options = {
  parser: "babel-ts",
  plugins: [estree, babel],
  printWidth: 100,
  endOfLine: "lf",
};

export async function format(files: readonly OutputFile[]): Promise<OutputFile[]> {
  return Promise.all(
    files.map(async ({ path, text }) => ({
      path,
      text: seal(path.endsWith(".ts") ? await prettier(text, OPTIONS) : text),
    })),
  );
}
