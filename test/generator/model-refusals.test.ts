import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { modelOf, read, refusals } from "./model-of.js";

const deep = (levels: number) => `${"(".repeat(levels)}string${")".repeat(levels)}`;
const many = (count: number, item: (index: number) => string, separator: string) =>
  Array.from({ length: count }, (_, index) => item(index)).join(separator);

const CORE_TEXT = "export interface B { c: C } export interface C { d?: string }";
const CORE = {
  imports: new Map([["./core.js", modelOf(CORE_TEXT)]]),
  texts: new Map([["./core.js", CORE_TEXT]]),
};

/** Each refusal's code, the place where it is reported, and the shortest schema that provokes only this refusal. */
const CASES: readonly (readonly [code: string, place: string, schema: string])[] = [
  // The file
  ["MCG2001", "1:25", `export type A = string |;`],
  ["MCG2001", "2:1", `export interface A {\n`],
  ["MCG2001", "1:30", `export type A = "unterminated`],
  ["MCG2002", "1:81", `export type A = ${deep(65)};`],
  ["MCG2002", "1:17", `export type A = string${"[]".repeat(64)};`],
  ["MCG2003", "1:1", `export type A = ${"keyof ".repeat(20_000)}string;`],
  ["MCG2004", "1001:1", many(1001, (index) => `export type A${index} = string;`, "\n")],
  ["MCG2004", "1002:3", `export type A =\n${many(1001, (index) => `| "${index}"`, "\n")};`],
  ["MCG2004", "1002:1", `export interface A {\n${many(1001, (i) => `m${i}: string;`, "\n")}\n}`],
  ["MCG2005", "1:1", `// nothing but a comment`],
  ["MCG2005", "1:1", `;import type { A } from "./core.js";`],

  // Statements
  ["MCG2010", "1:17", `export function a() {}`],
  ["MCG2010", "1:14", `export class A {}\nexport interface B { a: A }`],
  ["MCG2010", "2:1", `export type A = string;\nconsole.log("hello");`],
  ["MCG2010", "1:1", `if (true) {}`],
  ["MCG2011", "1:13", `export enum A { B }\nexport interface C { a: A }`],
  ["MCG2011", "1:19", `export const enum A { B }`],
  ["MCG2012", "1:18", `export namespace A { export type B = string }`],
  ["MCG2012", "1:16", `declare module "a" {}`],
  ["MCG2013", "1:1", `export default "a";`],
  ["MCG2013", "1:8", `export default interface A {}`],
  ["MCG2014", "1:1", `export * from "./other.js";`],
  ["MCG2014", "2:1", `export interface A {}\nexport { A as B };`],
  ["MCG2015", "1:1", `import { A } from "./other.js";\nexport type B = A;`],
  ["MCG2015", "1:1", `import type A from "./other.js";\nexport type B = A;`],
  ["MCG2015", "1:1", `import type * as A from "./other.js";\nexport type B = string;`],
  ["MCG2015", "1:1", `import "./other.js";\nexport type A = string;`],
  ["MCG2015", "1:8", `import A = require("./other.js");\nexport type B = A;`],
  ["MCG2016", "1:15", `import type { A } from "./other.js";\nexport type B = A;`],
  ["MCG2017", "1:15", `import type { A } from "./core.js";\nexport type B = A;`],
  ["MCG2018", "1:15", `import type { B } from "./core.js";\nexport type B = 1;`],
  ["MCG2018", "1:15", `import type { B } from "./core.js";\nexport type C = 1;`],
  ["MCG2019", "1:22", `/// <reference path="./other.ts" />\nexport type A = string;`],
  ["MCG2020", "1:11", `interface A {}`],
  ["MCG2020", "1:6", `type A = string;`],
  ["MCG2020", "1:1", `const A = "a";`],
  ["MCG2021", "1:8", `export declare const A = "a";`],
  ["MCG2021", "1:8", `export abstract interface A {}`],
  ["MCG2021", "1:1", `@a export interface B {}`],
  ["MCG2022", "2:1", `export interface A { a: string }\nexport interface A { b: string }`],
  ["MCG2022", "2:1", `export const A = "a";\nexport type A = string;`],
  ["MCG2023", "1:1", `export interface Array { a: string }`],
  ["MCG2023", "1:1", `export type undefined = string;`],
  ["MCG2024", "1:20", `export interface A<T> { a: T }`],
  ["MCG2024", "1:15", `export type A<T extends string> = T[];`],
  ["MCG2024", "1:18", `export interface A<> {}`],
  ["MCG2025", "2:17", `export interface Record {}\nexport type A = Record<string, string>;`],

  ["MCG2026", "1:1", `export interface A extends {}`],
  ["MCG2026", "1:1", `export interface A implements B {}\nexport interface B {}`],

  // Constants
  ["MCG2030", "1:8", `export let A = "a";`],
  ["MCG2030", "1:8", `export var A = "a";`],
  ["MCG2031", "1:15", `export const A! = "a";`],
  ["MCG2031", "1:17", `export const A: string = "a";`],
  ["MCG2031", "1:17", `export const A: B["b"] = "a";\nexport interface B { b: "b" }`],
  ["MCG2031", "1:17", `export const A: B["b"] = "a";\nexport interface B { b: string }`],
  ["MCG2032", "1:18", `export const A = ["a"];`],
  ["MCG2032", "1:18", `export const A = "a" as const;\nexport type B = typeof A;`],
  ["MCG2032", "1:18", "export const A = `a`;"],
  ["MCG2032", "1:18", `export const A = true;`],
  ["MCG2032", "1:18", `export const A = 1 + 1;`],
  ["MCG2032", "1:18", `export const A = process.exit(1);`],
  ["MCG2032", "1:22", `export const { A } = { A: 1 };`],
  ["MCG2032", "1:14", `export const A;`],
  ["MCG2033", "1:18", `export const A = 9007199254740993;`],
  ["MCG2033", "1:17", `export type A = -1e999;`],

  // Members
  ["MCG2040", "1:22", `export interface A { a(): void }`],
  ["MCG2040", "1:22", `export interface A { (): void }`],
  ["MCG2040", "1:22", `export interface A { new (): A }`],
  ["MCG2041", "1:22", `export interface A { get a(): string }`],
  ["MCG2041", "1:22", `export interface A { set a(value: string) }`],
  ["MCG2042", "1:22", `export interface A { readonly a: string }`],
  ["MCG2042", "1:19", `export type A = { public a: string };`],
  ["MCG2043", "1:22", `export interface A { ["a"]: string }`],
  ["MCG2043", "1:22", `export interface A { [B]: string }\nexport const B = "b";`],
  ["MCG2043", "1:22", `export interface A { 1: string }`],
  ["MCG2043", "1:22", `export interface A { #a: string }`],
  ["MCG2044", "1:22", `export interface A { a; b: string }`],
  ["MCG2045", "1:34", `export interface A { a: string = "a" }`],
  ["MCG2046", "1:33", `export interface A { a: string; "a": number }`],
  ["MCG2046", "1:26", `export type A = { a: {}; a?: {} };`],
  ["MCG2047", "1:28", `export interface A { [key: number]: string }`],
  ["MCG2047", "1:28", `export interface A { [key: B]: string }\nexport type B = string;`],
  ["MCG2048", "1:22", `export interface A { [key?: string]: string }`],
  ["MCG2048", "1:22", `export interface A { readonly [key: string]: string }`],
  ["MCG2048", "1:22", `export interface A { [key: string] }`],
  ["MCG2048", "1:22", `export interface A { [key: string, other: string]: string }`],
  ["MCG2049", "1:45", `export interface A { [key: string]: string; [name: string]: string }`],

  // Types
  ["MCG2050", "1:17", `export type A = undefined;`],
  ["MCG2050", "1:26", `export type A = string | void;`],
  ["MCG2050", "1:26", `export type A = string | undefined;`],
  ["MCG2050", "1:34", `export interface A { a: string | undefined }`],
  ["MCG2050", "1:26", `export interface A { a?: undefined }`],
  ["MCG2050", "1:41", `export type A = Record<string, string | undefined>;`],
  ["MCG2050", "1:17", `export type A = bigint;`],
  ["MCG2050", "1:17", `export type A = symbol;`],
  ["MCG2050", "1:25", `export interface A { a: this }`],
  ["MCG2051", "1:17", `export type A = string extends "a" ? 1 : 2;`],
  ["MCG2052", "1:17", `export type A = { [K in "a"]: string };`],
  ["MCG2053", "1:17", `export type A = keyof B;\nexport interface B {}`],
  ["MCG2053", "1:17", `export type A = readonly string[];`],
  ["MCG2053", "1:17", `export type A = unique symbol;`],
  ["MCG2054", "1:17", `export type A = B["c"];\nexport interface B { b: string }`],
  ["MCG2054", "1:17", `export type A = B["b"];\nexport interface B { b?: string }`],
  [
    "MCG2054",
    "1:17",
    `export type A = B["b"];\nexport interface B extends C {}\nexport interface C { b: 1 }`,
  ],
  ["MCG2054", "1:17", `export type A = B[string];\nexport type B = Record<string, 1>;`],
  ["MCG2055", "1:17", "export type A = `a${string}`;"],
  ["MCG2056", "1:17", `export type A = [string, number];`],
  ["MCG2057", "1:17", `export type A = () => void;`],
  ["MCG2057", "1:17", `export type A = new () => B;\nexport interface B {}`],
  ["MCG2058", "1:17", `export type A = 1n;`],
  ["MCG2058", "1:17", "export type A = `a`;"],
  ["MCG2059", "1:17", `export type A = import("./other.js").B;`],
  ["MCG2059", "1:17", `export type A = ?string;`],
  ["MCG2060", "1:17", `export type A = Partial<B>;\nexport interface B { b: string }`],
  [
    "MCG2060",
    "1:28",
    `export interface A extends Pick<B, "b"> {}\nexport interface B { b: string }`,
  ],
  ["MCG2060", "1:17", `export type A = Exclude<"a" | "b", "a">;`],
  ["MCG2061", "1:17", `export type A = B<string>;\nexport interface B {}`],
  ["MCG2062", "1:17", `export type A = Array;`],
  ["MCG2062", "1:17", `export type A = Array<string, number>;`],
  ["MCG2062", "1:17", `export type A = Record<string>;`],
  ["MCG2062", "1:17", `export type A = Omit<B>;\nexport interface B { b: string }`],
  ["MCG2063", "1:24", `export type A = Record<"a" | 1, string>;`],
  ["MCG2063", "1:24", `export type A = Record<B, string>;\nexport interface B { b: 1 }`],
  ["MCG2063", "1:35", `export interface A extends Record<"a", string> {}`],
  ["MCG2063", "1:24", `export type A = Record<number, string>;`],
  ["MCG2064", "1:25", `export type A = Omit<B, string>;\nexport interface B { b: string }`],
  [
    "MCG2064",
    "1:25",
    `export type A = Omit<B, K>;\nexport interface B { b: string }\nexport type K = "b";`,
  ],
  ["MCG2065", "1:22", `export type A = Omit<B, "b">;\nexport interface B { b: 1; [k: string]: 1 }`],
  ["MCG2065", "1:22", `export type A = Omit<B, "b">;\nexport type B = string;`],
  ["MCG2066", "1:17", `export type A = Omit<B, "c">;\nexport interface B { b: string }`],
  ["MCG2067", "1:17", `export type A = B.C;`],
  ["MCG2067", "1:28", `export interface A extends B.C {}`],
  ["MCG2068", "1:17", `export type A = typeof B;\nexport interface B {}`],
  ["MCG2068", "1:17", `export type A = typeof B.c;\nexport const B = "b";`],
  ["MCG2069", "1:17", `export type A = B;`],
  ["MCG2069", "1:28", `export interface A extends Base {}`],
  ["MCG2069", "1:17", `export type A = typeof B;`],
  ["MCG2070", "1:17", `export type A = B;\nexport const B = "b";`],
  ["MCG2071", "1:1", `export type A = A;`],
  ["MCG2071", "1:1", `export type A = B | string;\nexport type B = A | number;`],
  ["MCG2071", "1:1", `export type A = Record<string, A>;`],
  ["MCG2072", "1:1", `export interface A extends A {}`],
  ["MCG2072", "1:1", `export interface A extends B {}\nexport interface B extends A {}`],
  ["MCG2072", "1:1", `export interface A extends B {}\nexport type B = A & { b: string };`],
  ["MCG2073", "1:28", `export interface A extends B {}\nexport type B = string;`],
  ["MCG2073", "1:28", `export interface A extends B {}\nexport type B = A | { b: string };`],
  [
    "MCG2074",
    "1:1",
    `export interface A extends B, C {}\nexport interface B { a: string }\nexport interface C { a?: string }`,
  ],
  [
    "MCG2074",
    "1:1",
    `export interface A extends B, C {}\nexport interface B { [k: string]: 1 }\nexport interface C { [k: string]: 2 }`,
  ],
  ["MCG2075", "1:17", `export type A = string & {};`],
  ["MCG2075", "1:23", `export type A = {} & (B | string);\nexport interface B {}`],
  [
    "MCG2076",
    "1:1",
    [
      ...many(64, (i) => `export type A${i} = A${i + 1};`, "\n").split("\n"),
      "export type A64 = string;",
    ].join("\n"),
  ],
  [
    "MCG2077",
    "1:51",
    `export interface B { a: string } export interface A extends B { a: number }`,
  ],
  [
    "MCG2077",
    "1:52",
    `export interface B { a?: string } export interface A extends B { a?: string | null }`,
  ],
  [
    "MCG2077",
    "2:18",
    `export type B = Omit<C, "b">;\nexport interface A extends B { a: 2 }\nexport interface C { a: 1; b: 1 }`,
  ],
  ["MCG2077", "1:45", `export interface A { [key: string]: string; b: number }`],
  ["MCG2077", "1:45", `export interface A { [key: string]: string; b?: string }`],
  ["MCG2077", "1:34", `export type A = Record<string, { b: 1; [key: string]: 2 }>;`],
  ["MCG2077", "2:18", `import type { C } from "./core.js";\nexport interface A extends C { d: 1 }`],
  [
    "MCG2077",
    "2:18",
    `// @ts-nocheck\nexport interface A extends B { b: 1 }\nexport interface B { b: 2 }`,
  ],
  [
    "MCG2077",
    "2:18",
    `// @ts-ignore\nexport interface A extends B { b: 1 }\nexport interface B { b: 2 }`,
  ],

  // Tags
  ["MCG2080", "2:5", `export interface A {\n/** @minimum abc */\na: number }`],
  ["MCG2080", "2:5", `export interface A {\n/** @minimum */\na: number }`],
  ["MCG2080", "2:5", `export interface A {\n/** @minimum 0 @maximum 1 */\na: number }`],
  ["MCG2080", "2:5", `export interface A {\n/** @maxItems -1 */\na: string[] }`],
  ["MCG2080", "2:5", `export interface A {\n/** @TJS-type foo */\na: number }`],
  ["MCG2080", "2:5", `export interface A {\n/** @format */\na: string }`],
  ["MCG2081", "3:4", `/**\n * @minimum 0\n * @minimum 0\n */\nexport type A = number;`],
  ["MCG2082", "3:4", `/**\n * @minimum 2\n * @maximum 1\n */\nexport type A = number;`],
  ["MCG2083", "1:5", `/** @minimum 0 */\nexport type A = string;`],
  ["MCG2083", "1:5", `/** @maxItems 1 */\nexport type A = string;`],
  ["MCG2083", "1:5", `/** @nullable */\nexport type A = string;`],
  ["MCG2083", "1:5", `/** @TJS-type number */\nexport type A = B;\nexport type B = "b";`],
  ["MCG2084", "1:5", `/** @minimum 0 */\nexport interface A { a: number }`],
  ["MCG2084", "1:5", `/** @minimum 0 */\n/** Documentation. */\nexport type A = number;`],
  ["MCG2084", "1:33", `export interface A { a: 1 | /** @minimum 0 */ number }`],
  ["MCG2080", "1:5", `/** @pattern ^(a$ */\nexport type A = string;`],
  ["MCG2080", "1:5", `/** @pattern \\- */\nexport type A = string;`],
  ["MCG2080", "1:5", `/** @pattern */\nexport type A = string;`],
  ["MCG2083", "1:5", `/** @pattern ^a$ */\nexport type A = number;`],
  ["MCG2085", "1:5", `/** @contains a */\nexport type A = string;`],
  ["MCG2085", "1:5", `/** @TJS-required */\nexport type A = string;`],
];

describe("a schema is refused with a code and a position", () => {
  it.each(CASES)("%s at %s", (code, place, schema) => {
    expect(refusals(schema, CORE)).toEqual([`${place} ${code}`]);
  });

  it("and has advice", () => {
    const silent = CASES.flatMap(([, , schema]) => read(schema).items).filter(
      ({ hint, file, severity }) => !hint || file !== "schema.ts" || severity !== "error",
    );
    expect(silent).toEqual([]);
  });

  it("for every code of the reader", () => {
    const folder = fileURLToPath(new URL("../../generator/model", import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const texts = files
      .filter((file) => file.endsWith(".ts"))
      .map((file) => readFileSync(join(folder, file), "utf8"));
    const known = new Set(texts.join("\n").match(/MCG\d{4}/g));
    expect([...new Set(CASES.map(([code]) => code))].toSorted()).toEqual([...known].toSorted());
  });
});

it("all refusals are collected, and none is caused by another", () => {
  const text = `import type { Gone } from "./gone.js";
export enum Color { Red }
export type A = Gone | Color | Partial<B> | Unknown;
export interface B extends Gone, Missing { a: A; b: keyof B }
export type C = B & Omit<Color, "a"> & { d: 1 };
export interface D extends C {}
interface E { f(): void; g; h: undefined }`;
  expect(refusals(text).toSorted()).toEqual([
    "1:15 MCG2016",
    "2:13 MCG2011",
    "3:32 MCG2060",
    "3:45 MCG2069",
    "4:34 MCG2069",
    "4:53 MCG2053",
    "7:11 MCG2020",
    "7:15 MCG2040",
    "7:26 MCG2044",
    "7:32 MCG2050",
  ]);
});
