import { describe, expect, it } from "vitest";
import { jsonSchemas, SchemaError } from "../../../runtime/json-schema/index.js";
import { patternBound } from "../../../runtime/json-schema/pattern-bound.js";

const own = jsonSchemas();
const foreign = jsonSchemas({ trust: "foreign" });

/** Far more than any of this takes, and far less than what it would take without bounds. */
const LONG = 10_000;

/** Milliseconds that something takes. */
function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

describe("S01 patterns of foreign schemas", () => {
  it.each([
    "^(a+)+$",
    "^(a*)*$",
    "(a|a)*$",
    "(a|aa)+$",
    "^(?:(?!x)a|a)*$",
    "([a-z]+-?)*!",
    "^(\\w+\\s?)*$",
    "(x+x+)+y",
    "^((a{1,5}){1,5}){1,5}$",
    "(a?){40}a{40}",
    `^${"a?".repeat(40)}${"a".repeat(40)}$`,
    "^(a+)\\1$",
    "^(?<x>a+)\\k<x>$",
    "a{1,60000}b{1,60000}",
    "a".repeat(1001),
  ])("%s is refused", (pattern) => {
    expect(() => foreign({ pattern })).toThrow(SchemaError);
    expect(() => foreign({ patternProperties: { [pattern]: {} } })).toThrow(SchemaError);
  });

  it.each([
    ["^[a-z]+$", "abc", "ABC"],
    ["^[^@]+@[^@]+\\.[^@]+$", "a@b.c", "a@b"],
    [
      "^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$",
      `12345678-${"abcd-".repeat(3)}${"0".repeat(12)}`,
      "1",
    ],
    ["^(?:25[0-5]|1\\d\\d|\\d{1,2})(?:\\.\\d{1,3}){3}$", "127.0.0.1", "127.0.0"],
    ["^(?:ab|cd)*$", "abcdab", "abc"],
    ["^(?=.*\\d)(?=.*[a-z]).{4,20}$", "abc1", "abcd"],
    ["\\bfoo\\b", "a foo b", "afoob"],
    ["^\\p{L}+(?: \\p{L}+)?$", "Žofie Černá", "1"],
    ["^[\\]\\[()|*+?{}]$", "(", "a"],
    ["^\\u{1F600}$", "😀", "😁"],
  ])("%s is applied", (pattern, good, bad) => {
    const check = foreign({ pattern });
    expect(check(good)).toBeUndefined();
    expect(check(bad)).toBeDefined();
  });

  it("the strings that they are matched with are limited, so that none takes long", () => {
    for (const pattern of ["a*a*a*b", "^[^@]+@[^@]+\\.[^@]+$", "x+y", "^(?=.*a)(?=.*b).*c$"]) {
      const bound = patternBound(pattern)!;
      expect(bound).toBeGreaterThan(30);
      const check = foreign({ pattern });
      for (const text of ["a".repeat(bound), "x".repeat(bound), "a".repeat(1_000_000)]) {
        expect(timed(() => expect(check(text)).toBeDefined())).toBeLessThan(LONG);
      }
      const issues = check("a".repeat(bound + 1_000_000));
      expect(issues?.[0]?.expected).toContain(`at most ${bound} characters`);
    }
  });

  it("the names that patternProperties are matched with as well, beside additionalProperties", () => {
    const check = foreign({
      properties: { name: { type: "string" } },
      patternProperties: { "^x-[a-z]+$": { type: "number" } },
      additionalProperties: false,
      $defs: { name: { $ref: "#/properties/name" } },
    });
    expect(check({ name: "a", "x-a": 1 })).toBeUndefined();
    expect(check({ name: 1 })).toBeDefined();
    expect(check({ "x-a": "1" })).toBeDefined();
    expect(check({ other: 1 })).toBeDefined();
    const long = foreign({ patternProperties: { "^a*b": {} } });
    expect(long({ ["a".repeat(100_000)]: 1 })?.[0]?.expected).toContain("at most");
    const names = indexes(10_000).map((index) => ["a".repeat(200) + index, 1]);
    expect(timed(() => long(Object.fromEntries(names)))).toBeLessThan(LONG);
    expect(() => foreign({ patternProperties: { "a*a*a*b": {} } })).toThrow(SchemaError);
  });

  it("are as they are in own schemas, whose author is trusted", () => {
    const check = own({ pattern: "^(a+)+$" });
    expect(check("aaa")).toBeUndefined();
    expect(own({ pattern: "^[a-z]+$" })("a".repeat(1_000_000))).toBeUndefined();
  });
});

describe("S03 SCH-10 schemas that are too large", () => {
  it.each([
    ["branches", { anyOf: Array.from({ length: 100_000 }, () => ({ type: "string" })) }],
    ["properties", { properties: Object.fromEntries(indexes(100_000).map((i) => [`p${i}`, {}])) }],
    ["values of an enum", { enum: indexes(300_000) }],
    ["levels", nested(10_000, (inner) => ({ not: inner }))],
    ["levels of a const", { const: nested(10_000, (inner) => [inner]) }],
    [
      "schemas with an $id in each other",
      nested(40, (not) => ({ $id: "https://a.example/", not })),
    ],
  ])("%s", (_, schema) => {
    const work = () => expect(() => own(schema)).toThrow(SchemaError);
    expect(timed(work)).toBeLessThan(LONG);
  });

  it("a schema of a megabyte that says little is no problem", () => {
    const check = own({ type: "string", description: "x".repeat(1_000_000) });
    expect(check("a")).toBeUndefined();
  });

  it("one that contains itself is refused", () => {
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

describe("S03 SCH-10 checks that would take for ever do not fit", () => {
  it.each(["allOf", "anyOf", "oneOf"])(
    "references that double with each level of %s",
    (keyword) => {
      for (const compile of [jsonSchemas({ limits: { work: 100_000 } }), foreign]) {
        const check = compile(doubling(keyword));
        for (const value of [null, 1]) {
          const took = timed(() => expect(check(value)?.[0]?.expected).toContain("effort"));
          expect(took).toBeLessThan(LONG);
        }
      }
    },
  );

  it("does no such thing to the next check", () => {
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

  it("many alternatives for many items", () => {
    const anyOf = indexes(900).map((value) => ({ properties: { a: { const: value } } }));
    const check = foreign({ items: { anyOf } });
    const took = timed(() => expect(check(indexes(10_000).map(() => ({ a: -1 })))).toBeDefined());
    expect(took).toBeLessThan(LONG);
  });

  it.each(["enum", "required"])("long lists under %s, for many items", (keyword) => {
    const long = { [keyword]: indexes(5000).map((index) => `value ${index}`) };
    for (const items of [{ anyOf: [long, {}] }, { allOf: [{ not: long }] }]) {
      const took = timed(() => foreign({ items })(indexes(50_000).map(() => ({}))));
      expect(took).toBeLessThan(LONG);
    }
  });

  it("as many errors as there are items", () => {
    const issues = own({ items: { type: "string" } })(indexes(100_000));
    expect(issues?.length).toBeGreaterThan(0);
    expect(own({ contains: { type: "string" } })(indexes(100_000))).toBeDefined();
  });
});

describe("uniqueItems in linear time", () => {
  it.each([3, 64, 65, 1000])(
    "finds equal items among %i, and none where there is none",
    (count) => {
      const check = own({ uniqueItems: true });
      expect(check(objects(count))).toBeUndefined();
      expect(check([...objects(count - 1), { more: [0], index: 0 }])).toBeDefined();
      expect(check(indexes(count))).toBeUndefined();
      expect(check([...indexes(count - 1), 0])).toBeDefined();
    },
  );

  it("tells values of different types from each other", () => {
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

  it("is about the array that has to be without repetition, not about others", () => {
    const check = own({ properties: { tags: { uniqueItems: true } } });
    const values = indexes(5000).map(() => 7);
    expect(check({ tags: ["a", "b"], values })).toBeUndefined();
    expect(check({ tags: ["a", "a"], values })).toBeDefined();
  });

  it("100 000 items", () => {
    const check = own({ uniqueItems: true });
    expect(timed(() => expect(check(objects(100_000))).toBeUndefined())).toBeLessThan(LONG);
  });

  it("inside alternatives", () => {
    const check = own({ anyOf: [{ uniqueItems: true }, { maxItems: 2 }] });
    expect(check([1, 1])).toBeUndefined();
    expect(check([1, 1, 1])).toBeDefined();
    expect(own({ not: { uniqueItems: true } })(indexes(100))).toBeDefined();
    expect(own({ not: { uniqueItems: true } })([...indexes(100), 0])).toBeUndefined();
  });
});

describe("formats in linear time", () => {
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

function indexes(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function nested(levels: number, wrap: (inner: object) => object): object {
  let schema = {};
  for (let level = 0; level < levels; level++) schema = wrap(schema);
  return schema;
}

function objects(count: number): object[] {
  return indexes(count).map((index) => ({ index, more: [index] }));
}

/** References that double with each of 40 levels. */
function doubling(keyword: string): { $defs: object; $ref: string } {
  const levels = indexes(40).map((level) => {
    const $ref = `#/$defs/d${level + 1}`;
    return [`d${level}`, { [keyword]: [{ $ref }, { $ref }] }] as const;
  });
  const $defs = Object.fromEntries([...levels, ["d40", { type: "null" }]]);
  return { $defs, $ref: "#/$defs/d0" };
}
