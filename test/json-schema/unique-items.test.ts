import { describe, expect, it } from "vitest";
import { jsonSchemas } from "../../runtime/json-schema/index.js";
import { indexes, LONG, SHORT } from "./sizes.js";
import { timed } from "../support/timed.js";

const own = jsonSchemas();
const foreign = jsonSchemas({ trust: "foreign" });

/** Arrays with unique items, at every level. */
const nestedUnique = { uniqueItems: true, items: { $ref: "#/$defs/n" } };

describe("uniqueItems in linear time", () => {
  it.each([3, 64, 65, 1000])("finds equal items among %i, and none if there are none", (count) => {
    const check = own({ uniqueItems: true });
    expect(check(objects(count))).toBeUndefined();
    expect(check([...objects(count - 1), { more: [0], index: 0 }])).toBeDefined();
    expect(check(indexes(count))).toBeUndefined();
    expect(check([...indexes(count - 1), 0])).toBeDefined();
  });

  it("distinguishes values of different types", () => {
    const kinds = [
      1,
      "1",
      true,
      "true",
      null,
      "null",
      [],
      {},
      "[]",
      "{}",
      [1],
      ["1"],
      0,
      false,
      "",
    ];
    const many = [...kinds, ...indexes(100).map((index) => `filler ${index}`)];
    expect(own({ uniqueItems: true })(many)).toBeUndefined();
    expect(own({ uniqueItems: true })(kinds)).toBeUndefined();
  });

  it("applies only to the array that it belongs to", () => {
    const check = own({ properties: { tags: { uniqueItems: true } } });
    const values = indexes(5000).map(() => 7);
    expect(check({ tags: ["a", "b"], values })).toBeUndefined();
    expect(check({ tags: ["a", "a"], values })).toBeDefined();
    expect(check({ tags: indexes(100), values })).toBeUndefined();
    expect(check({ tags: [...indexes(100), 0], values: [] })).toBeDefined();
    expect(check({ tags: "aa", values })).toBeUndefined();
  });

  it("handles 100 000 items", () => {
    const check = jsonSchemas({ limits: { time: LONG } })({ uniqueItems: true });
    expect(timed(() => expect(check(objects(100_000))).toBeUndefined())).toBeLessThan(LONG);
  });

  it("handles any size and depth together with other values", () => {
    let extra: unknown = "x".repeat(400_000);
    for (let depth = 0; depth < 200; depth++) extra = [extra, ...indexes(65)];
    for (const compile of [own, foreign]) {
      const tags = compile({ properties: { tags: { uniqueItems: true } } });
      expect(timed(() => expect(tags({ tags: indexes(65), extra })).toBeUndefined())).toBeLessThan(
        SHORT,
      );
      const all = compile({ $ref: "#/$defs/n", $defs: { n: nestedUnique } });
      expect(timed(() => all(extra))).toBeLessThan(SHORT);
    }
    const large = indexes(64).map((last) => [...indexes(5000), last]);
    expect(timed(() => expect(own({ uniqueItems: true })(large)).toBeUndefined())).toBeLessThan(
      SHORT,
    );
  });

  it("works inside alternatives", () => {
    const check = own({ anyOf: [{ uniqueItems: true }, { maxItems: 2 }] });
    expect(check([1, 1])).toBeUndefined();
    expect(check([1, 1, 1])).toBeDefined();
    expect(own({ not: { uniqueItems: true } })(indexes(100))).toBeDefined();
    expect(own({ not: { uniqueItems: true } })([...indexes(100), 0])).toBeUndefined();
  });
});

function objects(count: number): object[] {
  return indexes(count).map((index) => ({ index, more: [index] }));
}
