import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { read, refusals } from "./model-of.js";

const list = (count: number, item: (index: number) => string, separator = "\n") =>
  Array.from({ length: count }, (_, index) => item(index)).join(separator);

/** Inputs that would overflow the stack or take exponential time, each with the expected error code. */
const CASES: readonly (readonly [name: string, text: string, code: string | undefined])[] = [
  ["10 000 parentheses", `export type A = ${"(".repeat(1e4)}1${")".repeat(1e4)};`, "MCG2002"],
  ["4 million open parentheses", `export type A = ${"(".repeat(4e6)}`, "MCG2002"],
  ["objects in objects", `export type A = ${"{a:".repeat(1e4)}`, "MCG2002"],
  ["arrays of arrays", `export type A = string${"[]".repeat(1e5)};`, "MCG2002"],
  ["type operators", `export type A = ${"keyof ".repeat(3e5)}string;`, "MCG2003"],
  ["type operators", `export type A = ${"1 extends 1 ? 1 : ".repeat(5e4)}1;`, "MCG2003"],
  ["unary operators", `export const A = ${"- ".repeat(3e5)}1;`, "MCG2003"],
  ["template literals", `export type A = \`${"${`".repeat(2e4)}`, "MCG2003"],
  ["binary operators", `export const A = 1${"+1".repeat(1e5)};`, "MCG2032"],
  ["a line of 1 MiB", `export type A = "${"x".repeat(1 << 20)}";`, undefined],
  ["a name of 1 MiB", `export type A = ${"x".repeat(1 << 20)};`, "MCG2069"],
  ["a huge union", `export type A = ${list(1e5, (i) => `"${i}"`, "|")};`, "MCG2004"],
  ["many comments", `${"/** @see A */".repeat(2e5)}\nexport type A = string;`, undefined],
  [
    "a union that doubles with every alias",
    `export type A0 = 1 | 2;\n${list(60, (i) => `export type A${i + 1} = A${i} | A${i};`)}`,
    "MCG2004",
  ],
  [
    "an intersection that doubles with every alias",
    `export type A0 = {};\n${list(60, (i) => `export type A${i + 1} = A${i} & A${i};`)}`,
    "MCG2004",
  ],
  [
    "a chain of aliases",
    `${list(900, (i) => `export type A${i} = A${i + 1};`)}\nexport type A900 = 1;`,
    "MCG2076",
  ],
  [
    "members of members",
    `${list(900, (i) => `export interface A${i} { a: A${(i + 1) % 900} }`)}`,
    undefined,
  ],
];

it.each(CASES)("%s", (_, text, code) => {
  const { items } = read(text);
  expect([...new Set(items.map((item) => item.code))]).toEqual(code ? [code] : []);
  expect(items.filter(({ message }) => message.length > 500)).toEqual([]);
});

it("at most a thousand refusals are reported", () => {
  expect(
    refusals(`export interface A {${"a;".repeat(1000)}}\n${"type B = C;".repeat(900)}`),
  ).toHaveLength(1000);
});

it("random cuts and changes of the text are refused or accepted, and never crash", () => {
  const file = fileURLToPath(new URL("../../schema/2024-11-05/schema.ts", import.meta.url));
  const tokens = readFileSync(file, "utf8").slice(0, 12_000).split(/\b/);
  let seed = 1;
  const random = (limit: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % limit;
  };
  let refused = 0;
  for (let round = 0; round < 60; round++) {
    const mutated = tokens.slice();
    for (let times = 0; times < 3; times++) {
      mutated.splice(random(tokens.length), random(3), tokens[random(tokens.length)]!);
    }
    const { items } = read(mutated.join(""));
    if (items.length > 0) refused++;
    expect(items.every(({ code, span }) => /^MCG2\d{3}$/.test(code) && span)).toBe(true);
  }
  expect(refused).toBeGreaterThan(30);
});
