import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { evolve } from "../../generator/evolve/evolve.js";
import { OPAQUE, RULES, SUPPLIED } from "../../generator/evolve/project/projection-facts.js";
import { project } from "../../generator/evolve/project/project.js";
import type { Protocol } from "../../generator/link/protocol.js";
import { Shapes } from "../../generator/model/shape.js";
import { RULES as WRITTEN } from "../../runtime/facade/project/rules.js";
import { bundled, protocolOf } from "./bundled-protocols.js";
import { BASICS, linkText, unions } from "./link-text.js";

const ASK = `
export interface AskRequest { method: "a/ask"; params: AskParams }
export interface AskResult { done: true }
`;

/** A revision in which clients can ask something, with these parameters. */
function revisionOf(revision: string, params: string): Protocol {
  const text = `${params}${ASK}${BASICS}`;
  const { protocol, found } = linkText(
    `${text}${unions({ ClientRequest: "AskRequest", ServerResult: "AskResult" })}`,
  );
  expect(found).toEqual([]);
  return { ...protocol!, revision };
}

/** The shapes of an old revision's table, and what is reported. */
function tableOf(before: string, after: string) {
  const protocols = [revisionOf("1", before), revisionOf("2", after)];
  const diagnostics = new Diagnostics();
  const [table] = project(protocols, evolve(protocols, diagnostics), diagnostics);
  const found = diagnostics.items.map(
    ({ code, severity, message }) => `${code} ${severity} ${message}`,
  );
  for (const { hint } of diagnostics.items) expect(hint).toMatch(/\.$/);
  return { params: table!.methods["a/ask"]?.params, shapes: table!.shapes, found };
}

describe("project", () => {
  it("omits equal messages", () => {
    const text = "export interface AskParams { a: string; b?: number[]; c: { d: 1 | 2 } }";
    expect(tableOf(text, text)).toEqual({ params: undefined, shapes: {}, found: [] });
  });

  it("records removed members only at the places that lead to them", () => {
    const { params, shapes, found } = tableOf(
      "export interface AskParams { a?: string; same?: Item[]; items: Item[] }\nexport interface Item { b: 1 }",
      "export interface AskParams { a?: string; same?: Item[]; items: Item[]; c?: 1 }\nexport interface Item { b: 1; d?: { e: 1 } }",
    );
    expect(params).toBe("AskParams");
    expect(shapes).toEqual({
      AskParams: {
        drop: ["c"],
        members: { same: "AskParams.same", items: "AskParams.items" },
        requires: ["items"],
      },
      "AskParams.same": { items: "Item" },
      "AskParams.items": { items: "Item" },
      Item: { drop: ["d"] },
    });
    expect(found).toEqual([]);
  });

  it("records members that only another revision had", () => {
    const protocols = [
      revisionOf("1", "export interface AskParams { a: 1 }"),
      revisionOf("2", "export interface AskParams { a: 1; between?: 1 }"),
      revisionOf("3", "export interface AskParams { a: 1 }"),
    ];
    const diagnostics = new Diagnostics();
    const tables = project(protocols, evolve(protocols, diagnostics), diagnostics);
    expect(tables.map(({ shapes }) => shapes)).toEqual([{ AskParams: { drop: ["between"] } }, {}]);
  });

  it("tells the arms of a union apart by a member, and follows recursion once", () => {
    const { shapes } = tableOf(
      `export interface AskParams { node: Node }
       export type Node = Leaf | Branch;
       export interface Leaf { type: "leaf" }
       export interface Branch { type: "branch"; nodes: Node[] }`,
      `export interface AskParams { node: Node }
       export type Node = Leaf | Branch | Stone;
       export interface Leaf { type: "leaf"; green?: boolean }
       export interface Branch { type: "branch"; nodes: Node[] }
       export interface Stone { type: "stone" }`,
    );
    expect(shapes).toEqual({
      AskParams: { members: { node: "Node" }, requires: ["node"] },
      Branch: { members: { nodes: "Branch.nodes" }, requires: ["nodes"] },
      "Branch.nodes": { items: "Node" },
      Leaf: { drop: ["green"] },
      Node: { tag: "type", arms: { leaf: "Leaf", branch: "Branch", stone: null } },
    });
  });

  it("records new strings and kinds of values", () => {
    const { shapes, found } = tableOf(
      'export interface AskParams { level: "a" | "b"; value: string | number }',
      'export interface AskParams { level: "a" | "b" | "c"; value: string | number | boolean | 1[] }',
    );
    expect(shapes).toMatchObject({
      "AskParams.level": { lacks: ["c"] },
      "AskParams.value": { kinds: { boolean: null, array: null } },
    });
    expect(found).toEqual([]);
  });

  it.each([
    ["a: string", "a: number", "AskParams.a is number, and string in this revision."],
    ["a: 1", "a: number", "AskParams.a is 1 in this revision, and not only that in the newest."],
    ['a: "x" | "y"', "a: string", "AskParams.a is limited to a few values in this revision."],
    ["a: { b: 1 }", "a: unknown", "AskParams.a can be any JSON, but not in this revision."],
    ["a: 1[]", "a: { b: 1 }", "AskParams.a is object, and array in this revision."],
    [
      "a: 1",
      "a?: 1",
      "AskParams.a is required by this revision and optional in the newest revision.",
    ],
    [
      "a: 1; b?: 2",
      "b?: 2",
      "AskParams.a is required by this revision and unknown to the newest revision.",
    ],
    [
      "/** @maximum 5 */ a: number",
      "a: number",
      "AskParams.a has another limit in this revision: maximum.",
    ],
    [
      "a: { b: string }",
      "a: { b: string } | { c: string }",
      "AskParams.a can be { c: string }, which this revision lacks and no member tells.",
    ],
  ])("refuses a change that no table can express: { %s } -> { %s }", (before, after, message) => {
    const { found } = tableOf(
      `export interface AskParams { ${before} }`,
      `export interface AskParams { ${after} }`,
    );
    expect(found).toEqual([`MCG4004 error ${message}`]);
  });

  it.each([
    ["a: number", "a: 1"],
    ["a?: 1", "a: 1"],
    ["a: string", 'a: "x"'],
    ["a: string", 'a: "x" | "y"'],
    ["a: string", "/** @maxLength 5 */ a: string"],
    ["a: unknown", "a: { b: 1 }"],
    ["a: 1; b?: 1", "a: 1"],
  ])("accepts a wider type: { %s } -> { %s }", (before, after) => {
    const { shapes, found } = tableOf(
      `export interface AskParams { ${before} }`,
      `export interface AskParams { ${after} }`,
    );
    expect([shapes, found]).toEqual([{}, []]);
  });

  it("warns of a missing member that the newest revision requires", () => {
    const { found, shapes } = tableOf(
      "export interface AskParams { a: 1 }",
      "export interface AskParams { a: 1; b: 1 }",
    );
    expect(shapes).toEqual({ AskParams: { drop: ["b"] } });
    expect(found).toEqual([
      "MCG4005 warning AskParams.b is required by the newest revision and unknown to this one: what comes from it has none.",
    ]);
  });
});

describe("the projection rules", () => {
  const protocols = bundled.map(protocolOf);
  const diagnostics = new Diagnostics();
  const evolution = evolve(protocols, diagnostics);
  const tables = project(protocols, evolution, diagnostics);
  const neutral = new Shapes(evolution.neutral.map(({ declaration }) => declaration));

  it("are enough for all bundled revisions", () => {
    expect(diagnostics.items).toEqual([]);
    expect(tables.map(({ revision }) => revision)).toEqual(bundled.slice(0, -1));
  });

  it.each(Object.entries(RULES))("are written and used: %s", (_place, { rule }) => {
    expect(WRITTEN).toHaveProperty(rule);
    const used = tables.flatMap(({ shapes }) => Object.values(shapes).map((shape) => shape.rule));
    expect(used).toContain(rule);
  });

  it("have a place each", () => {
    const named = Object.values(RULES).map(({ rule }) => rule);
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(WRITTEN).toSorted());
  });

  it.each([...Object.keys(RULES), ...OPAQUE, ...Object.keys(SUPPLIED)])(
    "exist at runtime: %s",
    (place) => {
      const [type, member] = place.split(".") as [string, string?];
      if (member === undefined) expect(neutral.declaration(type)).toBeDefined();
      else expect(neutral.named(type)?.members.has(member)).toBe(true);
    },
  );

  it("name existing shapes only", () => {
    for (const { shapes, methods } of tables) {
      const names = Object.values(shapes).flatMap(
        ({ members, each, items, kinds, arms, untagged }) =>
          [
            ...Object.values(members ?? {}),
            ...Object.values(kinds ?? {}),
            ...Object.values(arms ?? {}),
            each,
            items,
            untagged,
          ].filter((name) => typeof name === "string"),
      );
      const used = new Set([
        ...names,
        ...Object.values(methods).flatMap((parts) => Object.values(parts) as string[]),
      ]);
      expect([...used].toSorted()).toEqual(Object.keys(shapes).toSorted());
    }
  });
});
