import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { StdioTarget } from "@mcp-codegen/runtime/facade/client";

export const program = join(import.meta.dirname, "upstream.mjs");

const lines = (file: string) =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];

/** Describes a server that runs in a process of its own, and gives access to what it has recorded. */
export function child(revision: string, name = "child") {
  const folder = mkdtempSync(join(tmpdir(), "mcp-bridge-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = { EFFECTS: join(folder, "effects"), PIDS: join(folder, "pids") };
  const target: StdioTarget = {
    command: process.execPath,
    args: [program, revision, name],
    env: files,
  };
  return {
    target,
    env: files,
    effects: () => lines(files.EFFECTS),
    pids: () => lines(files.PIDS).map(Number),
  };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
