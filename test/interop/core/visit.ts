import type { Over } from "./manifest.js";
import { runProgram } from "./child.js";
import type { Scratch } from "./scratch.js";

/** A server, as a visiting client finds it. */
export type Target =
  | {
      readonly over: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
  | { readonly over: Exclude<Over, "stdio">; readonly url: string };

export interface Task {
  readonly target: Target;
  readonly call?: { readonly name: string; readonly arguments: object } | undefined;
  readonly read?: string | undefined;
}

export interface Step {
  readonly ok: boolean;
  /** The number of items in a list or contents in a resource. */
  readonly count?: number;
  readonly note?: string;
}

export interface Visit {
  readonly revision?: string;
  readonly steps: Readonly<Record<string, Step>>;
  /** The first errors that the client reported in addition to its answers. */
  readonly reported: readonly string[];
}

/** Returns the text without the names of folders on this machine. */
export function withoutPaths(text: string): string {
  return text.replace(/(?:\/[\w.@+-]+)+\/([\w.@+-]+)/g, (path, name: string) =>
    path.includes("node_modules") || path.includes("mcp-interop-") ? `…/${name}` : path,
  );
}

const VISIT_TIMEOUT = 120_000;

/** Runs a client against a server; if the client hangs or crashes, the result is a visit without steps. */
export async function visit(program: string, task: Task, scratch: Scratch): Promise<Visit> {
  const args = [program, JSON.stringify(task)];
  const ended = await runProgram({ file: process.execPath, args }, scratch, VISIT_TIMEOUT);
  const line = withoutPaths(ended.stdout.trimEnd().split("\n").at(-1) ?? "");
  try {
    return JSON.parse(line) as Visit;
  } catch {
    const why = ended.isTimedOut ? "the client hangs" : `the client died: ${ended.stderr}`;
    return { steps: { connect: { ok: false, note: why.slice(0, 300) } }, reported: [] };
  }
}
