import type { Ledger } from "./ledger.js";
import type { Leg } from "./leg.js";
import type { Check, Result } from "./results.js";

/** Last line of the client program after a regular end. */
export const GOOD_END = "exit code 0";

/** Ids of the checks that said yes, by scenario. */
export type Passed = Readonly<Record<string, readonly string[]>>;

export interface Expectations {
  readonly ledger: Ledger;
  /** Scenarios of this side that cannot work yet. */
  readonly failing: ReadonlySet<string>;
  /**
   * Checks that passed when the record was written; a check that disappears would not be noticed
   * otherwise.
   */
  readonly passed: Passed;
}

/** Outcome of one scenario; good when there are no problems. */
export interface Verdict {
  readonly scenario: string;
  readonly outcome: "passes" | "fails" | "fails as expected";
  /** Number of passed checks. */
  readonly successes: number;
  readonly problems: readonly string[];
}

/** Judges what the suite found, more strictly than its exit code. */
export function judge(leg: Leg, result: Result, expectations: Expectations): Verdict {
  const { scenario, checks } = result;
  const successes = checks.filter(({ status }) => status === "SUCCESS").length;
  const isExpected = expectations.failing.has(scenario);
  const problems = isExpected
    ? problemsOfFailing(checks)
    : [
        ...checks.flatMap((check) => problemsOf(leg, scenario, check, expectations.ledger)),
        ...problemsOfRecord(checks, expectations.passed[scenario]),
        ...problemsOfEnd(leg, result),
      ];
  const good = isExpected ? "fails as expected" : "passes";
  return { scenario, outcome: problems.length === 0 ? good : "fails", successes, problems };
}

/** The checks that said yes, as they are recorded. */
export function passedIds(checks: readonly Check[]): string[] {
  const passed = checks.filter(({ status }) => status === "SUCCESS").map(({ id }) => id);
  return [...new Set(passed)].toSorted();
}

function problemsOf({ side }: Leg, scenario: string, check: Check, ledger: Ledger): string[] {
  const { id, status, errorMessage, description } = check;
  if (status === "SUCCESS" || ledger.explains(side, scenario, check)) return [];
  return [`${status} ${id}: ${errorMessage ?? description}`];
}

function problemsOfFailing(checks: readonly Check[]): string[] {
  const fails = checks.some(({ status }) => status === "FAILURE" || status === "WARNING");
  return fails ? [] : ["passes: remove it from expected-failures.json"];
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

/** The suite does not look at how the program of a client ended. */
function problemsOfEnd({ side }: Leg, { output }: Result): string[] {
  if (side === "server" || output.includes(GOOD_END)) return [];
  return [`the client program did not end well: ${output.trim() || "it wrote nothing"}`];
}
