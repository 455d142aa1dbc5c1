import { spawn } from "node:child_process";
import { join } from "node:path";
import { root } from "./build.js";

export const bin = join(root, "generator/dist/cli/bin.js");

export interface CliOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Run as another user, where the test runs as root. */
  readonly uid?: number;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the executable to its end, without a terminal. */
export async function cli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const child = start(args, options);
  return child.finished;
}

/** The JSON document that a command prints; nothing else may be on standard output. */
export async function cliJson(
  args: readonly string[],
  options: CliOptions,
): Promise<{ code: number | null; json: Record<string, unknown> }> {
  const { code, stdout } = await cli([...args, "--json"], options);
  return { code, json: JSON.parse(stdout) as Record<string, unknown> };
}

export interface Running {
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Closes the reading end of its standard output. */
  readonly closeOutput: () => void;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly finished: Promise<CliResult>;
}

/** Starts the executable. */
export function start(args: readonly string[], { cwd, env, uid }: CliOptions): Running {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: "", FORCE_COLOR: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    ...(uid !== undefined && { uid }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const finished = new Promise<CliResult>((resolve) => {
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    closeOutput: () => child.stdout.destroy(),
    signal: (name) => child.kill(name),
    finished,
  };
}
