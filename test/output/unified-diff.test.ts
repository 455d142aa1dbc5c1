import { describe, expect, it } from "vitest";
import type { Change } from "../../generator/output/compare.js";
import { unifiedDiff } from "../../generator/output/unified-diff.js";

const change = (rest: Partial<Change>): Change => ({ path: "x.ts", status: "edited", ...rest });

describe("unified diff", () => {
  it("shows what a regeneration would change", () => {
    expect(unifiedDiff(change({ before: "a\nb\nc\n", after: "a\nB\nc\n" }))).toBe(
      "--- a/x.ts\n+++ b/x.ts\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n",
    );
  });

  it("uses /dev/null for a missing file", () => {
    expect(unifiedDiff(change({ status: "missing", after: "a\n" }))).toBe(
      "--- /dev/null\n+++ b/x.ts\n@@ -0,0 +1,1 @@\n+a\n",
    );
    expect(unifiedDiff(change({ status: "extra", before: "a\n" }))).toBe(
      "--- a/x.ts\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n",
    );
  });

  it("marks a missing line feed at the end", () => {
    const text = unifiedDiff(change({ before: "a", after: "a\n" }));
    expect(text).toContain("-a\n\\ No newline at end of file\n+a\n");
  });

  it("is empty for equal and for unread files", () => {
    expect(unifiedDiff(change({ status: "unchanged", before: "a", after: "a" }))).toBe("");
    expect(unifiedDiff(change({ status: "foreign", after: "a" }))).toBe("");
  });

  it("compares long texts without a common line in linear time", () => {
    // A quadratic algorithm would exceed the test's time limit.
    const numbers = Array.from({ length: 200_000 }, (_, index) => index);
    const before = numbers.map((number) => `a${number}`);
    const after = numbers.map((number) => `b${number}`);
    const text = unifiedDiff(change({ before: before.join("\n"), after: `${after.join("\n")}\n` }));
    const expected = [
      "--- a/x.ts",
      "+++ b/x.ts",
      "@@ -1,200000 +1,200000 @@",
      ...before.map((line) => `-${line}`),
      "\\ No newline at end of file",
      ...after.map((line) => `+${line}`),
      "",
    ];
    expect(text.split("\n")).toEqual(expected);
  });
});
