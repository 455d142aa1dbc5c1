import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "./workspace.js";

export interface CompilerError {
  readonly file: string;
  /** The line and column, counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly code: string;
  readonly text: string;
}

/** Returns the errors of all programs in a folder, from one run of the compiler. */
export function compilerErrors(folder: string): CompilerError[] {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"],
    { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 },
  );
  if (status === null || (status !== 0 && stdout === "")) throw new Error(`tsc failed: ${stderr}`);
  const errors: CompilerError[] = [];
  for (const line of stdout.split("\n")) {
    const match = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/.exec(line);
    if (match === null) continue;
    const [, file, row, column, code, text] = match;
    errors.push({
      file: file!,
      line: Number(row),
      column: Number(column),
      code: code!,
      text: text!,
    });
  }
  return errors;
}
