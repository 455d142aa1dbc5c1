import { describe, expect, it } from "vitest";
import { formIssues } from "../../runtime/features/index.js";

const issuesOf = (field: object, value: unknown) =>
  formIssues({ type: "object", properties: { it: field as never } }, { it: value });

const choices = [
  { const: "a", title: "A" },
  { const: "b", title: "B" },
];

describe("a form field (ELIC-10, ELIC-11, ELIC-12, ELIC-13, ELIC-14, ELIC-15, SCH-12)", () => {
  it.each<[object, unknown[], unknown[]]>([
    [{ type: "string" }, ["", "x"], [1, null, true, [], {}]],
    [{ type: "string", minLength: 2, maxLength: 3 }, ["ab", "😀😀😀"], ["a", "abcd", "😀"]],
    [{ type: "string", enum: ["a", "b"] }, ["a"], ["c", "", 1]],
    [{ type: "string", enum: ["a", "b"], enumNames: ["A", "B"] }, ["a"], ["A"]],
    [{ type: "string", oneOf: choices }, ["a"], ["A", "c"]],
    [{ type: "number" }, [0, -1.5], ["1", null, Infinity, Number.NaN]],
    [{ type: "number", minimum: 1, maximum: 2 }, [1, 1.5, 2], [0.9, 2.1]],
    [{ type: "integer" }, [0, -1, 1e20], [1.5, "1"]],
    [{ type: "boolean" }, [true, false], ["true", 1, null]],
    [
      { type: "array", items: { type: "string", enum: ["a", "b"] } },
      [[], ["a", "b"]],
      [["c"], "a", [1]],
    ],
    [
      { type: "array", items: { anyOf: choices }, minItems: 1, maxItems: 1 },
      [["b"]],
      [[], ["a", "b"], ["A"]],
    ],
    [{ type: "object" }, [], [{}, "x"]],
  ])("%j", (field, good, bad) => {
    for (const value of good) expect(issuesOf(field, value)).toEqual([]);
    for (const value of bad) expect(issuesOf(field, value)).toMatchObject([{ path: "/it" }]);
  });

  it("names the expected value and the place of an error", () => {
    const schema = {
      type: "object" as const,
      properties: {
        "a/b": { type: "integer" as const, minimum: 1 },
        c: { type: "string" as const, enum: ["x", "y"] },
      },
      required: ["d", "a/b"],
    };
    expect(formIssues(schema, { "a/b": 0, c: "z" })).toEqual([
      { path: "/d", expected: "a value", received: "nothing" },
      { path: "/a~1b", expected: "1 or more", received: "0" },
      { path: "/c", expected: '"x" | "y"', received: '"z"' },
    ]);
    for (const content of [undefined, null, [], "x"]) {
      expect(formIssues(schema, content)).toMatchObject([{ path: "", expected: "object" }]);
    }
  });

  it("ignores values without a field, and unusual options of a schema", () => {
    const schema = { type: "object" as const, properties: {} };
    expect(formIssues(schema, { more: 1 })).toEqual([]);
    expect(issuesOf({ type: "string", enum: 7, oneOf: "x" }, "y")).toEqual([]);
    expect(issuesOf({ type: "string", oneOf: [null, { title: "x" }] }, "y")).toHaveLength(1);
  });
});

describe("formats (ELIC-11)", () => {
  it.each<[string, string[], string[]]>([
    [
      "email",
      ["a@b.org", "first.last+tag@sub.example.co", "a@localhost", "ü@bücher.example"],
      [
        "",
        "a",
        "@b",
        "a@",
        "a@@b",
        "a b@c",
        ".a@b",
        "a.@b",
        "a..b@c",
        "a@-b",
        "a@b-",
        "a@b..c",
        `a@${"b".repeat(64)}`,
      ],
    ],
    [
      "uri",
      ["https://example.org/?q=1#f", "urn:a:b", "mailto:a@b", "file:///a%20b"],
      ["", "a", "/a", "//a", "https://a b", "1a:b", "a:%", "a:é"],
    ],
    [
      "date",
      ["2024-02-29", "2000-02-29", "2023-12-31"],
      [
        "",
        "2023-02-29",
        "1900-02-29",
        "2023-13-01",
        "2023-00-01",
        "2023-04-31",
        "2023-1-1",
        "23-01-01",
        "2023-01-01T",
      ],
    ],
    [
      "date-time",
      ["2023-01-01T00:00:00Z", "2023-01-01t23:59:60.123z", "2023-01-01 10:00:00+05:30"],
      [
        "",
        "2023-01-01",
        "2023-01-01T00:00:00",
        "2023-01-01T24:00:00Z",
        "2023-01-01T00:60:00Z",
        "2023-02-30T00:00:00Z",
        "2023-01-01T00:00:00+24:00",
        "2023-01-01T00:00:00.Z",
      ],
    ],
  ])("%s", (format, good, bad) => {
    for (const value of good) expect(issuesOf({ type: "string", format }, value)).toEqual([]);
    for (const value of bad) expect(issuesOf({ type: "string", format }, value)).toHaveLength(1);
  });

  it("are checked in linear time", () => {
    // Each takes some milliseconds. Quadratic time would exceed a test's time limit.
    for (const format of ["email", "uri", "date", "date-time"]) {
      for (const piece of ["a", "a.", "1", "@", "a@", "-", ":", "2023-01-01T00:00:00.1"]) {
        const value = piece.repeat(1_000_000 / piece.length);
        expect(issuesOf({ type: "string", format }, value)).toBeInstanceOf(Array);
      }
    }
  });
});
