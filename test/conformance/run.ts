import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judge } from "./suite/judge.js";
import { Ledger } from "./suite/ledger.js";
import { type Leg, legName, recordName } from "./suite/leg.js";
import { bridgeLegs, clientLegs, serverLegs, sharedLegs } from "./suite/plan.js";
import {
  readExpectedFailures,
  readLedger,
  readLosses,
  readPassed,
  writePassed,
} from "./suite/records.js";
import { type LegOutcome, runLeg } from "./suite/run-leg.js";
import { hasRedis } from "./suite/redis-server.js";
import { type JudgedLeg, problemsIn, table } from "./suite/table.js";

const failing = readExpectedFailures();

/** The legs with several instances, which need a Redis server. CI has one. */
const shared = hasRedis() || process.env["CI"] === "true" ? sharedLegs : [];

/** Exits with code 0 only if everything is as it should be and every recorded item was found again. */
process.exitCode = await main(process.argv.includes("--record"));

async function main(isRecording: boolean): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "mcp-conformance-"));
  try {
    const sides = [
      [...serverLegs, ...shared],
      [...clientLegs, ...bridgeLegs],
    ].map((legs) => runAll(legs, folder));
    const outcomes = (await Promise.all(sides)).flat();
    if (isRecording) await writePassed(outcomes, failing);
    const problems = report(outcomes);
    if (problems.length > 0) console.log(`\n${problems.join("\n")}`);
    console.log(problems.length > 0 ? `\n${problems.length} problems` : "\nAll as it should be");
    if (shared.length === 0) {
      console.log("Not run: several instances behind a proxy, as redis-server is not installed");
    }
    return problems.length > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runAll(legs: readonly Leg[], folder: string): Promise<LegOutcome[]> {
  const outcomes: LegOutcome[] = [];
  for (const leg of legs) outcomes.push(await runLeg(leg, folder));
  return outcomes;
}

/** Prints the results and returns the problems. */
function report(outcomes: readonly LegOutcome[]): string[] {
  const ledger = new Ledger(readLedger());
  const passed = readPassed();
  const judged = outcomes.map(({ leg, results }): JudgedLeg => {
    const known = {
      ledger,
      failing: new Set(failing[leg.side]),
      passed: passed[recordName(leg)] ?? {},
      losses: leg.before === undefined ? [] : readLosses(),
    };
    return { leg, verdicts: results.map((result) => judge(leg, result, known)) };
  });
  console.log(`${table(judged, "server")}\n\n${table(judged, "client")}`);
  return [
    ...outcomes.flatMap(({ leg, problems }) => problems.map((one) => `${legName(leg)}: ${one}`)),
    ...problemsIn(judged),
    ...judged.flatMap((one) => notRun(one, Object.keys(passed[recordName(one.leg)] ?? {}))),
    ...staleFailures(judged),
    ...staleLosses(judged),
    ...ledger.stale.map(({ scenario, check }) => `ledger.json: ${scenario} ${check} is not needed`),
  ];
}

function notRun({ leg, verdicts }: JudgedLeg, recorded: readonly string[]): string[] {
  const run = new Set(verdicts.map(({ scenario }) => scenario));
  const missing = recorded.filter((scenario) => !run.has(scenario));
  return missing.map((scenario) => `${legName(leg)}: ${scenario} was not run`);
}

function staleLosses(judged: readonly JudgedLeg[]): string[] {
  const run = judged.flatMap(({ leg, verdicts }) =>
    verdicts.map(({ scenario }) => `${legName(leg)} ${scenario}`),
  );
  return readLosses()
    .map(({ leg, scenario }) => `${leg} ${scenario}`)
    .filter((name) => !run.includes(name))
    .map((name) => `losses.json: ${name} is no scenario that is run`);
}

function staleFailures(judged: readonly JudgedLeg[]): string[] {
  return (["server", "client"] as const).flatMap((side) => {
    const legs = judged.filter(({ leg }) => leg.side === side);
    const run = new Set(legs.flatMap(({ verdicts }) => verdicts.map(({ scenario }) => scenario)));
    const stale = failing[side].filter((scenario) => !run.has(scenario));
    return stale.map(
      (scenario) => `expected-failures.json: ${scenario} is no scenario that is run`,
    );
  });
}
