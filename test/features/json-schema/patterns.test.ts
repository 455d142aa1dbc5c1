import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchemas, SchemaError } from "../../../runtime/json-schema/index.js";
import { patternBound } from "../../../runtime/json-schema/pattern-bound.js";
import { indexes, LONG } from "./sizes.js";
import { timed } from "../../support/timed.js";

const own = jsonSchemas();
const foreign = jsonSchemas({ trust: "foreign" });

describe("patterns of untrusted schemas (S01)", () => {
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
    "^(a*){60}c",
    "^(a*){90}c",
    "^(a*a*){45}c",
    "(a*a*a+){40}c",
    "^(\\w*){88}$",
    "^\\B.{0,3}|(a*?[ab]*?){40}c",
    "^a*a*a*a*a*$",
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
    ["^(?:[01]\\d|2[0-3]):[0-5]\\d(?:\\.\\d+)?$", "23:59.1", "24:00"],
    ["^$|^(?:[\\w+/]{4})*(?:[\\w+/]{2}==|[\\w+/]{3}=)?$", "abcdab==", "abc"],
  ])("%s is applied", (pattern, good, bad) => {
    const check = foreign({ pattern });
    expect(check(good)).toBeUndefined();
    expect(check(bad)).toBeDefined();
  });

  it("never take long, also when interpreted", () => {
    for (const pattern of [
      "a{2,3}?a*\\w{10}c",
      "a{3,}.{40}c",
      "a*a*a*c",
      "^a*a*a*a*$",
      "^(a*){3}c",
    ]) {
      const text = "a".repeat(patternBound(pattern)!);
      expect(timed(() => RegExp(pattern, "u").test(text))).toBeLessThan(250);
    }
  });

  it("are refused with group modifiers, which only some engines know", () => {
    expect(patternBound("(?i:a|A)*b")).toBeUndefined();
  });

  it("are matched with strings of limited length, so that none takes long", () => {
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

  it("limit names under patternProperties as well, beside additionalProperties", () => {
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

  it("report how long a name may be", () => {
    const check = foreign({ propertyNames: { pattern: "a*b" } });
    expect(check({ ["a".repeat(10_000)]: 1 })?.[0]?.expected).toContain("at most");
    expect(foreign({ propertyNames: false })({ a: 1 })?.[0]?.expected).toBe("another name");
  });

  it.each([
    ["email", z.email(), "first.last@mail.example.com", "first.last@mail"],
    ["hostname", z.hostname(), "a-b.example", "-"],
    ["duration", z.iso.duration(), "P1DT2H", "P"],
    ["date-time", z.iso.datetime({ offset: true }), "2025-01-02T03:04:05+01:00", "2025-01-02"],
    ["ipv6", z.ipv6(), "2001:db8::1", "2001:db8"],
    ["base64", z.base64(), "YWI=", "YWI"],
    ["emoji", z.emoji(), "😀", "a"],
  ])("are accepted in trusted schemas made by zod: %s", (_, type, good, bad) => {
    const check = own(z.toJSONSchema(type));
    expect(check(good)).toBeUndefined();
    expect(check(bad)).toBeDefined();
  });

  it.each([
    ["^[^@\\s]+@[^@\\s]+\\.[a-z]+$", "a@b.cd"],
    ["^(.*)$", "anything"],
    ["^(0|[1-9][0-9]*)$", "10"],
    ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "a-slug"],
    ["^(?:[\\w+-]+\\.)*[\\w+-]+@(?:[\\da-z-]+\\.)+[a-z]{2,}$", "a.b@c.de"],
  ])("are accepted in trusted schemas made by other libraries: %s", (pattern, good) => {
    expect(own({ pattern })(good)).toBeUndefined();
    expect(own({ patternProperties: { [pattern]: true } })({ [good]: 1 })).toBeUndefined();
  });

  it("are used unchanged in trusted schemas", () => {
    const check = own({ pattern: "^(a+)+$" });
    expect(check("aaa")).toBeUndefined();
    expect(own({ pattern: "^[a-z]+$" })("a".repeat(1_000_000))).toBeUndefined();
  });
});
