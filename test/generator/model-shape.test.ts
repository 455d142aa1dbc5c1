import { describe, expect, it } from "vitest";
import { type EffectiveShape, Shapes } from "../../generator/model/shape.js";
import { canonicalMember } from "../../generator/model/canonical.js";
import { declarationsOf } from "./model-of.js";

/** Returns the effective members of the first declaration, as `name?: types from Declaration`. */
function shapeOf(text: string): { shape: EffectiveShape | undefined; members: string[] } {
  const declarations = declarationsOf(text);
  const shape = new Shapes(declarations).named(declarations[0]!.name);
  const members = [...(shape?.members.values() ?? [])].map((member) => {
    return `${member.name}${canonicalMember(member, new Map()).replace(/^(\??)/, "$1: ")} (${member.from})`;
  });
  return { shape, members };
}

describe("effective shapes", () => {
  it("begin with bases, and a new declaration replaces type and optionality in place", () => {
    const text = `export interface A extends B { c: 1; b: "b"; d?: 2 }
      export interface B { a: 1; b?: string }`;
    expect(shapeOf(text).members).toEqual(["a: 1 (B)", 'b: "b" (A)', "c: 1 (A)", "d?: 2 (A)"]);
  });

  it("contain a member from two bases once", () => {
    const text = `export interface A extends B, C {}
      export interface B extends D { b: 1 } export interface C extends D { c: 1 }
      export interface D { d: 1 }`;
    expect(shapeOf(text).members).toEqual(["d: 1 (D)", "b: 1 (B)", "c: 1 (C)"]);
  });

  it("may repeat a base's member with the same type", () => {
    const text = `export interface A extends B, C {}
      export interface B { m?: { a: 1 | 2; b: 1 } } export interface C { m?: { b: 1; a: (2 | 1) } }`;
    expect(shapeOf(text).members).toEqual(['m?: {"a":(1|2);"b":1} (B)']);
  });

  it("need all operands of an intersection, and a member that one requires is required", () => {
    const text = `export type A = B & { a: 1; b?: 2 };
      export interface B { a?: number; /** @minimum 0 */ b?: number }`;
    expect(shapeOf(text).members).toEqual(["a: number&1 (B)", "b?: number@minimum=0&2 (B)"]);
  });

  it("count a repeated operand once", () => {
    const text = `export type A = B & C;
      export interface B extends D {} export interface C extends D {}
      export interface D { d: 1; [key: string]: 1 }`;
    const { shape, members } = shapeOf(text);
    expect(members).toEqual(["d: 1 (D)"]);
    expect(shape?.indexes).toHaveLength(1);
  });

  it("follow Omit and Record", () => {
    const text = `export interface A extends Omit<B, "b"> {} export interface B { a: 1; b: 1 }`;
    expect(shapeOf(text).members).toEqual(["a: 1 (B)"]);
    const open = shapeOf(
      "export interface A extends C { a: 2 } export type C = Record<string, 2>;",
    );
    expect(open.members).toEqual(["a: 2 (A)"]);
    expect(open.shape?.indexes[0]?.type).toMatchObject({ kind: "literal", value: 2 });
  });

  it.each(["string", "1[]", "{ a: 1 } | { b: 1 }"])("are absent for %s", (type) => {
    expect(shapeOf(`export type A = ${type};`).shape).toBeUndefined();
  });
});

/** Returns the names or kinds of the first declaration's arms. */
function arms(text: string): string[] {
  const declarations = declarationsOf(text);
  const [first] = declarations;
  const found = first?.kind === "alias" ? new Shapes(declarations).arms(first.type) : [];
  return found.map((arm) => (arm.kind === "reference" ? arm.name : arm.kind));
}

describe("arms", () => {
  it("follow aliases of unions, each once", () => {
    const text = `export type A = B | C | "a"; export type B = C; export type C = D | E;
      export interface D {} export interface E {}`;
    expect(arms(text)).toEqual(["D", "E", "literal"]);
  });

  it("of anything else are itself", () => {
    expect(arms("export type A = B; export type B = C; export interface C {}")).toEqual(["B"]);
    expect(
      arms("export type A = B; export type B = C | D; export interface C {} export interface D {}"),
    ).toEqual(["C", "D"]);
  });
});

describe("literals", () => {
  it.each([
    ['"a"', "a"],
    ["typeof K", "k"],
    ["L", true],
    ["string", undefined],
    ['"a" | "b"', undefined],
  ])("are fixed by %s: %j", (type, value) => {
    const declarations = declarationsOf(
      `export interface A { m: ${type} } export const K = "k"; export type L = true;`,
    );
    const shapes = new Shapes(declarations);
    expect(shapes.memberLiteral(shapes.named("A")?.members.get("m"))).toBe(value);
  });

  it("are fixed if one operand of an intersection fixes them", () => {
    const shapes = new Shapes(declarationsOf(`export type A = { m: string } & { m: "m" };`));
    expect(shapes.memberLiteral(shapes.named("A")?.members.get("m"))).toBe("m");
  });
});
