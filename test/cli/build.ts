import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { run } from "../support/run.js";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const sources = join(root, "generator");
const output = join(sources, "dist");
const lock = join(sources, "dist/.building");
/** The age in milliseconds after which a lock is regarded as left by a killed run. */
const ABANDONED_AFTER = 120_000;

/** Compiles the generator if a source is newer than its output. This happens only once for all test files. */
export async function build(): Promise<void> {
  mkdirSync(output, { recursive: true });
  while (isStale()) {
    if (!takeLock()) {
      await pause(100);
      continue;
    }
    try {
      await run("npx", ["tsc", "-p", "generator"], { cwd: root });
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
    return;
  }
}

function takeLock(): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const age = Date.now() - timeOf(lock);
    if (age > ABANDONED_AFTER) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

function isStale(): boolean {
  return readdirSync(sources, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.startsWith("dist"))
    .some(
      (path) => timeOf(join(sources, path)) > timeOf(join(output, path.replace(/\.ts$/, ".js"))),
    );
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
