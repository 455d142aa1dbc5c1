import { describe, expect, it } from "vitest";
import type { Declaration } from "../../generator/model/schema-model.js";
import { Shapes } from "../../generator/model/shape.js";
import { bare, modelOf } from "./model-of.js";

const CORE = modelOf(`
export const CODE = -1;
export interface Error { code: typeof CODE; data?: Data }
export interface Data { error?: Error; list: Unneeded2[] }
export interface Unneeded { a: 1 }
export type Unneeded2 = string;
export interface Result extends Base { [key: string]: unknown }
export interface Base { _meta?: object }`);

const imports = new Map([["./core.js", CORE]]);
const names = (declarations: readonly Declaration[]) => declarations.map(({ name }) => name);

describe("imports", () => {
  const text = `import type { Error as Failure, Result } from "./core.js";
export type A = Result & { failure: Failure };`;
  const schema = modelOf(text, { imports });

  it("are part of the model", () => {
    expect(bare(schema.imports)).toEqual([
      { name: "Error", as: "Failure", from: "./core.js" },
      { name: "Result", as: "Result", from: "./core.js" },
    ]);
    expect(schema.imports?.[1]?.span).toMatchObject({ line: 1, column: 33 });
  });

  it("add the named declarations and all they need, first and in source order", () => {
    expect(names(schema.declarations)).toEqual([
      "CODE",
      "Failure",
      "Data",
      "Unneeded2",
      "Result",
      "Base",
      "A",
    ]);
  });

  it("rename every use and record the origin of a declaration", () => {
    const data = schema.declarations.find(({ name }) => name === "Data");
    expect(bare(data?.kind === "interface" && data.members[0]?.type)).toEqual({
      kind: "reference",
      name: "Failure",
    });
    expect(schema.declarations[1]?.imported).toEqual({ from: "./core.js", name: "Error" });
    expect(schema.declarations.at(-1)).not.toHaveProperty("imported");
  });

  it("stand where they are imported", () => {
    const spans = new Set(schema.declarations.slice(0, -1).map(({ span }) => span.column));
    expect([...spans]).toEqual([15, 33]);
  });

  it("work in heritage, intersections and constants", () => {
    const shape = new Shapes(schema.declarations).named("A");
    expect([...(shape?.members.keys() ?? [])]).toEqual(["_meta", "failure"]);
  });

  it("may give two names to one declaration", () => {
    const twice = `import type { Base as A, Base as B, CODE as C, CODE as D } from "./core.js";
export interface E { a: A; b: B; d: typeof D }`;
    const { declarations } = modelOf(twice, { imports });
    expect(names(declarations)).toEqual(["C", "A", "B", "D", "E"]);
    expect(bare(declarations[2])).toMatchObject({ kind: "alias", type: { name: "A" } });
  });
});
