import { describe, expect, test } from "vitest";
import type { Trace } from "../../runtime/wire/validation/validator.js";
import { protocolOf } from "../generator/bundled-protocols.js";
import { validatorsOf } from "./build.js";
import { smallValidators } from "./small.js";

const v = await validatorsOf(protocolOf("2026-07-28"));

const MAX_DEPTH = 256;

describe("a recursive type", () => {
  test(`allows ${MAX_DEPTH} levels and no more`, () => {
    expect(v["JSONValue"]!(nested(MAX_DEPTH))).toBe(true);
    expect(v["JSONValue"]!(nested(MAX_DEPTH + 1))).toBe(false);
    expect(v["JSONObject"]!({ a: nested(MAX_DEPTH - 1) })).toBe(true);
    expect(v["JSONObject"]!({ a: nested(MAX_DEPTH) })).toBe(false);
    expect(v["ClientCapabilities"]!({ sampling: { context: { a: nested(MAX_DEPTH) } } })).toBe(
      false,
    );
  });

  test("reports where it is too deep", () => {
    const trace: Trace = [];
    expect(v["JSONValue"]!(nested(MAX_DEPTH + 1), trace)).toBe(false);
    expect(trace).toEqual([
      { path: "/0".repeat(MAX_DEPTH), expected: `at most ${MAX_DEPTH} levels`, received: "array" },
    ]);
  });

  test.each(["array", "object"] as const)(
    "rejects 100,000 levels (%s) without a stack overflow",
    (kind) => {
      const deep = nested(100_000, kind);
      expect(v["JSONValue"]!(deep)).toBe(false);
      expect(v["JSONValue"]!(deep, [])).toBe(false);
      expect(v["ServerCapabilities"]!({ logging: { a: deep } }, [])).toBe(false);
    },
  );

  test("rejects a value that contains itself", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(v["JSONValue"]!(circle)).toBe(false);
  });

  test("has a limit in every form of recursion of a user schema", async () => {
    const u = await smallValidators(`
export interface List { next?: List }
export interface Tree { children: Tree[] }
export interface Map { entries: Record<string, Map> }
export type Either = { left: Either } | { right: Either } | null;
export interface Outer { inner?: { outer?: Outer } }
export type Both = List & { both?: Both };
export interface Own { own?: Own & { more?: string } }
export interface Less { less?: Omit<Less, "x">; x?: string }
`);
    expect(u["List"]!(chain((next) => ({ next }), {}))).toBe(false);
    expect(u["Tree"]!(chain((child) => ({ children: [child] }), { children: [] }))).toBe(false);
    expect(u["Map"]!(chain((entry) => ({ entries: { a: entry } }), { entries: {} }))).toBe(false);
    expect(
      u["Either"]!(
        chain((left) => ({ left }), null),
        [],
      ),
    ).toBe(false);
    expect(u["Outer"]!(chain((outer) => ({ inner: { outer } }), {}))).toBe(false);
    expect(u["Both"]!(chain((both) => ({ both }), {}))).toBe(false);
    expect(u["Own"]!(chain((own) => ({ own }), {}))).toBe(false);
    expect(u["Less"]!(chain((less) => ({ less }), {}))).toBe(false);
    expect(u["Both"]!({ both: { next: {}, both: {} } })).toBe(true);
  });

  test("may pass through the inline parameters of a message", async () => {
    const u = await smallValidators(`
export interface Step { method: string; params: { next?: Step } }
export interface Leap { method: string; params: { next?: Step } }
`);
    const deep = chain((next) => ({ method: "", params: { next } }), { method: "", params: {} });
    expect(u["Step"]!(deep)).toBe(false);
    expect(u["StepParams"]!({ next: deep })).toBe(false);
    expect(u["LeapParams"]!({ next: deep }, [])).toBe(false);
    expect(u["Leap"]!({ method: "", params: { next: { method: "", params: {} } } })).toBe(true);
  });

  test("may be of any size for plain data", () => {
    expect(
      v["JSONValue"]!({ list: Array.from({ length: 100_000 }, (_, index) => ({ index })) }),
    ).toBe(true);
  });
});

function nested(levels: number, kind: "array" | "object" = "array"): unknown {
  let value: unknown = kind === "array" ? [] : {};
  for (let level = 1; level < levels; level++) value = kind === "array" ? [value] : { a: value };
  return value;
}

function chain(link: (value: unknown) => unknown, end: unknown): unknown {
  let value = end;
  for (let level = 0; level < 100_000; level++) value = link(value);
  return value;
}
