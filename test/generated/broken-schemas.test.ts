import { afterAll, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { generate } from "../../generator/generate.js";
import { sourceFromBytes } from "../../generator/load/source-from-bytes.js";
import type { OutputFile } from "../../generator/plan/file-plan.js";
import { schemaWith } from "../generator/schema.js";
import { COMPILERS, Workspace } from "./workspace.js";

/** The types that a base's member and a member restating it may have. They are tested in all pairs. */
const TYPES = [
  "string",
  '"a"',
  '"a" | string',
  "number | null",
  "unknown",
  "object",
  "string[]",
  "{ x: string }",
  "{ x?: string; [key: string]: unknown }",
  "Record<string, string>",
  "typeof NAME",
  "Shape & { y: 1 }",
];

const pairs = TYPES.flatMap((base) => TYPES.map((own) => ({ base, own })));

/** The declarations, each on its own line, so that the line of a refusal identifies the declaration. */
const LINES = [
  'export const NAME = "a";',
  "export interface Shape { x: string }",
  ...TYPES.flatMap((type, index) => [
    `export interface Required${index} { m: ${type} }`,
    `export interface Optional${index} { m?: ${type} }`,
    `export interface Map${index} { [key: string]: ${type} }`,
  ]),
  ...pairs.map(({ base, own }, index) => {
    const kind = ["Required", "Optional", "Map"][index % 3]!;
    const mark = index % 2 === 0 ? "" : "?";
    return `export interface Own${index} extends ${kind}${TYPES.indexOf(base)} { m${mark}: ${own} }`;
  }),
  ...pairs.map(
    ({ base, own }, index) =>
      `export type Both${index} = Optional${TYPES.indexOf(base)} & { m: ${own}; n: 1 };`,
  ),
  ...pairs.map(({ base, own }, index) => {
    const heritage = `Omit<Required${TYPES.indexOf(base)}, "m">, Optional${TYPES.indexOf(own)}`;
    return `export interface Less${index} extends ${heritage} { n: 1 }`;
  }),
];

/**
 * Generates the declarations. If any line is refused, returns undefined files and the diagnostics with the refused
 * lines.
 */
async function generated(lines: readonly string[]) {
  const diagnostics = new Diagnostics();
  const text = schemaWith({ declarations: lines.join("\n") });
  const source = sourceFromBytes("schema.ts", Buffer.from(text), diagnostics)!;
  const files = await generate({ source, revision: "2000-01-01" }, diagnostics);
  return { files, items: diagnostics.items };
}

const workspace = new Workspace();
afterAll(() => workspace.remove());

const sound: readonly OutputFile[] = await (async () => {
  const { items } = await generated(LINES);
  const refused = new Set(items.map(({ span }) => span?.line));
  expect(refused.size).toBeGreaterThan(50);
  expect(refused.size).toBeLessThan(LINES.length / 2);
  const left = LINES.filter((_, index) => !refused.has(index + 1));
  const { files, items: none } = await generated(left);
  expect(none).toEqual([]);
  return files!;
})();

it.each(COMPILERS.flatMap((compiler, index) => [
  [compiler, true] as const,
  // Without exact optional members, one compiler is enough.
  ...(index === COMPILERS.length - 1 ? [[compiler, false] as const] : []),
]))("every schema that is accepted compiles with %s; exact optional members: %s", async (compiler, exactOptionalPropertyTypes) => {
  workspace.add("sound", sound);
  const options = { exactOptionalPropertyTypes };
  expect(await workspace.compile(compiler, "nodenext", ["sound/*.ts"], options)).toEqual([]);
}, 120_000);
