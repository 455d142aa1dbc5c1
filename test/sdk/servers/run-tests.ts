import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join, relative } from "node:path";
import { Scratch } from "../../interop/core/scratch.js";
import type { PublishedServer } from "./server.js";

/** The test results of one copy: true for tests that pass. */
export type Results = ReadonlyMap<string, boolean>;

const TIME = 600_000;

/** Runs a copy's tests as its authors do, with nothing of the user's around them. */
export async function runTests(
  copy: string,
  server: PublishedServer,
  installed: string,
): Promise<Results> {
  return server.runner === "vitest"
    ? vitest(copy, server, installed)
    : nodeTests(copy, server, join(installed, "node_modules/.bin"));
}

async function vitest(copy: string, server: PublishedServer, installed: string): Promise<Results> {
  const config = join(copy, "vitest.moved.config.mjs");
  const output = join(copy, "results.json");
  const test = { include: server.tests, exclude: [], maxWorkers: 1, retry: 1, testTimeout: 30_000 };
  writeFileSync(config, `export default { test: ${JSON.stringify(test)} };\n`);
  rmSync(output, { force: true });
  const modules = join(installed, "node_modules");
  const executable = join(modules, "vitest/vitest.mjs");
  const options = ["--root", copy, "--config", config, "--reporter=json", "--outputFile", output];
  const text = await run(copy, [executable, "run", ...options], join(modules, ".bin"));
  if (!existsSync(output)) throw new Error(`vitest wrote no results: ${text.slice(-2000)}`);
  const { testResults } = JSON.parse(readFileSync(output, "utf8")) as {
    testResults: {
      name: string;
      message: string;
      assertionResults: { fullName: string; status: string }[];
    }[];
  };
  return new Map(
    testResults.flatMap(({ name, assertionResults }): [string, boolean][] => {
      const file = relative(copy, name);
      if (assertionResults.length === 0) return [[`${file}: all of it`, false]];
      return assertionResults
        .filter(({ status }) => status === "passed" || status === "failed")
        .map(({ fullName, status }) => [`${file}: ${fullName}`, status === "passed"]);
    }),
  );
}

async function nodeTests(copy: string, { tests }: PublishedServer, bin: string): Promise<Results> {
  const results = new Map<string, boolean>();
  for (const file of tests) {
    const text = await run(copy, ["--test-reporter=tap", file], bin);
    const lines = [...text.matchAll(/^( *)(not )?ok \d+ - (.*?)(?: # .*)?$/gm)];
    // A script without the test runner reports through its exit code.
    if (lines.length === 0) results.set(`${file}: all of it`, !text.includes(FAILED));
    for (const [, , not, name] of lines) results.set(`${file}: ${name}`, not === undefined);
  }
  return results;
}

const FAILED = "\nexit code other than 0";

/** Runs Node with the package's installed programs in its `PATH`, as the package's own scripts have them. */
async function run(cwd: string, args: readonly string[], bin: string): Promise<string> {
  const scratch = new Scratch();
  try {
    const child = spawn(process.execPath, args, {
      cwd,
      env: scratch.environment({ CI: "1", PATH: `${bin}:${scratch.environment()["PATH"]}` }),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: TIME,
      killSignal: "SIGKILL",
    });
    let text = "";
    const add = (chunk: Buffer) => void (text += chunk.toString());
    child.stdout.on("data", add);
    child.stderr.on("data", add);
    const [code] = (await once(child, "exit")) as [number | null];
    return code === 0 ? text : text + FAILED;
  } finally {
    scratch.end();
  }
}
