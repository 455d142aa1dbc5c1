import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const MARK = "MCP_INTEROP_RUN";

/** A home, working folder and environment for third-party programs, with nothing of the user's in them. */
export class Scratch {
  readonly folder = mkdtempSync(join(tmpdir(), "mcp-interop-"));
  readonly home = join(this.folder, "home");
  readonly work = join(this.folder, "work");
  /** The variable that every process in this scratch inherits. */
  readonly mark = randomUUID();

  constructor() {
    for (const folder of [this.home, this.work]) mkdirSync(folder);
    this.write("note.txt", "A note of the interop run.\n");
  }

  /** Writes a file into the working folder; a file that begins with `#!` is executable. */
  write(name: string, text: string): void {
    writeFileSync(join(this.work, name), text, { mode: text.startsWith("#!") ? 0o755 : 0o644 });
  }

  /** Returns the complete environment for a process. */
  environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    return {
      PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
      HOME: this.home,
      TMPDIR: this.work,
      LANG: "C.UTF-8",
      [MARK]: this.mark,
      ...extra,
    };
  }

  /** Replaces `{work}` and the names in `values` in a manifest's text. */
  fill(text: string, values: Readonly<Record<string, string>> = {}): string {
    return Object.entries({ work: this.work, ...values }).reduce(
      (filled, [name, value]) => filled.replaceAll(`{${name}}`, value),
      text,
    );
  }

  /**
   * Kills the remaining processes, whichever group they have moved to, and removes the folder.
   *
   * @returns the processes' command lines (Linux only)
   */
  end(): string[] {
    const left = marked(this.mark);
    for (const { pid } of left) killQuietly(pid);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
    return left.map(({ command }) => command);
  }
}

function marked(mark: string): { pid: number; command: string }[] {
  return processIds().flatMap((id) => {
    if (!read(`/proc/${id}/environ`).includes(`${MARK}=${mark}`)) return [];
    if (/^State:\s*Z/m.test(read(`/proc/${id}/status`))) return [];
    return [{ pid: Number(id), command: read(`/proc/${id}/cmdline`).replaceAll("\0", " ").trim() }];
  });
}

/** Returns true if a process in the group has not ended (Linux only). */
export function groupLives(group: number): boolean {
  return processIds().some((id) => {
    const [, state, member] = /\) (\S) \d+ (\d+) /.exec(read(`/proc/${id}/stat`)) ?? [];
    return Number(member) === group && state !== "Z" && state !== "X";
  });
}

function processIds(): string[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
}

/** Returns the content of another process's file, or an empty string if the process has ended or is not ours. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

export function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}
