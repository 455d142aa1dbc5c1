import type { Ledger } from "./ledger.js";
import { type Leg, legName } from "./leg.js";
import type { Check, Result } from "./results.js";

/** The last line of the client program after a regular end. */
export const GOOD_END = "exit code 0";

/** The ids of the checks that passed, by scenario. */
export type Passed = Readonly<Record<string, readonly string[]>>;

export interface Expectations {
  readonly ledger: Ledger;
  /** The scenarios of this side that cannot work yet. */
  readonly failing: ReadonlySet<string>;
  /**
   * The checks that passed when the record was written. Without this record, a check that disappears would go
   * unnoticed.
   */
  readonly passed: Passed;
  readonly losses?: readonly Loss[];
}

/** A check that fails through a bridge although it passes without one. */
export interface Loss {
  readonly leg: string;
  readonly scenario: string;
  /** The ids of the checks; all checks of the scenario if omitted. */
  readonly checks?: readonly string[];
  /** True if the suite itself does not count the check as a failure. */
  readonly isQuiet?: boolean;
  readonly reason: string;
}

/** The outcome of one scenario, which is good if there are no problems. */
export interface Verdict {
  readonly scenario: string;
  readonly outcome: "passes" | "fails" | "fails as expected";
  /** The number of passed checks. */
  readonly successes: number;
  readonly problems: readonly string[];
}

/** Judges the suite's findings more strictly than its exit code does. */
export function judge(leg: Leg, result: Result, expectations: Expectations): Verdict {
  const { scenario, checks } = result;
  const successes = checks.filter(({ status }) => status === "SUCCESS").length;
  const { failing, ledger, passed, losses = [] } = expectations;
  const own = losses.filter((loss) => loss.leg === legName(leg) && loss.scenario === scenario);
  const isLost = own.some((loss) => loss.checks === undefined);
  const isExpected = failing.has(scenario) || isLost;
  const lost = new Set(own.flatMap((loss) => loss.checks ?? []));
  const kept = checks.filter(({ id }) => !lost.has(id));
  const problems = isExpected
    ? problemsOfFailing(checks, isLost ? passed[scenario] : undefined)
    : [
        ...[...lost].flatMap((id) => problemsOfLoss(id, checks)),
        ...kept.flatMap((check) => problemsOf(leg, scenario, check, ledger)),
        ...problemsOfRecord(
          kept,
          passed[scenario]?.filter((id) => !lost.has(id)),
        ),
        ...problemsOfEnd(leg, result),
      ];
  const good = isExpected ? "fails as expected" : "passes";
  return { scenario, outcome: problems.length === 0 ? good : "fails", successes, problems };
}

/** Returns the ids of the passed checks, as they are recorded. */
export function passedIds(checks: readonly Check[]): string[] {
  const passed = checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id);
  return [...new Set(passed)].toSorted();
}

function problemsOf({ side }: Leg, scenario: string, check: Check, ledger: Ledger): string[] {
  const { id, status, errorMessage, description } = check;
  if (status === "SUCCESS" || ledger.explains(side, scenario, check)) return [];
  return [`${status} ${id}: ${errorMessage ?? description}`];
}

/** @param recorded - checks that pass without a bridge, if the scenario is lost through one */
function problemsOfFailing(checks: readonly Check[], recorded?: readonly string[]): string[] {
  const fails = checks.some(({ status }) => status === "FAILURE" || status === "WARNING");
  const passed = passedIds(checks);
  const isLost = recorded?.some((id) => !passed.includes(id));
  const file = recorded === undefined ? "expected-failures.json" : "losses.json";
  return fails || isLost ? [] : [`passes: remove it from ${file}`];
}

function problemsOfLoss(id: string, checks: readonly Check[]): string[] {
  const found = checks.filter((check) => check.id === id);
  const passes = found.length > 0 && found.every(({ status }) => status === "SUCCESS");
  return passes ? [`${id} passes: remove it from losses.json`] : [];
}

function problemsOfRecord(checks: readonly Check[], recorded: readonly string[] = []): string[] {
  const passed = passedIds(checks);
  const isSkipped = checks.length > 0 && checks.every(({ status }) => status === "SKIPPED");
  if (passed.length === 0 && !isSkipped) return ["nothing was checked"];
  const lost = recorded.filter((id) => !passed.includes(id));
  const found = passed.filter((id) => !recorded.includes(id));
  return [
    ...lost.map((id) => `${id} did not say yes, as it did before`),
    ...found.map((id) => `${id} says yes for the first time: record it (--record)`),
  ];
}

/** Checks how a client program ended, which the suite does not do. */
function problemsOfEnd({ side }: Leg, { output }: Result): string[] {
  if (side === "server" || output.includes(GOOD_END)) return [];
  return [`the client program did not end well: ${output.trim() || "it wrote nothing"}`];
}
