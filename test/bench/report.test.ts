import { check } from "prettier";
import { describe, expect, it } from "vitest";
import type { Outcome } from "./core/run.js";
import { outcomeOf } from "./core/run.js";
import type { Plot, SectionResult, Table, Target } from "./core/section.js";
import { section as printed } from "./report/console.js";
import { digits, verdict } from "./report/figures.js";
import { page } from "./report/page.js";
import { barsOf, byCase, plotsOf } from "./report/plots.js";
import { betweenMarkers } from "./report/readme.js";
import { figures, targetTable } from "./report/tables.js";
import { pretty } from "./report/write.js";

const seen = (median: number) => ({ median, min: median - 1, max: median + 1, rounds: 3 });
const table: Table = {
  title: "CPU per call",
  unit: "µs",
  cases: ["small", "10 KB"],
  rows: [
    { contestant: "limit", cells: [seen(4), seen(40)] },
    { contestant: "sdk | 2", cells: [seen(50), undefined] },
  ],
  baseline: "limit",
};
const target: Target = {
  what: "CPU against the limit",
  value: 1.21,
  bound: "at most",
  limit: 1.35,
  unit: "x",
  isHeadline: true,
};
const missed: Target = { what: "speed", value: 6, bound: "at least", limit: 12, unit: "x" };
const result: SectionResult = {
  tables: [table],
  targets: [target, missed],
  plots: [],
  notes: ["One."],
};
const outcome: Outcome = { id: "stdio", title: "stdio", about: "About.", seconds: 3, result };
const machine = {
  date: "2030-01-01",
  node: "v20.19.0",
  system: "linux x64",
  cpu: "Some CPU",
  cores: 2,
  memory: 8,
  versions: { tmcp: "1.20.0" },
};

describe("figures", () => {
  it.each([
    [0.04567, "0.0457"],
    [12.345, "12.3"],
    [15_872.4, "15,872"],
  ])("writes %d as %s", (value, text) => expect(digits(value)).toBe(text));

  it.each([
    [{ ...target, value: 1.35 }, "met"],
    [{ ...target, value: 1.62 }, "missed by 20 %"],
    [{ ...target, value: 1.3501 }, "missed by less than 1 %"],
    [{ ...missed, value: 12 }, "met"],
    [missed, "missed by 50 %"],
    [{ ...target, value: Number.NaN }, "missed"],
  ])("says of %o: %s", (one, text) => expect(verdict(one)).toBe(text));
});

describe("tables", () => {
  it("shows medians, ratios and gaps", async () => {
    const lines = (await pretty(figures(table, "medians"))).split("\n");
    expect(lines[2]).toMatch(/^\| limit +\| +4 \| +40 \|$/);
    expect(lines[3]).toMatch(/^\| sdk \\\| 2 +\| +50 \(12\.5 x\) \| +– \|$/);
  });

  it("shows the range of what varies", () => {
    expect(figures(table, "ranges")).toContain("50 (12.5 x)<br>49–51");
  });

  it("gives a single case columns of its own", () => {
    const rows = table.rows.map((row) => ({ ...row, cells: row.cells.slice(0, 1) }));
    const text = figures({ ...table, cases: ["small"], rows }, "ranges");
    expect(text).toContain("|  | small | to limit | min–max |");
    expect(text).toContain("| 50 | 12.5 x | 49–51 |");
  });

  it("turns many cases of few contestants", () => {
    const cases = ["a", "b", "c", "d", "e", "f"];
    const rows = table.rows.map((row) => ({ ...row, cells: cases.map(() => seen(5)) }));
    const lines = figures({ ...table, cases, rows }, "medians").split("\n");
    expect(lines[0]).toBe(String.raw`|  | limit | sdk \| 2 |`);
    expect(lines[7]).toBe("| f | 5 | 5 (1 x) |");
  });

  it("says by how much a target is missed", () => {
    expect(targetTable([missed])).toContain("| speed | 6 x | at least 12 x | missed by 50 % |");
  });
});

describe("the report", () => {
  const broken: Outcome = {
    id: "http",
    title: "HTTP",
    about: "About.",
    seconds: 1,
    failure: "Boom",
  };
  const text = page({ machine, depth: "short", outcomes: [outcome, broken] });

  it("has headlines first, then all targets, then the sections", () => {
    const headings = [...text.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(["In short", "All targets", "stdio", "HTTP", "Measured with"]);
    expect(text).toContain("1 of 2 targets are met.");
    expect(text).toContain("![CPU per call](stdio.svg)");
  });

  it("says what failed, and has the rest", () => {
    expect(text).toContain("**Incomplete:** no result for HTTP.");
    expect(text).toContain("```text\nBoom\n```");
    expect(printed(broken)).toContain("Boom");
  });

  it("is formatted as the project wants it", async () => {
    expect(await check(await pretty(text), { parser: "markdown", printWidth: 100 })).toBe(true);
  });

  it("draws bars of the first table, without what is not there", () => {
    const [, second] = barsOf("x", table).series;
    expect(second!.points).toEqual([["limit", 40]]);
    expect(plotsOf(outcome)).toHaveLength(1);
    expect(plotsOf(broken)).toEqual([]);
  });
});

const run = () => Promise.reject(new Error("limit.mjs ended with code 1"));

describe("bars", () => {
  const y = { label: "µs", scale: "log" } as const;
  const plot = (...series: Plot["series"]): Plot => ({
    name: "x",
    title: "X",
    kind: "bars",
    x: { label: "", scale: "category" },
    y,
    series,
  });
  const byContestant = plot(
    {
      name: "limit",
      points: [
        ["small", 1],
        ["large", 2],
      ],
    },
    { name: "ours", points: [["small", 3]] },
  );
  const cases = [
    {
      name: "small",
      points: [
        ["limit", 1],
        ["ours", 3],
      ],
    },
    { name: "large", points: [["limit", 2]] },
  ] as const;
  const contestants = new Set(["limit", "ours", "others"]);

  it("stand beside those that they are compared with", () => {
    expect(byCase(byContestant, contestants).series).toEqual(cases);
  });

  it("stay where they do already, and so do lines", () => {
    const done = plot(...cases);
    expect(byCase(done, contestants)).toBe(done);
    const lines: Plot = { ...byContestant, kind: "lines" };
    expect(byCase(lines, contestants)).toBe(lines);
  });
});

describe("a section that throws", () => {
  it("is an outcome, with the reason", async () => {
    const failed = await outcomeOf({ id: "a", title: "A", about: "", run }, "short");
    expect(failed.failure).toContain("limit.mjs ended with code 1");
    expect(failed.result).toBeUndefined();
  });
});

describe("the markers of the README", () => {
  it("keep what is around them", () => {
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
