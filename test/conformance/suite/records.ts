import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { root } from "../root.js";
import { type Loss, type Passed, passedIds } from "./judge.js";
import type { Entry } from "./ledger.js";
import { legName, recordName, type Side } from "./leg.js";
import type { LegOutcome } from "./run-leg.js";

const folder = join(root, "test/conformance");
export const EXPECTED_FAILURES: string = join(folder, "expected-failures.json");
const PASSED = join(folder, "passed.json");

/** The scenarios that cannot work yet. The suite reads this file too, because JSON is valid YAML. */
export type ExpectedFailures = Readonly<Record<Side, readonly string[]>>;

export function readExpectedFailures(): ExpectedFailures {
  return read<ExpectedFailures>(EXPECTED_FAILURES);
}

export function readLedger(): readonly Entry[] {
  return read<readonly Entry[]>(join(folder, "ledger.json"));
}

/** Reads the losses through a bridge, with their reasons. */
export function readLosses(): readonly Loss[] {
  return read<readonly Loss[]>(join(folder, "losses.json"));
}

/** Reads the checks that passed when the record was written, by leg. */
export function readPassed(): Readonly<Record<string, Passed>> {
  return read<Readonly<Record<string, Passed>>>(PASSED);
}

/** Writes the checks that pass now as the record for later runs. */
export async function writePassed(
  outcomes: readonly LegOutcome[],
  failing: ExpectedFailures,
): Promise<void> {
  const alone = outcomes.filter(({ leg }) => legName(leg) === recordName(leg));
  const legs = alone.map(({ leg, results }) => {
    const counted = results.filter(({ scenario }) => !failing[leg.side].includes(scenario));
    const passed = counted.map(({ scenario, checks }) => [scenario, passedIds(checks)]);
    return [recordName(leg), Object.fromEntries(passed)];
  });
  const text = JSON.stringify(Object.fromEntries(legs), undefined, 2);
  const style = { ...(await resolveConfig(PASSED)), filepath: PASSED };
  writeFileSync(PASSED, await format(text, style));
}

function read<T>(file: string): T {
  return JSON.parse(readFileSync(file, "utf8")) as T;
}
