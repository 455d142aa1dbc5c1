import { describe, expect, it } from "vitest";
import { jsonSchemas, SchemaError } from "../../runtime/json-schema/index.js";
import { indexes, LONG, nested } from "./sizes.js";
import { timed } from "../support/timed.js";

const own = jsonSchemas();
const foreign = jsonSchemas({ trust: "foreign" });

describe("schemas that are too large (S03, SCH-10)", () => {
  it.each([
    ["branches", { anyOf: Array.from({ length: 100_000 }, () => ({ type: "string" })) }],
    ["properties", { properties: Object.fromEntries(indexes(100_000).map((i) => [`p${i}`, {}])) }],
    ["values of an enum", { enum: indexes(300_000) }],
    ["levels", nested(10_000, (inner) => ({ not: inner }))],
    ["levels of a const", { const: nested(10_000, (inner) => [inner]) }],
    [
      "schemas with an $id inside one another",
      nested(40, (not) => ({ $id: "https://a.example/", not })),
    ],
  ])("%s", (_, schema) => {
    const work = () => expect(() => own(schema)).toThrow(SchemaError);
    expect(timed(work)).toBeLessThan(LONG);
  });

  it("a repetitive schema of a megabyte is accepted", () => {
    const check = own({ type: "string", description: "x".repeat(1_000_000) });
    expect(check("a")).toBeUndefined();
  });

  it("a schema that contains itself is rejected", () => {
    const schema: { not?: object } = {};
    schema.not = schema;
    expect(() => own(schema)).toThrow(/levels/);
  });

  it("limits can be set", () => {
    const small = jsonSchemas({ limits: { subschemas: 2 } });
    expect(() => small({ properties: { a: {}, b: {} } })).toThrow(/more than 2 subschemas/);
    const idle = jsonSchemas({ limits: { work: 10 } });
    expect(idle({ items: { type: "number" } })(indexes(5))).toBeUndefined();
    expect(idle({ items: { type: "number" } })(indexes(20))?.[0]?.expected).toContain("effort");
  });
});

describe("checks that would take too long (S03, SCH-10)", () => {
  it.each([
    ["allOf", null],
    ["anyOf", 1],
    ["oneOf", 1],
  ])("stop at references that double with each level of %s", (keyword, value) => {
    for (const compile of [jsonSchemas({ limits: { work: 100_000 } }), foreign]) {
      const check = compile(doubling(keyword));
      const took = timed(() => expect(check(value)?.[0]?.expected).toContain("effort"));
      expect(took).toBeLessThan(LONG);
      expect(timed(() => check(value === null ? 1 : null))).toBeLessThan(LONG);
    }
  });

  it("do not reduce the budget of the next check", () => {
    const check = own({
      ...doubling("allOf"),
      $ref: "#/$defs/start",
      $defs: {
        ...doubling("allOf").$defs,
        start: { anyOf: [{ type: "string" }, { items: { $ref: "#/$defs/d0" } }] },
      },
    });
    expect(check([null])).toBeDefined();
    expect(check("a")).toBeUndefined();
  });

  it("stop at many alternatives for many items", () => {
    const anyOf = indexes(900).map((value) => ({ properties: { a: { const: value } } }));
    const check = foreign({ items: { anyOf } });
    const took = timed(() => expect(check(indexes(10_000).map(() => ({ a: -1 })))).toBeDefined());
    expect(took).toBeLessThan(LONG);
  });

  it.each(["enum", "required"])("stop at long lists under %s for many items", (keyword) => {
    const long = { [keyword]: indexes(5000).map((index) => `value ${index}`) };
    for (const items of [{ anyOf: [long, {}] }, { allOf: [{ not: long }] }]) {
      const took = timed(() => foreign({ items })(indexes(50_000).map(() => ({}))));
      expect(took).toBeLessThan(LONG);
    }
  });

  it("stop at as many errors as there are items", () => {
    const issues = own({ items: { type: "string" } })(indexes(100_000));
    expect(issues?.length).toBeGreaterThan(0);
    expect(own({ contains: { type: "string" } })(indexes(100_000))).toBeDefined();
  });
});

describe("formats are checked in linear time:", () => {
  const formats = ["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time"];
  const others = ["json-pointer", "regex", "relative-json-pointer", "uri", "uri-reference", "uuid"];
  const starts = [
    "",
    "http://",
    "a@",
    "/",
    "{",
    "P",
    "1",
    "::",
    "2020-01-01T",
    "%",
    "http://[",
    "(",
  ];
  const units = ["a", "0", ":", ".", "/", "-", "%41", "a.", "a-", "{a}", "~0", " ", "@", "1."];

  it.each([...formats, ...others, "uri-template", "url"])("%s", (format) => {
    const check = own({ format });
    const took = timed(() => {
      for (const start of starts) {
        for (const unit of units) check(`${start}${unit.repeat(10_000)}\n`);
      }
    });
    expect(took).toBeLessThan(LONG);
  });
});

/** Creates references that double at each of 40 levels. */
function doubling(keyword: string): { $defs: object; $ref: string } {
  const levels = indexes(40).map((level) => {
    const $ref = `#/$defs/d${level + 1}`;
    return [`d${level}`, { [keyword]: [{ $ref }, { $ref }] }] as const;
  });
  const $defs = Object.fromEntries([...levels, ["d40", { type: "null" }]]);
  return { $defs, $ref: "#/$defs/d0" };
}
