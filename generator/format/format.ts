import type { Options } from "prettier";
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";
import { format as prettier } from "prettier/standalone";
import type { OutputFile } from "../plan/file-plan.js";

/** All that decides the format: no configuration is read from the disk. */
const OPTIONS: Options = {
  parser: "typescript",
  plugins: [estree, typescript],
  printWidth: 100,
  endOfLine: "lf",
};

/** Formats the TypeScript among the files; the others are written as they are to be. */
export async function format(files: readonly OutputFile[]): Promise<OutputFile[]> {
  return Promise.all(
    files.map(async ({ path, text }) => ({
      path,
      text: path.endsWith(".ts") ? await prettier(text, OPTIONS) : text,
    })),
  );
}
