import { describe, expect, test } from "vitest";
import { issuesOf, smallShape, smallText, smallValidators } from "./small.js";

/** The values that a type accepts, and those that it refuses. */
const CASES: readonly (readonly [
  schema: string,
  accepted: readonly unknown[],
  refused: readonly unknown[],
])[] = [
  ["type T = number", [0, -1, 1e300, -0], [0.5, "1", NaN, Infinity, 1n, null, undefined]],
  ["/** @TJS-type number */ type T = number", [0, 0.5], [NaN, -Infinity, "1"]],
  ["/** @TJS-type integer */ type T = number | boolean", [0, true], [0.5]],
  ["type T = number | boolean", [0.5, true], [NaN, "x"]],
  ["type N = number; type T = N | boolean", [0.5, 1], [null]],
  ["type N = number; type T = N | string", [1, ""], [0.5]],
  [
    "interface T { /**\n * @minimum 1\n * @maximum 3\n */ n: number }",
    [{ n: 1 }, { n: 3 }],
    [{ n: 0 }, { n: 4 }],
  ],
  ["type N = number; interface T { /** @minimum 1 */ n: N }", [{ n: 1 }], [{ n: 0 }]],
  ["interface T { /** @minimum 1 */ n: number | string }", [{ n: 1 }, { n: "" }], [{ n: 0 }]],
  [
    "interface T { /**\n * @minLength 1\n * @maxLength 2\n */ s: string }",
    [{ s: "a" }, { s: "😀😀" }],
    [{ s: "" }, { s: "abc" }],
  ],
  [
    "interface T { /** @pattern b/\\p{L} */ s: string }",
    [{ s: "ab/é" }],
    [{ s: "ab/1" }, { s: 1 }],
  ],
  [
    'interface T { /**\n * @minLength 2\n * @pattern ^"a+$\n */ s?: string }',
    [{ s: '"a' }, {}],
    [{ s: '"' }, { s: 'x"a' }, { s: 1 }],
  ],
  [
    'interface T { /** @pattern ^a$ */ s: string | "b" | null }',
    [{ s: "a" }, { s: "b" }, { s: null }],
    [{ s: "c" }],
  ],
  ["/** @pattern ^a */ type A = string; type T = A[]", [["ab"]], [["ba"], "a"]],
  [
    "/** @pattern ^a */ type A = string; interface T { /** @maxLength 2 */ s: A }",
    [{ s: "ab" }],
    [{ s: "abc" }, { s: "b" }],
  ],
  [
    "interface A { /** @pattern ^a */ s: string } interface B { /** @pattern b$ */ s: string } type T = A & B",
    [{ s: "a b" }],
    [{ s: "a" }, { s: "b" }],
  ],
  [
    "interface T { /**\n * @minItems 1\n * @maxItems 2\n */ a: string[] }",
    [{ a: ["x"] }],
    [{ a: [] }, { a: ["x", "y", "z"] }, { a: [1] }],
  ],
  ["interface T { /** @maxItems 1 */ a: unknown[] }", [{ a: [1] }], [{ a: [1, 2] }, { a: {} }]],
  [
    "/** @maxItems 1 */ type A = string[]; interface T { a: A }",
    [{ a: ["x"] }],
    [{ a: ["x", "y"] }],
  ],
  ["interface T { /** @format uri */ s: string }", [{ s: "no uri" }], [{ s: 1 }]],
  ['type T = "a" | 1 | true | null', ["a", 1, true, null], ["b", 2, false, undefined]],
  ['type T = "a" | "b" | "c" | "d" | "e" | "f"', ["f"], ["g", "", null]],
  ['type T = "a" | string', ["a", "anything"], [1]],
  ["interface R { [key: string]: unknown } type T = R", [{}, { a: 1 }], [[], null]],
  ["type T = unknown", [undefined, null, 1, {}], []],
  ["interface T { a: unknown }", [{ a: null }, { a: 0 }], [{}, { a: undefined }]],
  ["interface T { a?: unknown }", [{ a: null }, {}], [[], null]],
  ["interface T { a: never; b: string }", [], [{ a: null, b: "" }, { b: "" }]],
  ['type T = { a: "x" | null } & { a: "y" | null }', [{ a: null }], [{ a: "x" }, { a: "y" }]],
  ['type T = { a?: number | null } & { a: "x" }', [], [{ a: "x" }, { a: null }, {}]],
  ["interface T { a?: never }", [{}, { a: undefined }, { b: 1 }], [{ a: null }]],
  ["type T = Record<string, never>", [{}, { a: undefined }], [{ a: null }, []]],
  ["type T = never[]", [[]], [[1], {}]],
  ["type T = object", [{}, { a: 1 }], [[], null, "x", () => 1]],
  ["type T = {}", [{}, { a: 1 }], [[], null, "x"]],
  ["type T = unknown[]", [[], [undefined]], [{}, "x", { length: 0 }]],
  ["type T = Record<string, string>", [{}, { a: "" }], [{ a: 1 }, [], null]],
  [
    "interface T { a: string; [key: string]: string | number }",
    [{ a: "" }, { a: "", b: 1 }],
    [{ a: 1 }, { a: "", b: true }],
  ],
  [
    "interface T { /** @TJS-type number */ a: number; [key: string]: number }",
    [{ a: 0.5, b: 1 }],
    [{ a: 1, b: 0.5 }],
  ],
  ['interface B { a: string } interface T extends B { a: "x" }', [{ a: "x" }], [{ a: "y" }, {}]],
  ["interface B { a?: string } interface T extends B { a: string }", [{ a: "" }], [{}]],
  [
    'interface B { a: string; b: string } interface T extends Omit<B, "b"> { c: string }',
    [{ a: "", c: "" }],
    [{ a: "" }],
  ],
  [
    "interface B { n: number; m?: string } type T = B & { n: 5; m: string }",
    [{ n: 5, m: "" }],
    [{ n: 4, m: "" }, { n: 5 }],
  ],
  [
    "interface B { a: string } type U = { k: 1; x: string } | { k: 2; y: string }; type T = B & U",
    [
      { a: "", k: 1, x: "" },
      { a: "", k: 2, y: "" },
    ],
    [
      { k: 1, x: "" },
      { a: "", k: 1, y: "" },
    ],
  ],
  [
    "interface B { a: string } type T = B & { [key: string]: string }",
    [{ a: "" }, { a: "", b: "" }],
    [{ a: "", b: 1 }, {}],
  ],
  [
    'interface A { k: "a"; x: string } interface B { k: "b"; y: string } type T = A | B',
    [
      { k: "a", x: "" },
      { k: "b", y: "" },
    ],
    [{ k: "a", y: "" }, { k: "c" }, {}, null, []],
  ],
  [
    'interface A { k?: "a"; x: string } interface B { k: "b"; y: string } type T = A | B',
    [{ x: "" }, { k: "a", x: "" }, { k: "b", y: "" }],
    [{ y: "" }, { k: null, x: "" }],
  ],
  [
    'interface A { k: "a" | "b" } interface B { k: "b"; y: string } interface C { k: "c" } type T = A | B | C',
    [{ k: "a" }, { k: "b" }, { k: "c" }],
    [{ k: "d" }],
  ],
  [
    "interface A { x: string } interface B { y: string } type T = A | B",
    [{ x: "" }, { y: "" }, { x: "", y: 1 }],
    [{}, { x: 1 }],
  ],
  [
    "interface A { x: string } type T = A | A[] | string",
    [{ x: "" }, [{ x: "" }], []],
    [[{}], [[{ x: "" }]], 1],
  ],
  ["type T = (string | number[])[]", [["a", [1]], []], [[["a"]], [null]]],
  [
    "interface T { constructor: string; toString?: string; valueOf?: number }",
    [{ constructor: "" }, { constructor: "", toString: "" }],
    [{}, { constructor: "", toString: 1 }, { constructor: "", valueOf: "" }],
  ],
  [
    'interface T { "__proto__"?: string; a: string }',
    [{ a: "" }, JSON.parse('{ "a": "", "__proto__": "" }')],
    [JSON.parse('{ "a": "", "__proto__": 1 }')],
  ],
  [
    'interface T { "__proto__": string }',
    [JSON.parse('{ "__proto__": "" }')],
    [{}, JSON.parse('{ "__proto__": {} }')],
  ],
  [
    'interface T { "a-b": string; "\\"q\\\\": string; default?: string; own: string; value?: string }',
    [{ "a-b": "", '"q\\': "", own: "" }],
    [
      { "a-b": "", own: "" },
      { "a-b": "", '"q\\': "", own: "", value: 1 },
    ],
  ],
  [
    "interface T { value: T | string; trace?: T[] }",
    [{ value: "" }, { value: { value: "" }, trace: [] }],
    [{ value: {} }, { value: "", trace: [{}] }],
  ],
  [
    "interface T { children?: { items: T[] } }",
    [{}, { children: { items: [{ children: { items: [] } }] } }],
    [{ children: { items: [null] } }],
  ],
  [
    "interface T { map: Record<string, T> }",
    [{ map: {} }, { map: { a: { map: {} } } }],
    [{ map: { a: {} } }],
  ],
  [
    "interface T { a: string; inner?: T & { b: string } }",
    [{ a: "" }, { a: "", inner: { a: "", b: "", inner: { a: "", b: "" } } }],
    [
      { a: "", inner: { a: "" } },
      { a: "", inner: { a: "", b: "", inner: { a: "" } } },
    ],
  ],
  [
    'interface T { a: string; b: string; inner?: Omit<T, "b"> }',
    [{ a: "", b: "", inner: { a: "", inner: { a: "" } } }],
    [
      { a: "", inner: { a: "" } },
      { a: "", b: "", inner: { a: "", inner: {} } },
    ],
  ],
];

describe("a validator supports (GEN-01, GEN-02)", () => {
  test.each(CASES)("%s", async (schema, accepted, refused) => {
    const declarations = schema.replace(/(?<=^|; |\} |\*\/ )(type|interface)/g, "export $1");
    const { T } = await smallValidators(`${declarations}\n`);
    expect(accepted.filter((value) => !T!(value))).toEqual([]);
    expect(refused.filter((value) => T!(value))).toEqual([]);
    expect(accepted.flatMap((value) => issuesOf({ T: T! }, "T", value))).toEqual([]);
    expect(refused.filter((value) => issuesOf({ T: T! }, "T", value).length === 0)).toEqual([]);
  });
});

describe("a test is straight-line code", () => {
  test("with one line per member of an object", () => {
    const schema = `export interface T { a: string; b?: number; c?: Ack; d?: string[]; e: "x" | "y" }\n`;
    expect(smallText(schema, "T")).toBe(`function isT(value: unknown): boolean {
return isObject(value) &&
typeof value["a"] === "string" &&
(value["b"] === undefined || isInteger(value["b"])) &&
(value["c"] === undefined || isAck(value["c"])) &&
(value["d"] === undefined || isArrayOf(value["d"], isString)) &&
(value["e"] === "x" || value["e"] === "y");
}`);
  });

  test("that switches on a discriminant", () => {
    const schema = `export interface A { k: "a" } export interface B { k: "b" } export type T = A | B;\n`;
    expect(smallText(schema, "T")).toBe(`function isT(value: unknown): boolean {
if (!isObject(value)) return false;
switch (value["k"]) {
case "a":
return isA(value);
case "b":
return isB(value);
default:
return false;
}
}`);
  });

  test("that counts levels if a type can contain itself", () => {
    const schema = `export interface T { inner?: T; list?: Ack[]; all?: T[] }\n`;
    expect(smallText(schema, "T"))
      .toBe(`function isT(value: unknown, depth: number = MAX_DEPTH): boolean {
return isObject(value) && depth > 0 &&
(value["inner"] === undefined || isT(value["inner"], depth - 1)) &&
(value["list"] === undefined || isArrayOf(value["list"], isAck)) &&
(value["all"] === undefined || isArrayOf(value["all"], isT, depth - 1));
}`);
  });

  test("with one private function for equal inline types, named after their place", () => {
    const schema = `export interface T { a: { x: string }; b: { x: string } }\nexport type isT_a = 1;\n`;
    const text = smallText(schema, "T");
    expect(text).toContain('isT_a_2(value["a"])');
    expect(text).toContain('isT_a_2(value["b"])');
  });

  test("that the runtime has for a scalar, and another type for an alias", () => {
    const schema = `export type S = string; export type T = Ack; export interface U { s?: S; t: T }\n`;
    expect(smallText(schema, "U")).toContain('isOptionalString(value["s"]) &&\nisAck(value["t"])');
    expect([smallText(schema, "S"), smallText(schema, "T")]).toEqual(["", ""]);
  });
});

/** Declarations, each with the description of `T`. */
const DESCRIBED: readonly (readonly [schema: string, text: string])[] = [
  ["type T = unknown", "anything"],
  ["type T = number", "integer"],
  ["type T = string | null | true | 5", "anyOf(string, literal(null), literal(true), literal(5))"],
  ["type T = (string | number[])[]", "array(anyOf(string, array(integer)))"],
  ["type T = Record<string, object>", "object({}, object())"],
  [
    'interface T { a?: string; "b-c": Ack; [key: string]: unknown }',
    'object({ a: maybe(string), "b-c": reference("Ack") })',
  ],
  [
    "interface T { /** @minItems 1 */ a: string[]; /** @maxLength 9 */ s: string }",
    "object({ a: array(string, 1, Infinity), s: sized(-Infinity, 9) })",
  ],
  [
    "interface T { /**\n * @minimum 0\n * @maximum 1\n */ n: number }",
    "object({ n: between(integer, 0, 1) })",
  ],
  [
    "interface T { next?: T; list: T[] }",
    'deep(object({ next: maybe(recursive("T")), list: array(recursive("T")) }))',
  ],
  [
    'interface A { k?: "a" } interface B { k: "b" | "c" } type T = A | B',
    'tagged("k", [[[undefined, "a"], reference("A")], [["b", "c"], reference("B")]])',
  ],
  [
    'interface A { k: "a" } type T = A | { k: "b" }',
    'tagged("k", [[["a"], reference("A")], [["b"], object({ k: literal("b") })]], [reference("A"), object({ k: literal("b") })])',
  ],
  [
    "interface A { x: string } interface B { y: string } type T = (A | B) & Ack",
    'allOf(anyOf(reference("A"), reference("B")), reference("Ack"))',
  ],
];

describe("a description says in one line:", () => {
  test.each(DESCRIBED)("%s", (schema, text) => {
    const declarations = schema.replace(/(?<=^|; |\} |\*\/ )(type|interface)/g, "export $1");
    expect(smallShape(`${declarations}\n`, "T")).toBe(text);
  });
});
