import { describe, expect, test } from "vitest";
import { valueAt } from "../../../../runtime/wire/index.js";
import { decodeHeaderValue, headerValueOf } from "../../../../runtime/wire/header-values/index.js";
import { paramHeadersOf } from "../../../../runtime/wire/param-headers/index.js";

const annotated = (annotation: unknown, type: unknown = "string"): object => ({
  type: "object",
  properties: { a: { type, "x-mcp-header": annotation } },
});
const region = { type: "string", "x-mcp-header": "Region" };

describe("annotated arguments", () => {
  test("may be properties, and nested properties (XH-01, XH-08, XH-11)", () => {
    const schema = {
      type: "object",
      properties: {
        region,
        plain: { type: "string" },
        place: {
          type: "object",
          properties: { rank: { type: "integer", "x-mcp-header": "Rank" } },
        },
        urgent: { type: "boolean", "x-mcp-header": "URGENT" },
      },
    };
    expect(paramHeadersOf(schema)).toEqual([
      { header: "Mcp-Param-Region", field: "mcp-param-region", path: ["region"], type: "string" },
      {
        header: "Mcp-Param-Rank",
        field: "mcp-param-rank",
        path: ["place", "rank"],
        type: "integer",
      },
      { header: "Mcp-Param-URGENT", field: "mcp-param-urgent", path: ["urgent"], type: "boolean" },
    ]);
  });

  test("may use the header name Method (XH-19)", () => {
    expect(paramHeadersOf(annotated("Method"))[0]?.header).toBe("Mcp-Param-Method");
  });

  test("are found by their place in the schema only", () => {
    const schema = {
      type: "object",
      properties: { "x-mcp-header": { type: "string" }, a: { const: { "x-mcp-header": "" } } },
      default: { "x-mcp-header": 5 },
      enum: [{ "x-mcp-header": 5 }],
    };
    expect(paramHeadersOf(schema)).toEqual([]);
    expect(paramHeadersOf(undefined)).toEqual([]);
    expect(paramHeadersOf(true)).toEqual([]);
  });

  test.each([
    ["XH-03", ""],
    ["XH-03", 5],
    ["XH-03", null],
    ["XH-04", "two words"],
    ["XH-04", "Region:Primary"],
    ["XH-04", "R\r\nX-Evil: 1"],
    ["XH-04", "R\t1"],
    ["XH-04", "Größe"],
    ["XH-04", "\u0000"],
  ])("violate %s with %j", (_, name) => {
    expect(() => paramHeadersOf(annotated(name))).toThrow(TypeError);
  });

  test("are quoted in messages with limited length and without control characters (XH-04)", () => {
    const name = `\u001b[31m${"x".repeat(5000)}\n`;
    const thrown = (() => {
      try {
        paramHeadersOf(annotated(name));
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(thrown?.length).toBeLessThan(300);
    expect(thrown).not.toMatch(/\p{Cc}/u);
  });

  test("must not repeat a name in another case (XH-05)", () => {
    const properties = { a: region, b: { type: "string", "x-mcp-header": "REGION" } };
    expect(() => paramHeadersOf({ type: "object", properties })).toThrow(/repeats/);
  });

  test.each([["number"], ["object"], ["array"], ["null"], [["string", "null"]]])(
    "must not have the type %j (XH-06)",
    (type) => {
      expect(() => paramHeadersOf(annotated("A", type))).toThrow(
        /"string", "integer" or "boolean"/,
      );
    },
  );

  test("need a type (XH-06)", () => {
    expect(() => paramHeadersOf({ properties: { a: { "x-mcp-header": "A" } } })).toThrow(TypeError);
  });

  test.each([
    ["the schema itself", region],
    ["items", { properties: { a: { type: "array", items: region } } }],
    ["prefixItems", { properties: { a: { prefixItems: [region] } } }],
    ["properties of items", { properties: { a: { items: { properties: { b: region } } } } }],
    ["oneOf", { oneOf: [{ properties: { a: region } }] }],
    ["anyOf", { properties: { a: { anyOf: [region, { type: "null" }] } } }],
    ["allOf", { allOf: [{ properties: { a: region } }] }],
    ["not", { not: { properties: { a: region } } }],
    ["else", { if: {}, else: { properties: { a: region } } }],
    ["$defs", { $defs: { a: region } }],
    ["properties of $defs", { $defs: { a: { properties: { b: region } } } }],
    ["additionalProperties", { additionalProperties: region }],
    ["patternProperties", { patternProperties: { "^a": region } }],
    ["dependentSchemas", { dependentSchemas: { a: { properties: { b: region } } } }],
  ])("must not be in %s (XH-08)", (_, schema) => {
    expect(() => paramHeadersOf({ type: "object", ...schema })).toThrow(TypeError);
  });

  test("are read from own properties only (XH-11)", () => {
    expect(valueAt({ place: { city: "Rome" } }, ["place", "city"])).toBe("Rome");
    expect(valueAt({ place: {} }, ["place", "toString"])).toBeUndefined();
    expect(valueAt({ place: "Rome" }, ["place", "length"])).toBeUndefined();
    expect(valueAt(undefined, ["place"])).toBeUndefined();
  });
});

describe("header values", () => {
  test.each([
    ["us-west1", "us-west1"],
    ["us west 1", "us west 1"],
    ["", ""],
    [42, "42"],
    [-7, "-7"],
    [0, "0"],
    [true, "true"],
    [false, "false"],
    [" padded ", "=?base64?IHBhZGRlZCA=?="],
    ["\tindented", "=?base64?CWluZGVudGVk?="],
    ["line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["line1\r\nline2", "=?base64?bGluZTENCmxpbmUy?="],
    ["日本語", "=?base64?5pel5pys6Kqe?="],
    ["Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    ["a\tb", "=?base64?YQli?="],
    ["=?base64?SGVsbG8=?=", "=?base64?PT9iYXNlNjQ/U0dWc2JHOD0/PQ==?="],
    ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
    ["=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="],
  ])(
    "are written for %j as %s, and read back (HVAL-01, HVAL-02, HVAL-03, HVAL-07)",
    (value, written) => {
      expect(headerValueOf(value)).toBe(written);
      expect(decodeHeaderValue(written)).toBe(String(value));
    },
  );

  test("are written and read when long (HVAL-02)", () => {
    const value = "ü".repeat(200_000);
    expect(decodeHeaderValue(headerValueOf(value))).toBe(value);
  });

  test.each([[2 ** 53], [-(2 ** 53)], [1.5], [Number.NaN], [Infinity]])(
    "are rejected for the number %d (XH-07)",
    (value) => {
      expect(() => headerValueOf(value)).toThrow(TypeError);
    },
  );
});

describe("header values of a request", () => {
  test.each([
    ["=?base64?SGVsbG8=?=", "Hello"],
    ["=?base64??=", ""],
    ["SGVsbG8=", "SGVsbG8="],
    ["=?base64?SGVsbG8=", "=?base64?SGVsbG8="],
    ["SGVsbG8=?=", "SGVsbG8=?="],
    ["=?BASE64?SGVsbG8=?=", "=?BASE64?SGVsbG8=?="],
    ["=?Base64?SGVsbG8=?=", "=?Base64?SGVsbG8=?="],
    ["=?base64?=", "=?base64?="],
    ["  foo \t", "foo"],
    ["a\tb", "a\tb"],
  ])("are read from %j as %j (HVAL-04, HDR-12)", (field, value) => {
    expect(decodeHeaderValue(field)).toBe(value);
  });

  test.each([
    ["lacking padding", "=?base64?SGVsbG8?="],
    ["an invalid alphabet", "=?base64?SGVs!!!bG8=?="],
    ["too much padding", "=?base64?SGVsbG8==?="],
    ["the URL alphabet", "=?base64?-_-_?="],
    ["a blank inside", "=?base64?SGVs bG8=?="],
    ["unused bits that are set", "=?base64?SGVsbG9=?="],
    ["no UTF-8", "=?base64?/w==?="],
    ["an overlong form", "=?base64?wK8=?="],
    ["raw UTF-8", "æ\u0097¥"],
    ["a line break", "a\r\nX-Evil: 1"],
    ["a NUL character", "a\u0000"],
    ["a DEL character", "a\u007f"],
  ])("are refused: %s (HVAL-06, XH-14, H19)", (_, field) => {
    expect(decodeHeaderValue(field)).toBeUndefined();
  });

  test("are refused in linear time (HVAL-06)", () => {
    // A quadratic algorithm would exceed the test's time limit.
    for (const field of [" ".repeat(500_000) + "é", `=?base64?${"A".repeat(500_001)}?=`]) {
      expect(decodeHeaderValue(field)).toBeUndefined();
    }
  });
});
