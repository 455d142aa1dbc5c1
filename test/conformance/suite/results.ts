import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { Side } from "./leg.js";

/** The suite's finding on one point. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly description: string;
  readonly errorMessage?: string;
}

/** Everything that the suite wrote about one scenario. */
export interface Result {
  readonly scenario: string;
  readonly checks: readonly Check[];
  /** The client program's output; empty for a server's scenario. */
  readonly output: string;
}

const FILE = "checks.json";

/** Reads the suite's results folder, in the order of the scenarios' names. */
export function readResults(folder: string, side: Side): Result[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(FILE))
    .map((file) => readResult(folder, join(folder, dirname(file)), side))
    .toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1));
}

function readResult(folder: string, path: string, side: Side): Result {
  const name = relative(folder, path).replaceAll("\\", "/");
  const prefixed = name.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
  const scenario = side === "server" ? prefixed.replace(/^server-/, "") : prefixed;
  const checks = JSON.parse(readFileSync(join(path, FILE), "utf8")) as Check[];
  const written = ["stdout.txt", "stderr.txt"].map((file) => join(path, file)).filter(existsSync);
  const output = written.map((file) => readFileSync(file, "utf8")).join("");
  return { scenario, checks, output };
}
