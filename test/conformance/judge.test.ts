import { describe, expect, test } from "vitest";
import { GOOD_END, judge, type Loss, type Verdict } from "./suite/judge.js";
import { type Entry, Ledger } from "./suite/ledger.js";
import type { Leg, Side } from "./suite/leg.js";
import type { Check } from "./suite/results.js";

const SCENARIO = "ping";

interface Case {
  readonly checks: readonly Check[];
  readonly side?: Side;
  readonly output?: string;
  readonly recorded?: readonly string[];
  readonly entries?: readonly Entry[];
  readonly failing?: readonly string[];
  readonly losses?: readonly Loss[];
}

function verdictOf(given: Case): Verdict {
  const { checks, side = "server", output = "", recorded = ["answers"] } = given;
  const leg: Leg = { side, revision: "2025-11-25", calls: [] };
  return judge(
    leg,
    { scenario: SCENARIO, checks, output },
    {
      ledger: new Ledger(given.entries ?? []),
      failing: new Set(given.failing),
      passed: { [SCENARIO]: recorded },
      losses: given.losses ?? [],
    },
  );
}

function check(id: string, status: Check["status"]): Check {
  return { id, status, description: `About ${id}` };
}

const answers = check("answers", "SUCCESS");

describe("the verdict on a scenario", () => {
  test("passes when every recorded check passes", () => {
    expect(verdictOf({ checks: [answers] })).toEqual({
      scenario: SCENARIO,
      outcome: "passes",
      successes: 1,
      problems: [],
    });
  });

  test.each(["FAILURE", "WARNING", "SKIPPED", "INFO"] as const)("fails for %s", (status) => {
    const { outcome, problems } = verdictOf({ checks: [answers, check("echoes", status)] });
    expect(outcome).toBe("fails");
    expect(problems).toEqual([`${status} echoes: About echoes`]);
  });

  test("passes a failure that the ledger explains, for that status only", () => {
    const reason = "It only tells what was sent.";
    const entry = {
      side: "server",
      scenario: SCENARIO,
      check: "sent",
      status: "INFO",
      reason,
    } as const;
    const explained = { checks: [answers, check("sent", "INFO")], entries: [entry] };
    expect(verdictOf(explained).outcome).toBe("passes");
    const skipped = { checks: [answers, check("sent", "SKIPPED")], entries: [entry] };
    expect(verdictOf(skipped).outcome).toBe("fails");
  });

  test("fails if a recorded check is missing", () => {
    const { problems } = verdictOf({ checks: [answers], recorded: ["answers", "echoes"] });
    expect(problems).toEqual(["echoes did not say yes, as it did before"]);
  });

  test("fails if a new check is not recorded", () => {
    const { problems } = verdictOf({ checks: [answers, check("echoes", "SUCCESS")] });
    expect(problems).toEqual(["echoes says yes for the first time: record it (--record)"]);
  });

  test("fails without any check, even if none was recorded", () => {
    expect(verdictOf({ checks: [], recorded: [] }).problems).toEqual(["nothing was checked"]);
  });

  test("fails if the client program exits with an error", () => {
    const killed = verdictOf({ side: "client", checks: [answers], output: "" });
    expect(killed.problems).toEqual(["the client program did not end well: it wrote nothing"]);
    const ended = verdictOf({ side: "client", checks: [answers], output: `${GOOD_END}\n` });
    expect(ended.outcome).toBe("passes");
  });
});

describe("the verdict on a scenario that is expected to fail", () => {
  test.each(["FAILURE", "WARNING"] as const)("accepts %s", (status) => {
    const { outcome } = verdictOf({ checks: [check("answers", status)], failing: [SCENARIO] });
    expect(outcome).toBe("fails as expected");
  });

  test("reports a stale expectation once the scenario passes", () => {
    const { outcome, problems } = verdictOf({ checks: [answers], failing: [SCENARIO] });
    expect(outcome).toBe("fails");
    expect(problems).toEqual(["passes: remove it from expected-failures.json"]);
  });
});

describe("the verdict on a loss of a bridge", () => {
  const loss = { leg: "server 2025-11-25", scenario: SCENARIO, reason: "It cannot be said." };

  test("accepts a check that fails, and no other", () => {
    const losses = [{ ...loss, checks: ["answers"] }];
    const failing = check("answers", "FAILURE");
    expect(
      verdictOf({ checks: [failing], losses, recorded: ["answers", "echoes"] }).problems,
    ).toEqual(["nothing was checked"]);
    const checks = [failing, check("echoes", "SUCCESS")];
    expect(verdictOf({ checks, losses, recorded: ["answers", "echoes"] }).problems).toEqual([]);
    const both = [failing, check("echoes", "FAILURE")];
    expect(verdictOf({ checks: both, losses, recorded: ["answers"] }).outcome).toBe("fails");
  });

  test("accepts a scenario that fails or is skipped as a whole", () => {
    for (const status of ["FAILURE", "SKIPPED"] as const) {
      const { outcome } = verdictOf({ checks: [check("answers", status)], losses: [loss] });
      expect(outcome).toBe("fails as expected");
    }
  });

  test("reports a stale loss once it passes", () => {
    const one = verdictOf({ checks: [answers], losses: [{ ...loss, checks: ["answers"] }] });
    expect(one.problems).toContain("answers passes: remove it from losses.json");
    const whole = verdictOf({ checks: [answers], losses: [loss] });
    expect(whole.problems).toEqual(["passes: remove it from losses.json"]);
  });
});

test("the ledger names its unused entries", () => {
  const entry = (id: string): Entry => ({
    side: "client",
    scenario: SCENARIO,
    check: id,
    status: "INFO",
    reason: "It only tells what was sent.",
  });
  const ledger = new Ledger([entry("sent"), entry("received")]);
  expect(ledger.explains("client", SCENARIO, check("sent", "INFO"))).toBe(true);
  expect(ledger.explains("client", SCENARIO, check("sent", "INFO"))).toBe(true);
  expect(ledger.stale.map(({ check: id }) => id)).toEqual(["received"]);
});
