import { toJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { jsonSchemas, SchemaError } from "../../runtime/json-schema/index.js";
import { indexes, LONG, SHORT } from "./sizes.js";
import { timed } from "../support/timed.js";

const own = jsonSchemas();
const foreign = jsonSchemas({ trust: "foreign" });

describe("patterns of untrusted schemas (S01)", () => {
  it.each([
    ["^(a+)+$", "a", false],
    ["^(a*)*$", "a", false],
    ["(a|a)*$", "a", true],
    ["(a|aa)+$", "a", false],
    ["^(?:(?!x)a|a)*$", "a", false],
    ["([a-z]+-?)*!", "a", true],
    ["^(\\w+\\s?)*$", "a", false],
    ["(x+x+)+y", "x", false],
    ["^((a{1,5}){1,5}){1,5}$", "a", false],
    ["(a?){40}a{40}", "a", true],
    [`^${"a?".repeat(40)}${"a".repeat(40)}$`, "a", false],
    ["a".repeat(1001), "a", false],
    ["^(a*){60}c", "a", false],
    ["^(a*a*){45}c", "a", false],
    ["(a*a*a+){40}c", "a", false],
    ["^(\\w*){88}$", "a", false],
    ["^\\B.{0,3}|(a*?[ab]*?){40}c", "a", false],
    ["^a*a*a*a*a*$", "a", false],
    ["a{2,3}?a*\\w{10}c", "a", false],
    ["a{3,}.{40}c", "a", false],
    ["^(?=(a+)+$)(?!(a|aa)+c)", "a", false],
    ["(?<=(a|aa)+b)c", "a", false],
  ])("%s takes bounded time", (pattern, unit, fits) => {
    const checks = [foreign({ pattern }), foreign({ patternProperties: { [pattern]: false } })];
    for (const length of [100, 50_000]) {
      for (const text of [unit.repeat(length), `${unit.repeat(length)}!`]) {
        expect(timed(() => checks[0]!(text))).toBeLessThan(SHORT);
        expect(timed(() => checks[1]!({ [text]: 1 }))).toBeLessThan(SHORT);
      }
    }
    expect(checks[0]!(`${unit.repeat(100)}!`) === undefined).toBe(fits);
  });

  it.each([
    ["^(a+)\\1$", "back references"],
    ["^(?<x>a+)\\k<x>$", "back references"],
    ["a{1,60000}b{1,60000}", "repeats too much"],
    ["(?:((a{100}){100}){100})", "repeats too much"],
    ["(?:){0,1000000}", "repeats too much"],
    ["a".repeat(10_001), "too long"],
    ["(".repeat(200) + ")".repeat(200), "groups"],
  ])("%s is rejected by name", (pattern, reason) => {
    for (const schema of [{ pattern }, { patternProperties: { [pattern]: {} } }]) {
      const refusal = (): unknown => foreign({ items: schema });
      expect(refusal).toThrow(SchemaError);
      expect(refusal).toThrow(reason);
      expect(refusal).toThrow("/items/pattern");
    }
  });

  it("limit names under patternProperties as well, also with additionalProperties", () => {
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
    const names = indexes(10_000).map((index) => ["a".repeat(200) + index, 1]);
    expect(timed(() => long(Object.fromEntries(names)))).toBeLessThan(LONG);
    const huge = foreign({ patternProperties: { "a*a*a*b": {} } });
    expect(timed(() => huge({ ["a".repeat(4_000_000)]: 1 }))).toBeLessThan(LONG);
  });

  it("end with the time limit of the check", () => {
    const check = foreign({ pattern: "^(a?){3000}$" });
    const took = timed(() => expect(check("a".repeat(100_000))?.[0]?.expected).toContain("effort"));
    expect(took).toBeLessThan(SHORT);
  });
});

const base64Url = "eyJhbGciOiJIUzI1NiJ9";

/** Schemas that libraries emit for their string types, each with a value that fits and one that does not. */
const emitted: readonly (readonly [name: string, schema: object, good: string, bad: string])[] = [
  ...(
    [
      ["email", z.email(), "first.last@mail.example.com", "first.last@mail"],
      ["html5 email", z.email({ pattern: z.regexes.html5Email }), "a@b", "a@"],
      ["unicode email", z.email({ pattern: z.regexes.unicodeEmail }), "a@b.de", "a b@x.de"],
      ["hostname", z.hostname(), "a-b.example", "-"],
      ["duration", z.iso.duration(), "P1DT2H", "P"],
      ["date", z.iso.date(), "2024-02-29", "2023-02-29"],
      ["time", z.iso.time(), "23:59:59.5", "24:00:00"],
      ["date-time", z.iso.datetime({ offset: true }), "2025-01-02T03:04:05+01:00", "2025-01-02"],
      ["local", z.iso.datetime({ local: true }), "2025-01-02T03:04:05", "2025-01-02T"],
      ["ipv4", z.ipv4(), "127.0.0.1", "127.0.0"],
      ["ipv6", z.ipv6(), "2001:db8::1", "2001:db8"],
      ["cidrv4", z.cidrv4(), "10.0.0.0/8", "10.0.0.0/33"],
      ["cidrv6", z.cidrv6(), "2001:db8::/32", "2001:db8::"],
      ["mac", z.mac(), "00:1A:2B:3C:4D:5E", "00:1A"],
      ["uuid", z.uuid(), "123e4567-e89b-42d3-a456-426614174000", "123e4567"],
      ["uuid v7", z.uuidv7(), "018f4567-e89b-72d3-a456-426614174000", "018f4567"],
      ["guid", z.guid(), "123e4567-e89b-02d3-0456-426614174000", "{}"],
      ["cuid", z.cuid(), "cjld2cjxh0000qzrmn831i7rn", "!"],
      ["cuid2", z.cuid2(), "tz4a98xxat96iws9zmbrgj3a", "T!"],
      ["ulid", z.ulid(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3"],
      ["xid", z.xid(), "9m4e2mr0ui3e8a215n4g", "9m4e"],
      ["ksuid", z.ksuid(), "0ujtsYcgvSTl8PAuAdqWYSMnLOv", "0ujt"],
      ["nanoid", z.nanoid(), "V1StGXR8_Z5jdHi6B-myT", "V1St"],
      ["base64", z.base64(), "YWI=", "YWI"],
      ["base64url", z.base64url(), "YWI_", "YWI="],
      ["hex", z.hex(), "00ff", "xyz"],
      ["e164", z.e164(), "+420123456789", "420123456789"],
      ["emoji", z.emoji(), "😀", "a"],
      ["lowercase", z.string().lowercase(), "abc", "aBc"],
      ["uppercase", z.string().uppercase(), "ABC", "aBC"],
      ["includes", z.string().includes("a.b"), "xa.bx", "xaxbx"],
      ["startsWith", z.string().startsWith("a."), "a.b", "ab"],
      ["endsWith", z.string().endsWith("!"), "a!", "a"],
      ["template", z.templateLiteral(["v", z.number(), "-", z.string()]), "v1.5-x", "v-x"],
    ] as const
  ).map(([name, zod, good, bad]) => [`zod ${name}`, z.toJSONSchema(zod), good, bad] as const),
  ...(
    [
      ["bic", v.bic(), "DEUTDEFF500", "DEUTDE00"],
      ["cuid2", v.cuid2(), "tz4a98", "9"],
      ["decimal", v.decimal(), "-1.5", "1."],
      ["digits", v.digits(), "123", "1a"],
      ["emoji", v.emoji(), "👨‍👩‍👧😀", "a"],
      ["hexColor", v.hexColor(), "#a1b2c3", "#a1"],
      ["hexadecimal", v.hexadecimal(), "0x1f", "0y"],
      ["ipv4", v.ipv4(), "127.0.0.1", "127.0.0"],
      ["isoDate", v.isoDate(), "2025-01-02", "2025-13-02"],
      ["isoTimeSecond", v.isoTimeSecond(), "23:59:59", "23:59"],
      ["isoWeek", v.isoWeek(), "2025-W01", "2025-W54"],
      ["mac", v.mac(), "00:1A:2B:3C:4D:5E", "00:1A"],
      ["nanoid", v.nanoid(), "V1StGXR8", "!"],
      ["octal", v.octal(), "0o17", "0o8"],
      ["slug", v.slug(), "a-slug_1", "a--b"],
      ["ulid", v.ulid(), "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3"],
      ["uuid", v.uuid(), "123e4567-e89b-42d3-a456-426614174000", "123e4567"],
      ["email", v.email(), "a@example.com", "a@"],
      ["domain", v.domain(), "mail.example.com", "-a.com"],
      ["jws", v.jwsCompact(), `${base64Url}.${base64Url}.${base64Url}`, "a.b"],
    ] as const
  ).map(([name, action, good, bad]) => {
    const schema = toJsonSchema(v.pipe(v.string(), action as v.GenericPipeAction<string>));
    return [`valibot ${name}`, schema, good, bad] as const;
  }),
  ...(
    [
      ["string.alphanumeric", "a1", "a-"],
      ["string.base64", "YWI=", "YWI"],
      ["string.base64.url", "YWI%3D", "YW%"],
      ["string.digits", "12", "1a"],
      ["string.email", "a.b@c.de", "a.b@c"],
      ["string.hex", "0f", "g"],
      ["string.integer", "-12", "-0"],
      ["string.ip", "::ffff:1.2.3.4", "1.2.3"],
      ["string.ip.v4", "1.2.3.4", "1.2.3.4.5"],
      ["string.numeric", "-1.5", "-0.0"],
      ["string.semver", "1.2.3-rc.1+build", "1.2"],
      ["string.uuid", "123e4567-e89b-42d3-a456-426614174000", "123e4567"],
      ["string.uuid.v7", "018f4567-e89b-72d3-a456-426614174000", "018f4567"],
      ["string.capitalize.preformatted", "Abc", "abc"],
      ["string.trim.preformatted", "a b", " a"],
    ] as const
  ).map(([name, good, bad]) => [`arktype ${name}`, type(name).toJsonSchema(), good, bad] as const),
];

describe("patterns that libraries emit", () => {
  it.each(emitted)("%s works in trusted and untrusted schemas", (_, schema, good, bad) => {
    for (const compile of [own, foreign]) {
      const check = compile(schema);
      expect(check(good)).toBeUndefined();
      expect(check(bad)).toBeDefined();
      for (const unit of [good, "1."]) {
        if (compile === foreign) expect(timed(() => check(unit.repeat(5000)))).toBeLessThan(SHORT);
      }
    }
  });

  it("with back references are rejected in untrusted schemas only: dates of arktype", () => {
    const schema = type("string.date.iso").toJsonSchema();
    expect(own(schema)("2025-01-02")).toBeUndefined();
    expect(own(schema)("2025-0102")).toBeDefined();
    expect(() => foreign(schema)).toThrow("back references");
  });

  it("are used unchanged in trusted schemas", () => {
    const check = own({ pattern: "^(a+)+$" });
    expect(check("aaa")).toBeUndefined();
    expect(own({ pattern: "^[a-z]+$" })("a".repeat(1_000_000))).toBeUndefined();
  });
});
