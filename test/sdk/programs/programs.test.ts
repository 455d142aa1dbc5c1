import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { survey, type Verdict } from "./survey.js";
import { repository } from "./workspace.js";

/** Programs and snippets that do not compile, each with its reason. */
const ledger = JSON.parse(readFileSync(new URL("ledger.json", import.meta.url), "utf8")) as {
  readonly programs: Readonly<Record<string, string>>;
  readonly snippets: Readonly<Record<string, string>>;
};

const wrong = (verdicts: readonly Verdict[]) =>
  verdicts.filter(({ errors }) => errors.length > 0).map(({ name }) => name);

describe("programs of the official SDK's repository, with our imports", () => {
  it("compile, except for those that the ledger names", { timeout: 300_000 }, (context) => {
    if (repository === undefined)
      return context.skip("MCP_SDK_REPOSITORY names no clone of the SDK's repository");
    const { programs, snippets } = survey(repository);
    expect(wrong(programs).toSorted()).toEqual(Object.keys(ledger.programs).toSorted());
    expect(wrong(snippets).toSorted()).toEqual(Object.keys(ledger.snippets).toSorted());
    expect(programs.length).toBeGreaterThan(100);
    expect(snippets.length).toBeGreaterThan(190);
  });
});
