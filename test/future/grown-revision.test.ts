import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";
import { GROWN, generateGrown } from "./grown-revision.js";

let folder: string;

beforeAll(async () => {
  folder = await generateGrown();
  const program = readFileSync(join(root, "test/future/grown-program.js"), "utf8");
  writeFileSync(join(folder, "program.js"), program);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The observations of a universal client at one revision, when every message has the new member everywhere. */
interface Outcome {
  readonly revision: string;
  /** True if members were left out and reported as lost. */
  readonly losses: boolean;
  readonly failures: readonly string[];
  readonly errors: readonly string[];
  readonly changes: readonly string[];
  /** The result of a tool that requests user input, a sample and roots. */
  readonly rounds: string;
}

async function talk(wire: string): Promise<readonly Outcome[]> {
  const args = [join(folder, "program.js"), wire];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as readonly Outcome[];
}

const changes = ["log", "promptsChanged", "resourcesChanged", "toolsChanged", "updated"];

it.each(["memory", "stdio", "http"])(
  "one more optional member in each object fails no call and reports no error, over %s",
  async (wire) => {
    const outcomes = await talk(wire);
    expect(outcomes.length).toBeGreaterThanOrEqual(5);
    for (const { revision, losses, rounds, ...observed } of outcomes) {
      expect(observed, revision).toEqual({ failures: [], errors: [], changes });
      expect(losses, revision).toBe(revision !== GROWN);
      const hasForms = revision >= "2025-06-18";
      expect(rounds, revision).toMatch(hasForms ? /^accept x m 1$/ : /elicitation/);
    }
  },
  60_000,
);
