import { describe, expect, it } from "vitest";
import { jsonSchemas } from "../../runtime/json-schema/index.js";
import { indexes, nested, SHORT } from "./sizes.js";
import { timed } from "../support/timed.js";

const own = jsonSchemas();
const foreign = jsonSchemas({ trust: "foreign" });

describe("one time limit for a whole check", () => {
  it.each([
    [45, 5000],
    [90, 1000],
  ])("includes collecting issues, for %i branches and names of %i characters", (count, length) => {
    let value: unknown = 1;
    for (let depth = 0; depth < 200; depth++) value = { ["k".repeat(length)]: value };
    const check = foreign(chain(count));
    expect(timed(() => expect(check(value)).toBeDefined())).toBeLessThan(SHORT);
  });

  it("reads no more findings than it reports", () => {
    const required = indexes(15_000).map((index) => `q${index}`);
    const check = own({ items: { required } });
    const took = timed(() => expect(check(indexes(1000).map(() => ({})))).toHaveLength(50));
    expect(took).toBeLessThan(SHORT);
  });

  it.each([false, { type: "string" }])("includes members under %j", (additionalProperties) => {
    const check = own({ properties: { a: {} }, additionalProperties, minProperties: 1 });
    for (const count of [40_000, 380_000]) {
      const value = Object.fromEntries(indexes(count).map((index) => [`k${index}`, 1]));
      expect(timed(() => expect(check(value)).toBeDefined())).toBeLessThan(SHORT);
    }
  });

  it("includes long strings with many limits on their length", () => {
    const anyOf = indexes(1900).map((maxLength) => ({ maxLength }));
    expect(timed(() => expect(own({ anyOf })("x".repeat(4e6))).toBeDefined())).toBeLessThan(SHORT);
  });

  it("rejects values that are too deep, and accepts wide ones", () => {
    const check = own({ additionalProperties: { $ref: "#" }, minProperties: 0 });
    const wide = Object.fromEntries(indexes(50_001).map((index) => [`k${index}`, {}]));
    const cyclic: { self?: object; other?: object } = {};
    cyclic.self = cyclic.other = cyclic;
    for (const value of [nested(256, (self) => ({ self })), cyclic]) {
      expect(check(value)?.[0]?.expected).toContain("at most 256 levels");
    }
    for (const value of [nested(255, (self) => ({ self })), wide, [wide]]) {
      expect(check(value)).toBeUndefined();
    }
  });

  it("limits the patterns for one string", () => {
    const check = own({ format: "regex" });
    expect(check("^a$")).toBeUndefined();
    expect(check("(")).toBeDefined();
    expect(check("a".repeat(10_001))?.[0]?.expected).toContain("at most 10000 characters");
    expect(timed(() => check("(?:a)".repeat(800_000)))).toBeLessThan(SHORT);
  });
});

/** Creates a schema that applies itself to all members of all objects, in the given number of branches. */
function chain(branches: number): object {
  return {
    allOf: indexes(branches).map(() => ({ $ref: "#/$defs/n" })),
    $defs: { n: { type: "object", additionalProperties: { $ref: "#/$defs/n" } } },
  };
}
