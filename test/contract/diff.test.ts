// The schema builders are next to the expectations that use them.
/* oxlint-disable unicorn/consistent-function-scoping, unicorn/no-thenable */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { contractDiff } from "../../runtime/contract/diff/contract-diff.js";
import { Containment } from "../../runtime/contract/diff/containment.js";
import { SchemaDocument } from "../../runtime/contract/diff/schema-document.js";
import {
  type Definition,
  type ServerReading,
  lockText,
} from "../../runtime/contract/lock/lock-file.js";
import { definitionParts } from "@mcp-codegen/contract";
import {
  jsonSchemas,
  type SchemaCheck,
  type SchemaCompiler,
  SchemaError,
} from "@mcp-codegen/runtime/json-schema";
import { mutate, randomSchema, valueOf } from "./random-schemas.js";
import { randomOf } from "../support/random.js";

const EMPTY: ServerReading = { tools: [], prompts: [], resources: [], resourceTemplates: [] };
const OBJECT = { type: "object" };

/** Formats changes as `class /pointer: message`. */
function changes(before: Partial<ServerReading>, after: Partial<ServerReading>): string[] {
  return contractDiff("s", { ...EMPTY, ...before }, { ...EMPTY, ...after }).map(
    ({ class: name, pointer, message }) => `${name} ${pointer}: ${message}`,
  );
}
const tool = (members: Definition): Partial<ServerReading> => ({
  tools: [{ name: "t", inputSchema: OBJECT, ...members }],
});
const definitionOf = (inputSchema: object): Definition => ({ name: "t", inputSchema });
const classesOf = (before: Partial<ServerReading>, after: Partial<ServerReading>): string[] => [
  ...new Set(
    contractDiff("s", { ...EMPTY, ...before }, { ...EMPTY, ...after }).map((one) => one.class),
  ),
];

/** Pairs of a schema and one that accepts strictly less. */
const PAIRS: readonly (readonly [name: string, wide: object, narrow: object])[] = [
  ["a type", {}, { type: "string" }],
  ["one of two types", { type: ["string", "null"] }, { type: "string" }],
  ["integer", { type: "number" }, { type: "integer" }],
  ["a value of an enum", { enum: ["a", "b"] }, { enum: ["a"] }],
  ["an enum", { type: "string" }, { type: "string", enum: ["a"] }],
  ["a constant", { type: "string" }, { const: "a" }],
  ["minimum", { type: "integer", minimum: 0 }, { type: "integer", minimum: 1 }],
  ["maximum", { type: "number", maximum: 10 }, { type: "number", maximum: 5 }],
  ["exclusiveMinimum", { type: "number", minimum: 0 }, { type: "number", exclusiveMinimum: 0 }],
  ["exclusiveMaximum", { type: "number" }, { type: "number", exclusiveMaximum: 7 }],
  ["multipleOf", { type: "integer", multipleOf: 2 }, { type: "integer", multipleOf: 4 }],
  ["minLength", { type: "string" }, { type: "string", minLength: 1 }],
  ["maxLength", { type: "string", maxLength: 9 }, { type: "string", maxLength: 8 }],
  ["pattern", { type: "string" }, { type: "string", pattern: "^a" }],
  ["format", { type: "string" }, { type: "string", format: "uri" }],
  ["minItems", { type: "array" }, { type: "array", minItems: 1 }],
  ["maxItems", { type: "array", maxItems: 3 }, { type: "array", maxItems: 2 }],
  ["uniqueItems", { type: "array" }, { type: "array", uniqueItems: true }],
  ["items", { type: "array" }, { type: "array", items: { type: "string" } }],
  [
    "tuples",
    { type: "array", items: { type: "string" } },
    { type: "array", items: { type: "string" }, prefixItems: [{ const: "a" }] },
  ],
  [
    "required",
    { type: "object", properties: { a: {} } },
    { type: "object", properties: { a: {} }, required: ["a"] },
  ],
  [
    "the schema of a property",
    { type: "object", properties: { a: {} } },
    { type: "object", properties: { a: { type: "string" } } },
  ],
  [
    "a property of a closed object",
    { type: "object", properties: { a: {}, b: {} }, additionalProperties: false },
    { type: "object", properties: { a: {} }, additionalProperties: false },
  ],
  [
    "additionalProperties",
    { type: "object", additionalProperties: true },
    { type: "object", additionalProperties: { type: "string" } },
  ],
  [
    "minProperties",
    { type: "object", additionalProperties: {} },
    { type: "object", additionalProperties: {}, minProperties: 1 },
  ],
  [
    "a branch of anyOf",
    { anyOf: [{ type: "string" }, { type: "integer" }] },
    { anyOf: [{ type: "string" }] },
  ],
  ["not", { type: "string" }, { type: "string", not: { const: "a" } }],
];

/** The places where a schema may be. */
const PLACES: readonly (readonly [name: string, around: (schema: object) => object])[] = [
  ["a property", (schema) => ({ type: "object", properties: { x: schema } })],
  [
    "a property of a property",
    (schema) => ({
      type: "object",
      properties: { y: { type: "object", properties: { x: schema } } },
    }),
  ],
  [
    "an item",
    (schema) => ({ type: "object", properties: { x: { type: "array", items: schema } } }),
  ],
  [
    "a definition",
    (schema) => ({
      type: "object",
      properties: { x: { $ref: "#/$defs/D" } },
      $defs: { D: schema },
    }),
  ],
  ["a part of allOf", (schema) => ({ type: "object", properties: { x: { allOf: [schema] } } })],
  [
    "a branch of anyOf",
    (schema) => ({ type: "object", properties: { x: { anyOf: [schema, { type: "boolean" }] } } }),
  ],
];
const MUTATIONS = PAIRS.flatMap(([what, wide, narrow]) =>
  PLACES.map(([where, around]) => [what, where, around(wide), around(narrow)] as const),
);

describe("classes of changes of schemas", () => {
  it("are 600 known ones: arguments may become wider, results narrower", () => {
    expect(MUTATIONS.length * 4).toBeGreaterThan(600);
    const wrong = MUTATIONS.flatMap(([what, where, wide, narrow]) => {
      const found = {
        "arguments narrower": classesOf(tool({ inputSchema: wide }), tool({ inputSchema: narrow })),
        "arguments wider": classesOf(tool({ inputSchema: narrow }), tool({ inputSchema: wide })),
        "results narrower": classesOf(tool({ outputSchema: wide }), tool({ outputSchema: narrow })),
        "results wider": classesOf(tool({ outputSchema: narrow }), tool({ outputSchema: wide })),
      };
      const right: Record<keyof typeof found, string> = {
        "arguments narrower": "breaking",
        "arguments wider": "additive",
        "results narrower": "additive",
        "results wider": "breaking",
      };
      return Object.entries(found)
        .filter(([name, classes]) => classes.join() !== right[name as keyof typeof found])
        .map(([name, classes]) => `${what} in ${where}, ${name}: ${classes.join()}`);
    });
    // A type on its own allows booleans, and so does the branch next to it.
    expect(wrong).toEqual([]);
  });

  it.each(["description", "title", "default", "examples", "$comment"])(
    "are prose if only %s changes, at any depth",
    (keyword) => {
      for (const [, around] of PLACES) {
        const [one, other] = ["before", "after"].map((text) =>
          around({ type: "string", [keyword]: text }),
        );
        const before = tool({ inputSchema: one!, outputSchema: one! });
        expect(classesOf(before, tool({ inputSchema: other!, outputSchema: other! }))).toEqual([
          "prose",
        ]);
      }
    },
  );

  it("are additive for a new optional argument, and breaking for one that is required", () => {
    const before = { type: "object", properties: { a: {} } };
    const b = { type: "string" };
    const after = { type: "object", properties: { a: {}, b } };
    expect(changes(tool({ inputSchema: before }), tool({ inputSchema: after }))).toEqual([
      'additive /inputSchema/properties/b: {"type":"string"}',
    ]);
    const required = { ...after, required: ["b"] };
    expect(changes(tool({ inputSchema: before }), tool({ inputSchema: required }))).toEqual([
      'breaking /inputSchema/required: "b" is required now',
      'additive /inputSchema/properties/b: {"type":"string"}',
    ]);
  });

  it("do not treat a property named description as a text", () => {
    const of = (type: string) =>
      tool({ inputSchema: { type: "object", properties: { description: { type } } } });
    expect(changes(of("string"), of("integer"))).toEqual([
      "breaking /inputSchema/properties/description/type: string is no longer accepted",
    ]);
  });

  it("are breaking for a closed result that opens: clients of the contract reject other members", () => {
    const open = { type: "object", properties: { a: { type: "string" } } };
    const closed = { ...open, additionalProperties: false };
    const typed = { ...open, additionalProperties: { type: "string" } };
    const nested = (schema: object): object => ({ type: "array", items: schema });
    for (const [before, after] of [
      [closed, open],
      [typed, open],
      [nested(closed), nested(open)],
    ]) {
      expect(classesOf(tool({ outputSchema: before }), tool({ outputSchema: after }))).toEqual([
        "breaking",
      ]);
      expect(classesOf(tool({ inputSchema: before }), tool({ inputSchema: after }))).toEqual([
        "additive",
      ]);
      expect(classesOf(tool({ outputSchema: after }), tool({ outputSchema: before }))).toEqual([
        "additive",
      ]);
    }
  });

  it("do not depend on the order of a set", () => {
    const schema = (order: "toSorted" | "toReversed"): object => ({
      type: "object",
      properties: { a: { enum: ["x", "y"][order]() }, b: { type: ["null", "string"][order]() } },
      required: ["a", "b"][order](),
    });
    const [one, other] = [schema("toSorted"), schema("toReversed")].map(definitionOf);
    expect(definitionParts(one!)).toEqual(definitionParts(other!));
  });

  it.each(["oneOf", "anyOf"])(
    "are found in time for 1,500 branches of %s",
    (keyword) => {
      const branches = (last: number): object => ({
        [keyword]: Array.from({ length: 1500 }, (_, index) => ({
          type: "object",
          properties: {
            k: { const: `k${index}` },
            n: { type: "integer", maximum: index === 0 ? last : 9 },
          },
          required: ["k"],
        })),
      });
      const found = changes(tool({ inputSchema: branches(9) }), tool({ inputSchema: branches(8) }));
      expect(found.some((text) => text.startsWith("breaking"))).toBe(true);
      const twice = { anyOf: [{ $ref: "#" }, { allOf: [{ $ref: "#" }, { $ref: "#" }] }] };
      const values = tool({ inputSchema: { enum: [{ a: 1 }, [2], 3] } });
      expect(classesOf(values, tool({ inputSchema: twice }))).toHaveLength(1);
    },
    30_000,
  );

  it("report what could not be decided", () => {
    const of = (value: string) =>
      tool({
        inputSchema: { type: "object", properties: { x: { if: { const: value }, then: false } } },
      });
    expect(changes(of("a"), of("b"))).toEqual([
      "breaking /inputSchema/properties/x/if: undecided: if",
      "breaking /inputSchema/properties/x/then: undecided: then",
    ]);
    const [change] = contractDiff("s", { ...EMPTY, ...of("a") }, { ...EMPTY, ...of("b") });
    expect(change).toMatchObject({ undecided: true });
  });

  it("follow recursive references, and terminate for hostile ones", () => {
    const tree = (type: string) => ({
      $defs: { N: { anyOf: [{ type }, { type: "array", items: { $ref: "#/$defs/N" } }] } },
      type: "object",
      properties: { x: { $ref: "#/$defs/N" } },
    });
    expect(
      classesOf(tool({ inputSchema: tree("string") }), tool({ inputSchema: tree("string") })),
    ).toEqual([]);
    expect(
      classesOf(tool({ inputSchema: tree("integer") }), tool({ inputSchema: tree("number") })),
    ).toEqual(["additive"]);
    expect(
      classesOf(tool({ inputSchema: tree("number") }), tool({ inputSchema: tree("integer") })),
    ).toEqual(["breaking"]);
    const wide = (depth: number, leaf: object): object =>
      depth === 0
        ? leaf
        : {
            anyOf: Array.from({ length: 6 }, () => ({ properties: { a: wide(depth - 1, leaf) } })),
          };
    // Comparing every alternative with every other one would exceed a test's time limit.
    expect(
      classesOf(
        tool({ inputSchema: wide(6, { type: "string" }) }),
        tool({ inputSchema: wide(6, { type: "integer" }) }),
      ),
    ).not.toEqual([]);
  });

  it("distinguish alternatives by a constant that all of them require", () => {
    const arm = (kind: string, more: object = {}) => ({
      type: "object",
      properties: { kind: { const: kind }, ...more },
      required: ["kind"],
    });
    const of = (...oneOf: object[]) =>
      tool({ inputSchema: { type: "object", properties: { x: { oneOf } } } });
    expect(classesOf(of(arm("a"), arm("b")), of(arm("a"), arm("b"), arm("c")))).toEqual([
      "additive",
    ]);
    expect(classesOf(of(arm("a"), arm("b")), of(arm("a")))).toEqual(["breaking"]);
  });

  it("follow the dialect: tuples of draft-07, exclusive bounds of draft-04", () => {
    const of = ($schema: string, x: object) =>
      tool({ inputSchema: { $schema, type: "object", properties: { x } } });
    const seven = "http://json-schema.org/draft-07/schema#";
    expect(
      classesOf(
        of(seven, { items: [{ type: "string" }], additionalItems: false }),
        of(seven, { items: [{}] }),
      ),
    ).toEqual(["additive"]);
    const four = "http://json-schema.org/draft-04/schema#";
    expect(
      classesOf(of(four, { minimum: 1, exclusiveMinimum: true }), of(four, { minimum: 1 })),
    ).toEqual(["additive"]);
    expect(
      classesOf(of(four, { minimum: 1 }), of(four, { minimum: 1, exclusiveMinimum: true })),
    ).toEqual(["breaking"]);
  });
});

describe("an additive change", () => {
  it("never rejects what was valid before: 2000 random changes, checked with two validators", () => {
    const counts = { additive: 0, breaking: 0, refused: 0, values: 0 };
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    const compile = jsonSchemas();
    const wrong: string[] = [];
    for (let seed = 1; seed <= 2000; seed += 1) {
      const random = randomOf(seed);
      const before = randomSchema(random, 3);
      const after = mutate(before, random);
      const [checkBefore, check] = [checkOf(compile, before), checkOf(compile, after)];
      // Neither validator has an answer for a schema that refers to itself endlessly.
      if (check === undefined || checkBefore === undefined) continue;
      const misfits = new Containment(
        new SchemaDocument(before),
        new SchemaDocument(after),
      ).misfits();
      const [wasRight, isRight] = [ajv.compile(before), ajv.compile(after)];
      let isRefused = false;
      for (let number = 0; number < 25; number += 1) {
        const value = valueOf(before, random);
        if (!wasRight(value) || checkBefore(value) !== undefined) continue;
        counts.values += 1;
        const fits = isRight(value) && check(value) === undefined;
        if (!fits) isRefused = true;
        if (misfits.length === 0 && !fits) {
          wrong.push(`seed ${seed}: ${JSON.stringify({ before, after, value })}`);
        }
      }
      if (isRefused) counts.refused += 1;
      counts[misfits.length === 0 ? "additive" : "breaking"] += 1;
      ajv.removeSchema();
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(counts.additive).toBeGreaterThan(400);
    expect(counts.refused).toBeGreaterThan(200);
    expect(counts.values).toBeGreaterThan(10_000);
  }, 120_000);
});

function checkOf(compile: SchemaCompiler, schema: object): SchemaCheck | undefined {
  try {
    return compile(schema);
  } catch (error) {
    if (error instanceof SchemaError) return undefined;
    throw error;
  }
}

describe("classes of other changes", () => {
  it.each([
    ["readOnlyHint: true -> false", { readOnlyHint: true }, { readOnlyHint: false }, "dangerous"],
    ["readOnlyHint gone", { readOnlyHint: true }, {}, "dangerous"],
    ["readOnlyHint new", {}, { readOnlyHint: true }, "additive"],
    [
      "destructiveHint: false -> true",
      { destructiveHint: false },
      { destructiveHint: true },
      "dangerous",
    ],
    ["destructiveHint: false gone, which means true", { destructiveHint: false }, {}, "dangerous"],
    ["openWorldHint: true, which was the default before", {}, { openWorldHint: true }, "additive"],
    ["idempotentHint gone", { idempotentHint: true }, {}, "dangerous"],
    ["the title", { title: "a" }, { title: "b" }, "prose"],
  ])("of hints: %s", (_, before, after, expected) => {
    expect(classesOf(tool({ annotations: before }), tool({ annotations: after }))).toEqual([
      expected,
    ]);
  });

  it.each([
    ["a page", {}, { _meta: { ui: { resourceUri: "ui://a" } } }, "dangerous"],
    [
      "another origin",
      { _meta: { ui: { csp: { connectDomains: [] } } } },
      { _meta: { ui: { csp: { connectDomains: ["https://e"] } } } },
      "dangerous",
    ],
    ["other metadata", {}, { _meta: { "a.b/c": 1 } }, "prose"],
    ["a task that becomes required", {}, { execution: { taskSupport: "required" } }, "breaking"],
    ["a task that becomes possible", {}, { execution: { taskSupport: "optional" } }, "additive"],
    ["an icon", {}, { icons: [{ src: "https://e/i.png" }] }, "prose"],
    ["results that gain a schema", {}, { outputSchema: OBJECT }, "additive"],
    ["results that lose their schema", { outputSchema: OBJECT }, {}, "breaking"],
  ])("of tools: %s", (_, before, after, expected) => {
    expect(classesOf(tool(before), tool(after))).toEqual([expected]);
  });

  it.each(
    "200b 202e e0041 7 e0100 e01ef fe00 fe0f 3164 115f 2800 180b 17b4 1d173 34f e000 2028"
      .split(" ")
      .map((code) => String.fromCodePoint(Number.parseInt(code, 16))),
  )("include invisible characters in a text, a name, a value and a new tool: %j", (character) => {
    const hidden = `a${character}b`;
    expect(classesOf(tool({}), tool({ description: hidden }))).toEqual(["dangerous", "prose"]);
    const of = (name: string) =>
      tool({ inputSchema: { type: "object", properties: { x: { enum: ["q", name] } } } });
    expect(classesOf(of("q"), of(hidden))).toContain("dangerous");
    const named = { tools: [{ name: hidden, inputSchema: OBJECT }] };
    expect(classesOf({}, named)).toEqual(["dangerous", "additive"]);
    expect(classesOf({}, { instructions: hidden })).toEqual(["dangerous", "prose"]);
    expect(classesOf(tool({ description: hidden }), tool({ description: hidden }))).toEqual([]);
  });

  it.each([
    "\u2764\ufe0f",
    "1\ufe0f\u20e3",
    "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}",
    "\u0600 1",
    "a\tb\n",
  ])("do not report %j as hidden text", (text) => {
    expect(classesOf(tool({}), tool({ description: text }))).toEqual(["prose"]);
  });

  it("are written into the lock file with dangerous characters escaped", () => {
    for (const character of ["\u{e0100}", "\ufe00", "\u3164", "\u2800", "\u{1d173}"]) {
      const text = lockText({ lockVersion: 1, servers: {}, note: character } as never);
      expect(text).not.toContain(character);
      expect(JSON.parse(text)).toMatchObject({ note: character });
    }
  });

  it("of prompts, resources, templates and the server", () => {
    const prompt = (...list: object[]) =>
      ({ prompts: [{ name: "p", arguments: list }] }) as Partial<ServerReading>;
    expect(changes(prompt({ name: "a" }), prompt({ name: "a", required: true }))).toEqual([
      'breaking /arguments/0: the argument "a" is required now',
    ]);
    expect(changes(prompt({ name: "a" }), prompt({ name: "a" }, { name: "b" }))).toEqual([
      'additive /arguments/1: new argument "b"',
    ]);
    expect(changes(prompt({ name: "a" }), prompt())).toEqual([
      'breaking /arguments/0: the argument "a" is gone',
    ]);
    expect(
      changes(prompt({ name: "a", description: "x" }), prompt({ name: "a", description: "y" })),
    ).toEqual(['prose /arguments/0/description: "x" -> "y"']);
    const resource = (members: object) =>
      ({ resources: [{ uri: "a://b", name: "b", ...members }] }) as Partial<ServerReading>;
    expect(
      classesOf(resource({ mimeType: "text/plain" }), resource({ mimeType: "text/html" })),
    ).toEqual(["breaking"]);
    expect(classesOf(resource({}), resource({ name: "c" }))).toEqual(["prose"]);
    expect(classesOf({ resourceTemplates: [{ uriTemplate: "a://{b}", name: "b" }] }, {})).toEqual([
      "breaking",
    ]);
    expect(changes({ capabilities: { tools: {} } }, { capabilities: { prompts: {} } })).toEqual([
      "breaking /capabilities/tools: gone: {}",
      "additive /capabilities/prompts: {}",
    ]);
    expect(classesOf({ revision: "2026-07-28" }, { revision: "2025-11-25" })).toEqual(["breaking"]);
    expect(
      classesOf({ server: { name: "a", version: "1" } }, { server: { name: "a", version: "2" } }),
    ).toEqual(["additive"]);
  });
});
