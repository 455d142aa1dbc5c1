import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { project } from "../../generator/evolve/project/project.js";
import type { Facts } from "../../generator/link/facts.js";
import type { Protocol } from "../../generator/link/protocol.js";
import { readFacts } from "../../generator/link/read-facts.js";
import * as facade from "../../runtime/facade/codegen.js";
import { bundled, protocolOf } from "./bundled-protocols.js";
import { BASICS, linkText, unions } from "./link-text.js";

const ASK = `
export interface AskRequest { method: "a/ask"; params: AskParams }
export interface AskResult { done: true }
`;

/** Creates a revision in which clients can send a request with these parameters. */
function revisionOf(revision: string, params: string, facts?: Facts): Protocol {
  const text = `${params}${ASK}${BASICS}`;
  const { protocol, found } = linkText(
    `${text}${unions({ ClientRequest: "AskRequest", ServerResult: "AskResult" })}`,
    facts,
  );
  expect(found).toEqual([]);
  return { ...protocol!, revision };
}

/** Returns the shapes of the step between two revisions, and the reports. */
function tableOf(before: string, after: string, facts?: Facts) {
  const protocols = [revisionOf("1", before), revisionOf("2", after, facts)];
  const diagnostics = new Diagnostics();
  const [table] = project(protocols, diagnostics).map(({ step }) => step);
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

  it("records members that only a revision between had", () => {
    const protocols = [
      revisionOf("1", "export interface AskParams { a: 1 }"),
      revisionOf("2", "export interface AskParams { a: 1; between?: 1 }"),
      revisionOf("3", "export interface AskParams { a: 1 }"),
    ];
    const diagnostics = new Diagnostics();
    const steps = project(protocols, diagnostics);
    expect(steps.map(({ newer, older, step }) => [newer, older, step.shapes])).toEqual([
      ["2", "1", { AskParams: { drop: ["between"] } }],
      ["3", "2", {}],
    ]);
  });

  it("describes a pair of neighbours independently of later revisions", () => {
    const protocols = [
      revisionOf("1", "export interface AskParams { a: 1 }"),
      revisionOf("2", "export interface AskParams { a: 1; b?: 1 }"),
      revisionOf("3", "export interface AskParams { a: 1; b?: 1; c?: { d: 1 } }"),
    ];
    const steps = project(protocols, new Diagnostics());
    expect(steps.slice(0, 1)).toEqual(project(protocols.slice(0, 2), new Diagnostics()));
  });

  it("describes removed messages for the revisions that have them", () => {
    const gone = linkText(
      `export interface OldParams { item: Item }\nexport interface Item { b: 1; c?: 1 }\n${BASICS}${unions()}`,
    ).protocol!;
    const before = revisionOf(
      "1",
      "export interface AskParams { item: Item }\nexport interface Item { b: 1 }",
    );
    const steps = project([before, { ...gone, revision: "2" }], new Diagnostics());
    expect(steps[0]!.step).toMatchObject({
      methods: { "a/ask": { params: "AskParams" } },
      shapes: { Item: { drop: ["c"] } },
    });
  });

  it("distinguishes the arms of a union by a member, and follows recursion once", () => {
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
    [
      "a: 1",
      "a: number",
      "AskParams.a is 1 in this revision, but can be something else in the newest.",
    ],
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
      "AskParams.a has a different limit in this revision: maximum.",
    ],
    [
      "a: { b: string }",
      "a: { b: string } | { c: string }",
      "AskParams.a can be { c: string }, which this revision lacks and no member identifies.",
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
      "MCG4005 warning AskParams.b is required by the newest revision and unknown to this one, whose messages lack it.",
    ]);
  });
});

const evidence = { reason: "Because.", source: "https://example.com/" };

function factsOf(facts: Omit<Facts, "revision">): Facts {
  const text = JSON.stringify({ revision: "test", ...facts }, undefined, 2);
  return readFacts(text, "facts.json", new Diagnostics())!;
}

describe("facts about places", () => {
  const before = "export interface AskParams { item: Item }\nexport interface Item { b: 1 }";
  const after =
    "export interface AskParams { item: Item }\nexport interface Item { b: 1; c?: 1; d?: 1 }";

  it("assign rules and treatments to them", () => {
    const facts = factsOf({
      rules: [{ place: "Item", rule: "textNote", extent: "around", ...evidence }],
      places: [
        { place: "Item.c", treatment: "strip", ...evidence },
        { place: "Item.d", treatment: "refuse", ...evidence },
      ],
    });
    const { shapes, found } = tableOf(before, after, facts);
    expect(found).toEqual([]);
    expect(shapes["Item"]).toEqual({ rule: "textNote", strip: ["c"], refuse: ["d"] });
  });

  it("apply to the steps of later revisions too, under their names there", () => {
    const facts = factsOf({ places: [{ place: "Item.c", treatment: "strip", ...evidence }] });
    const renamed =
      "export interface AskParams { item: Thing }\nexport interface Thing { b: 1; c?: 1; e?: 1 }";
    const protocols = [
      revisionOf("1", before),
      revisionOf("2", before.replace("b: 1", "b: 1; c?: 1"), facts),
      { ...revisionOf("3", before), revision: "3" },
      { ...revisionOf("4", renamed), successors: [{ from: "Item", to: "Thing" }] },
    ];
    const diagnostics = new Diagnostics();
    const shapes = project(protocols, diagnostics).map(({ step }) => step.shapes);
    expect(diagnostics.items).toEqual([]);
    expect(shapes[0]!["Item"]).toEqual({ strip: ["c"] });
    expect(shapes[2]!["Thing"]).toEqual({ drop: ["e"], strip: ["c"] });
  });

  it("are errors if they match nothing, with their position", () => {
    const facts = factsOf({
      rules: [{ place: "Item", rule: "textNote", extent: "required", ...evidence }],
      places: [{ place: "Item.b", treatment: "strip", ...evidence }],
    });
    const protocols = [revisionOf("1", before), revisionOf("2", after, facts)];
    const diagnostics = new Diagnostics();
    project(protocols, diagnostics);
    const found = diagnostics.items.map(({ code, severity, message, file, span, hint }) => {
      expect(hint).toMatch(/\.$/);
      return `${code} ${severity} ${file} ${span?.line} ${message}`;
    });
    expect(found).toEqual([
      "MCG4006 error facts.json 4 The fact states the rule textNote for Item, but nothing there differs from the revision before.",
      "MCG4006 error facts.json 13 The fact states the treatment `strip` for Item.b, but nothing there differs from the revision before.",
    ]);
  });

  it("are refused if the schema does not declare the place", () => {
    const places = ["Nothing", "AskParams.nothing"].map(
      (place) => ({ place, treatment: "strip", ...evidence }) as const,
    );
    const text = `${before}${ASK}${BASICS}${unions({ ClientRequest: "AskRequest", ServerResult: "AskResult" })}`;
    const { found } = linkText(text, factsOf({ places }));
    expect(found).toEqual(["MCG3062 facts.json 4:5", "MCG3062 facts.json 10:5"]);
  });
});

describe("the facts of the bundled revisions", () => {
  const protocols = bundled.map(protocolOf);
  const diagnostics = new Diagnostics();
  const steps = project(protocols, diagnostics);
  const rules = protocols.flatMap(({ places = [] }) =>
    places.flatMap(({ fact }) => ("rule" in fact ? fact.rule : [])),
  );

  it("cover all differences, and each of them is used", () => {
    expect(diagnostics.items).toEqual([]);
    expect(steps.map(({ newer, older }) => [newer, older])).toEqual(
      bundled.slice(1).map((newer, index) => [newer, bundled[index]]),
    );
  });

  it("name exactly the rules that the runtime exports", () => {
    const written = Object.keys(facade).filter(
      (name) => !/^(?:p|errorP)rojection$|schema$/i.test(name) || name === "objectSchema",
    );
    expect([...new Set(rules)].toSorted()).toEqual(written.toSorted());
  });

  it("leave the envelope to the engine", () => {
    const names = ["resultType", "ttlMs", "cacheScope", "inputResponses", "requestState"];
    for (const { step } of steps) {
      for (const { drop = [], strip = [], supply, members = {} } of Object.values(step.shapes)) {
        expect([...drop, ...strip, ...Object.keys(members)]).not.toEqual(
          expect.arrayContaining([expect.toBeOneOf(names)]),
        );
        expect(supply).toBeUndefined();
      }
      expect(JSON.stringify(step.shapes)).not.toContain("io.modelcontextprotocol/");
    }
  });

  it("lead only to shapes that exist", () => {
    for (const {
      step: { shapes, methods },
    } of steps) {
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
