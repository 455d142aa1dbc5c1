import { readFileSync } from "node:fs";
import { check } from "prettier";
import { describe, expect, it } from "vitest";
import type { Table } from "./core/section.js";
import { goalsBeside, isMet } from "./goals.js";
import { completed, type Outcome, page, readmeTable, type Report } from "./report/page.js";
import { digits, goalTable, ratioTable, spread, valueTable } from "./report/tables.js";
import { betweenMarkers, pretty } from "./report/write.js";

const stdio: Table = {
  id: "stdio",
  title: "CPU per call",
  unit: "µs",
  cases: ["session", "stateless"],
  rows: [
    { contestant: "limit", cells: [[2, 4], undefined] },
    { contestant: "universal", cells: [[4, 8], [5]] },
    { contestant: "sdk | 2", cells: [[40, 88], undefined] },
  ],
  baseline: "universal",
};
const outcome: Outcome = {
  id: "stdio",
  title: "stdio",
  about: "About.",
  seconds: 3,
  result: { tables: [{ ...stdio, id: "calls" }], notes: ["One."] },
};
const machine = {
  date: "2030-01-01",
  node: "v20.19.0",
  system: "linux x64",
  cpu: "Some CPU",
  cores: 2,
  memory: 8,
  versions: { tmcp: "1.20.0" },
};
const committed = JSON.parse(
  readFileSync(new URL("results/report.json", import.meta.url), "utf8"),
) as Report;

describe("figures", () => {
  it.each([
    [0.04567, "0.0457"],
    [12.345, "12.3"],
    [15_872.4, "15,872"],
  ])("writes %d as %s", (value, text) => expect(digits(value)).toBe(text));

  it("shows the minimum and the maximum if they differ", () => {
    expect(spread([9, 8.5, 9.9], " ×")).toBe("9 × (8.5–9.9)");
    expect(spread([3, 3])).toBe("3");
  });
});

const of = (id: string, seconds: number) => ({ id, title: id, about: "", seconds });

describe("a report of some sections", () => {
  it("has the last outcomes of the others, in the order of the sections", () => {
    const last = [of("stdio", 1), of("http", 1), of("gone", 1)];
    const known = ["stdio", "http", "size"];
    expect(completed([of("http", 2)], last, known)).toEqual([of("stdio", 1), of("http", 2)]);
  });
});

describe("tables", () => {
  it("shows values and their multiples within rounds", async () => {
    const lines = (await pretty(valueTable(stdio))).split("\n");
    expect(lines[3]).toMatch(/^\| universal +\| +6 \| +5 \|$/);
    expect(lines[4]).toMatch(/^\| sdk \\\| 2 +\| +64<br>10\.5 × \(10–11\) \| +– \|$/);
  });

  it("shows headlines as multiples of ours", () => {
    const text = ratioTable([{ label: "A call", table: "stdio", case: "session" }], [stdio]);
    expect(text).toContain(String.raw`|  | limit | sdk \| 2 |`);
    expect(text).toContain("| A call | 0.5 × | 10.5 × (10–11) |");
  });

  it("shows goals as met or missed", () => {
    const goal = { table: "stdio", case: "session", contestant: "universal", against: "limit" };
    const text = goalTable(
      [
        { ...goal, atMost: 2 },
        { ...goal, atLeast: 3 },
      ],
      [stdio],
    );
    expect(text).toContain(
      "| CPU per call, session: universal to limit | 2 × | at most 2 × | met |",
    );
    expect(text).toContain("| at least 3 × | missed |");
  });
});

const start = (ms: number): Table => ({
  id: "start",
  title: "Cold start",
  unit: "ms",
  cases: ["session"],
  rows: [
    { contestant: "limit", cells: [[50]] },
    { contestant: "one revision", cells: [[ms]] },
    { contestant: "universal", cells: [[100]] },
  ],
});

describe("goals", () => {
  it("keep the limits of the last report for start-up", () => {
    const [goal] = goalsBeside([start(70)]);
    expect(goal).toMatchObject({ table: "start", contestant: "one revision", against: "limit" });
    expect(goal!.atMost).toBeCloseTo(1.4 * 1.05);
    expect(isMet(goal!, 1.45)).toBe(true);
    expect(isMet(goal!, 1.5)).toBe(false);
  });

  it("name only what the committed report has measured", () => {
    const tables = committed.outcomes.flatMap(({ result }) => result?.tables ?? []);
    const goals = goalsBeside(tables);
    expect(goals.length).toBeGreaterThan(15);
    expect(goalTable(goals, tables).split("\n")).toHaveLength(goals.length + 2);
  });
});

describe("the report", () => {
  const broken: Outcome = { id: "http", title: "HTTP", about: "", seconds: 1, failure: "Boom" };
  const text = page({ machine, rounds: 2, outcomes: [outcome, broken] }, []);

  it("has ratios to peers first, then goals, then the sections", () => {
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(["Beside peers", "Goals", "stdio", "HTTP", "Measured with"]);
  });

  it("names the failures and has the rest", () => {
    expect(text).toContain("**Incomplete:** no result for HTTP.");
    expect(text).toContain("```text\nBoom\n```");
  });

  it("is formatted by the project's rules", async () => {
    expect(await check(await pretty(text), { parser: "markdown", printWidth: 100 })).toBe(true);
  });

  it("has five rows for the README", () => {
    expect(readmeTable(committed.outcomes).split("\n")).toHaveLength(2 + 5);
  });
});

describe("the markers of the README", () => {
  it("keep the text around them", () => {
    const readme = "# A\n\n<!-- bench -->\n\nold\n\n<!-- /bench -->\n\n## B\n";
    const once = betweenMarkers(readme, "new $& table\n");
    expect(once).toBe("# A\n\n<!-- bench -->\n\nnew $& table\n\n<!-- /bench -->\n\n## B\n");
    expect(betweenMarkers(once, "new $& table")).toBe(once);
  });

  it.each([
    "no markers",
    "<!-- /bench --> <!-- bench -->",
    "<!-- bench --> <!-- bench --> <!-- /bench -->",
  ])("are missed in %j", (readme) =>
    expect(() => betweenMarkers(readme, "")).toThrow("README.md needs one"),
  );
});
