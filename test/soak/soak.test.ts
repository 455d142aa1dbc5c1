import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../behaviour/support/bundle.js";
import { type Figures, leaks, type Verdict } from "./figures.js";

/** True for `npm run soak`, which runs everything; otherwise, only as much runs as a test may take. */
const isFull = (import.meta as { env?: { MODE?: string } }).env?.MODE === "soak";
const amounts = isFull
  ? { sessions: 10_000, requests: 1_000_000 }
  : { sessions: 300, requests: 20_000 };
const slack = isFull ? 0 : 3 * 1024 * 1024;
const timeout = isFull ? 3_600_000 : 120_000;

const folder = mkdtempSync(join(tmpdir(), "mcp-soak-"));
const program = join(folder, "soak.mjs");

beforeAll(() => bundle("test/soak/soak-program.ts", program), 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe("memory and handles after a long time (P10)", () => {
  it(
    `are unchanged after ${amounts.sessions} sessions and ${amounts.requests} requests`,
    async () => {
      const verdicts = await run();
      expect(verdicts.map(({ part }) => part)).toHaveLength(3);
      const found = verdicts.flatMap((verdict) =>
        leaks(verdict, slack).map((leak) => `${verdict.part}: ${leak}`),
      );
      expect(found).toEqual([]);
    },
    timeout,
  );
});

it("growth and leftovers are detected", () => {
  const before = { heap: 10_000_000, handles: { Timeout: 1 } };
  const after = { heap: 10_400_000, handles: { Timeout: 1 } };
  const verdict = { part: "a", before, after, left: { sessions: 0 }, seconds: 1 };
  expect(leaks(verdict, 0)).toEqual([]);
  const grown = {
    ...verdict,
    after: { heap: 10_600_000, handles: { Timeout: 2, TCPSocketWrap: 1 } },
  };
  expect(leaks({ ...grown, left: { sessions: 3 } }, 0)).toEqual([
    "the heap grew by 600000 bytes",
    "Timeout: 1 became 2",
    "TCPSocketWrap: 0 became 1",
    "3 sessions",
  ]);
});

async function run(): Promise<Verdict[]> {
  const args = ["--expose-gc", program, JSON.stringify(amounts)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const verdicts: Verdict[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const verdict = JSON.parse(line) as Verdict;
    verdicts.push(verdict);
    if (isFull) console.log(described(verdict));
  }
  expect(await ended).toEqual([0, null]);
  return verdicts;
}

function described(verdict: Verdict): string {
  const { part, before, after, seconds } = verdict;
  const problems = leaks(verdict, slack);
  const flat = problems.length === 0 ? "flat" : problems.join("; ");
  return `${part} in ${seconds.toFixed(1)} s\n  before ${shown(before)}\n  after  ${shown(after)}\n  ${flat}`;
}

function shown({ heap, handles }: Figures): string {
  return `${(heap / 1024 / 1024).toFixed(2)} MiB, ${JSON.stringify(handles)}`;
}
