import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as Main from "../../generator/cli/main.js";
import { root } from "./build.js";

export const bin = join(root, "generator/dist/cli/bin.js");

export interface CliOptions {
  readonly cwd: string;
  /** Environment variables. If there are any, the executable runs in a process of its own. */
  readonly env?: NodeJS.ProcessEnv;
  /** True if file permissions must apply to the process even when the test runs as root. */
  readonly unprivileged?: boolean;
  /** True to depend on this clone's archives, as a user of the clone does. */
  readonly fromClone?: boolean;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The signal that ended the process, if it ran in its own. */
  readonly signal?: NodeJS.Signals | null;
}

/** Command lines that write packages and for which this clone would otherwise pack archives. */
const WRITING = /^(?:generate|extension|new|migrate|--(?!help$|version$).*)$/s;

/** Adapts the words as for a published package, which has no archives in `vendor/`. */
const published = (args: readonly string[]): readonly string[] =>
  WRITING.test(args[0] ?? "") && !args.includes("--help") && !args.includes("--from-registry")
    ? [...args, "--from-registry"]
    : args;

/** Runs a command line to its end, without a terminal. It runs in this process unless it needs its own. */
export async function cli(words: readonly string[], options: CliOptions): Promise<CliResult> {
  const args = options.fromClone ? words : published(words);
  if (options.env ?? options.unprivileged) return start(args, options).finished;
  const result = queue.then(() => runHere(args, options.cwd));
  queue = result.catch(() => undefined);
  return result;
}

/** The queue of runs. They run one after the other, because each has its own current folder. */
let queue: Promise<unknown> = Promise.resolve();

async function runHere(args: readonly string[], cwd: string): Promise<CliResult> {
  const { main } = (await import(MAIN)) as typeof Main;
  const output = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof output) => ({
    write: (text: string) => void (output[name] += text),
  });
  const before = process.cwd();
  process.chdir(cwd);
  try {
    const surroundings = { stdout: stream("stdout"), stderr: stream("stderr"), env: {} };
    const code = await main(args, surroundings);
    return { code, ...output };
  } finally {
    process.chdir(before);
  }
}

/** The executable's entry point, as published. */
const MAIN = pathToFileURL(join(root, "generator/dist/cli/main.js")).href;

/** Returns the JSON document that a command prints. Nothing else may be on standard output. */
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
  /** Closes the reading end of the process's standard output. */
  readonly closeOutput: () => void;
  readonly signal: (name: NodeJS.Signals) => void;
  readonly finished: Promise<CliResult>;
}

const isRoot = process.getuid?.() === 0;

/** The command prefix that drops root's capabilities but keeps access to everything that its user owns. */
const WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] as const;

/** Returns the reason why no process can be started to which file permissions apply; undefined if one can. */
export function whyPrivileged(): string | undefined {
  if (process.platform === "win32") return "Windows has no such permissions";
  const [command, ...options] = WITHOUT_RIGHTS;
  if (!isRoot || spawnSync(command, [...options, "true"]).status === 0) return undefined;
  return "root needs setpriv to give up its rights";
}

/** Starts the executable. */
export function start(words: readonly string[], options: CliOptions): Running {
  const args = published(words);
  const { cwd, env, unprivileged = false } = options;
  const prefix = isRoot && unprivileged ? WITHOUT_RIGHTS : [];
  const [command = "", ...rest] = [...prefix, process.execPath, bin, ...args];
  const child = spawn(command, rest, {
    cwd,
    env: { ...process.env, NO_COLOR: "", FORCE_COLOR: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const finished = new Promise<CliResult>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, stdout, stderr, signal }));
  });
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    closeOutput: () => child.stdout.destroy(),
    signal: (name) => child.kill(name),
    finished,
  };
}
