import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { inheritedEnvironment } from "@mcp-codegen/runtime/stdio/client";
import { lineCopy } from "../../record/line-copy.js";
import { BYTE_LIMIT, type Ending, isWithin, type Link, type LinkEvents, passOn } from "./link.js";

/** A server that is started by a command. */
export interface ProcessTarget {
  readonly command: readonly string[];
  /** Environment variables in addition to the few that every child process inherits. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
}

/** The time for which `close` waits after the end of input, and again after SIGTERM, in milliseconds. */
export const EXIT_GRACE = 2_000;

/** The number of characters from standard error that are kept. */
const KEPT = 2_048;

/** Starts a process and communicates with it over its standard input and output, with one message per line. */
export function openProcess(
  target: ProcessTarget,
  events: LinkEvents,
  grace: number = EXIT_GRACE,
): Link {
  const [program = "", ...args] = target.command;
  const isWindows = process.platform === "win32";
  let by: Ending["by"] = "itself";
  let stderr = "";
  let problem: string | undefined;
  const child = spawn(program, args, {
    cwd: target.cwd,
    env: { ...inheritedEnvironment(), ...target.env },
    stdio: ["pipe", "pipe", "pipe"],
    // The process leads its own process group, so that any processes it starts are ended with it.
    detached: !isWindows,
    // On Windows, programs such as npx are scripts.
    shell: isWindows,
    windowsHide: true,
  });
  endAtExit(child);
  const ended = new Promise<Ending>((resolve) => {
    const finish = (code: number | null, signal: string | null): void => {
      signalGroup(child, "SIGKILL");
      running.delete(child);
      if (running.size === 0) process.off("exit", endAll);
      resolve({ code, signal, by, stderr: lastLines(stderr), problem });
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      problem = error.code === "ENOENT" ? `there is no program ${program}` : error.message;
      finish(null, null);
    });
    child.once("close", finish);
    // If a grandchild keeps the pipes open, this delays `close` but not `exit`.
    child.once("exit", (code, signal) => setTimeout(finish, 250, code, signal));
  });
  void ended.then((ending) => events.ended(ending));
  const { stdin, stdout } = child;
  stdin!.on("error", () => {});
  child.stderr!.on("data", (chunk: Uint8Array) => {
    stderr = (stderr + Buffer.from(chunk).toString()).slice(-KEPT);
  });
  readLines(child, events, () => {
    by = "limit";
    stdout!.destroy();
    signalGroup(child, "SIGKILL");
  });
  const write = async (bytes: string | Uint8Array): Promise<void> => {
    if (!stdin!.writable || stdin!.write(bytes)) return;
    const waiting = new AbortController();
    const drained = once(stdin!, "drain", { signal: waiting.signal }).catch(() => {});
    await isWithin(grace, Promise.race([drained, ended]));
    waiting.abort();
  };
  return {
    transport: "stdio",
    ended,
    pid: child.pid,
    write,
    async send(text) {
      await write(`${text}\n`);
      return undefined;
    },
    async close(how = "eof") {
      const steps = (["eof", "SIGTERM", "SIGKILL"] as const).slice(STEPS.indexOf(how));
      for (const step of steps) {
        if (await isWithin(0, ended)) break;
        by = step;
        if (step === "eof") stdin!.end();
        else signalGroup(child, step);
        if (await isWithin(grace, ended)) break;
      }
      return ended;
    },
  };
}

const running = new Set<ChildProcess>();

/** Makes a child end with this process. Signals to this process do not reach the child, which leads its own group. */
function endAtExit(child: ChildProcess): void {
  if (running.size === 0) process.once("exit", endAll);
  running.add(child);
}

function endAll(): void {
  for (const child of running) signalGroup(child, "SIGKILL");
}

const STEPS: readonly string[] = ["eof", "SIGTERM", "SIGKILL"];

function signalGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // The process has already ended.
  }
}

function readLines({ stdout }: ChildProcess, events: LinkEvents, overflow: () => void): void {
  const lines = lineCopy(
    (line, framing) => passOn(line, events, framing && { framing }),
    BYTE_LIMIT,
  );
  let bytes = 0;
  stdout!.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    if (bytes > BYTE_LIMIT) overflow();
    else lines.add(chunk);
  });
  stdout!.on("end", () => lines.end());
  stdout!.on("error", () => {});
}

const SHOWN_LINES = 5;

/**
 * Returns the last lines of standard error without stack frames, after the last line that names an error if it comes
 * before them. Drops the first line if it may be incomplete.
 */
function lastLines(text: string): string {
  const whole = text.length < KEPT ? text : text.slice(text.indexOf("\n") + 1);
  const lines = whole
    .trim()
    .split("\n")
    .filter((line) => !/^\s+at |^\s*\^?\s*$/.test(line));
  const named = lines.findLastIndex((line) => /^(?:\w+ )?\w*(?:Error|Exception)\b.*: /.test(line));
  const isEarlier = named >= 0 && named < lines.length - SHOWN_LINES;
  return (
    isEarlier ? [lines[named], ...lines.slice(1 - SHOWN_LINES)] : lines.slice(-SHOWN_LINES)
  ).join("\n");
}
