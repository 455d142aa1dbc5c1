import { describe, expect, test } from "vitest";
import { smallText, smallValidators } from "./small.js";

/** Values that a type accepts, and values that it refuses. */
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
  ["type T = unknown", [undefined, null, 1, {}], []],
  ["interface T { a: unknown }", [{ a: null }, { a: 0 }], [{}, { a: undefined }]],
  ["interface T { a?: unknown }", [{ a: null }, {}], [[], null]],
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
    "interface T { /** @TJS-type number */ a?: number; [key: string]: number }",
    [{ a: 0.5, b: 1 }],
    [{ b: 0.5 }],
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

describe("a validator understands", () => {
  test.each(CASES)("%s", async (schema, accepted, refused) => {
    const declarations = schema.replace(/(?<=^|; |\} |\*\/ )(type|interface)/g, "export $1");
    const { T } = await smallValidators(`${declarations}\n`);
    expect(accepted.filter((value) => !T!(value))).toEqual([]);
    expect(refused.filter((value) => T!(value))).toEqual([]);
  });
});

describe("a validator is straight-line code", () => {
  test("with one line per member of an object", () => {
    const schema = `export interface T { a: string; b?: number; c?: Ack }\n`;
    expect(smallText(schema, "T"))
      .toBe(`export const T: Validator<types.T> = (value, trace): value is types.T => {
let member: unknown;
if (!isObject(value, trace)) return false;
const plain = isPlain(value["__proto__"]);
return (plain && (typeof value["a"] === "string" &&
((member = value["b"]) === undefined || isInteger(member)) &&
((member = value["c"]) === undefined || Ack(member)))) || ((trace !== undefined || !plain) && ownMembers(trace, value, () => ["a", isString, maybe, "b", isInteger, maybe, "c", Ack]));
};`);
  });

  test("that switches on a discriminant", () => {
    const schema = `export interface A { k: "a" } export interface B { k: "b" } export type T = A | B;\n`;
    expect(smallText(schema, "T"))
      .toBe(`export const T: Validator<types.T> = (value, trace): value is types.T => {
if (!isObject(value)) return reject(trace, "A | B", value);
switch (value["k"]) {
case "a":
return A(value, trace);
case "b":
return B(value, trace);
default:
return rejectTag(trace, value, "k", "\\"a\\" | \\"b\\"");
}
};`);
  });

  test("that counts levels where a type can contain itself", () => {
    const schema = `export interface T { inner?: T; list?: Ack[] }\n`;
    expect(smallText(schema, "T"))
      .toBe(`export function T(value: unknown, trace?: Trace, depth: number = MAX_DEPTH): value is types.T {
let member: unknown;
if (!isObject(value, trace)) return false;
const plain = isPlain(value["__proto__"]) && depth > 0;
return (plain && (((member = value["inner"]) === undefined || T(member, undefined, depth - 1)) &&
((member = value["list"]) === undefined || ArrayOfAck(member)))) || ((trace !== undefined || !plain) && ownMembers(trace, value, () => [maybe, "inner", T, maybe, "list", ArrayOfAck], depth));
}`);
  });

  test("with one private function for equal inline types, named after their place", () => {
    const schema = `export interface T { a: { x: string }; b: { x: string }; ArrayOfAck?: Ack[] }\nexport type T_a = string;\n`;
    const text = smallText(schema, "T");
    expect(text).toContain('T_a_(value["a"])');
    expect(text).toContain('T_a_(value["b"])');
  });
});
