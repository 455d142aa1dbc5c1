import { execFile } from "node:child_process";
import { dirname, join } from "node:path";

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns npm and npx as their own files on Windows, where their names are scripts that no program can start. */
function launched(file: string, args: readonly string[]): [file: string, args: readonly string[]] {
  const npm = process.env["npm_execpath"];
  const isScript = file === "npm" || file === "npx";
  if (process.platform !== "win32" || !isScript || npm === undefined) return [file, args];
  return [process.execPath, [join(dirname(npm), `${file}-cli.js`), ...args]];
}

/** Runs a program to its end; a non-zero exit is a result, not an exception. */
export function run(
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeout?: number; shell?: boolean } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const settings = { timeout: 300_000, maxBuffer: 64 << 20, ...options };
    execFile(...launched(file, args), settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, stdout, stderr });
    });
  });
}

/**
 * Runs a step that must succeed, and returns its standard output.
 *
 * @throws Error if the exit code is not zero
 */
export async function runOrThrow(...call: Parameters<typeof run>): Promise<string> {
  const { code, stdout, stderr } = await run(...call);
  if (code !== 0)
    throw new Error(`${call[0]} ${call[1].join(" ")}: exit ${code}\n${stdout}\n${stderr}`);
  return stdout;
}
