import { describe, expect, it } from "vitest";
import type { TypeExpression } from "../../generator/model/schema-model.js";
import { bare, declarationsOf, modelOf } from "./model-of.js";

const REST = `export interface B { b: string; c: string }\nexport const K = "k";`;

/** Returns the type of `export type A = …`. */
function typeOf(text: string): unknown {
  const [alias] = declarationsOf(`export type A = ${text};\n${REST}`);
  return alias?.kind === "alias" ? bare<TypeExpression>(alias.type) : undefined;
}

const keyword = (name: string) => ({ kind: "keyword", name });
const literal = (value: unknown) => ({ kind: "literal", value });
const reference = (name: string) => ({ kind: "reference", name });

describe("types", () => {
  it.each(["string", "number", "boolean", "null", "unknown", "any", "never", "object"])(
    "%s",
    (name) => expect(typeOf(name)).toEqual(keyword(name)),
  );

  it.each([
    [`"a"`, "a"],
    [`'it\\'s "a"'`, `it's "a"`],
    [`"\\u0041\\x42\\u{1F600}\\n\\t\\\\"`, "AB😀\n\t\\"],
    [`"a\\\nb"`, "ab"],
    [`1`, 1],
    [`-1.5`, -1.5],
    [`- 0x10`, -16],
    [`1_000e3`, 1_000_000],
    [`true`, true],
    [`false`, false],
  ])("include the literal %s", (text, value) => expect(typeOf(text)).toEqual(literal(value)));

  it.each([
    ["B", reference("B")],
    ["(B)", reference("B")],
    ["typeof K", { kind: "typeof", name: "K" }],
    ["B[]", { kind: "array", element: reference("B") }],
    ["Array<B>", { kind: "array", element: reference("B") }],
    ["Record<string, never>", { kind: "record", value: keyword("never") }],
    [`Omit<B, "b">`, { kind: "omit", base: reference("B"), keys: ["b"] }],
    [`Omit<B, "b" | 'c'>`, { kind: "omit", base: reference("B"), keys: ["b", "c"] }],
    ["{}", { kind: "object", members: [] }],
    ["B & { d: 1 }", { kind: "intersection", members: [reference("B"), object("d", literal(1))] }],
  ])("%s", (text, type) => expect(typeOf(text)).toEqual(type));

  const ab = (optional: boolean) => ({
    kind: "object",
    members: ["a", "b"].map((name) => ({ name, optional, type: keyword("string") })),
  });

  it.each([
    [`Record<"a" | "b", string>`, ab(false)],
    [`Record<("a" | "b") | "a", string | undefined>`, ab(true)],
    ["Record<Key, string>", ab(false)],
    ["Record<OtherKey, undefined | string>", ab(true)],
    ["B['b']", keyword("string")],
    ["Inline['c'][]", { kind: "array", element: literal(1) }],
  ])("%s is an alias of another form", (text, type) =>
    expect(
      typeOf(
        `${text};\nexport type Key = "a" | "b"; export type OtherKey = Key; export type Inline = { c: 1 }`,
      ),
    ).toEqual(type),
  );

  it.each([
    ["string | undefined", keyword("string")],
    ["undefined | B[]", { kind: "array", element: reference("B") }],
    ["string | 1 | undefined", { kind: "union", members: [keyword("string"), literal(1)] }],
    ["(string | undefined)", keyword("string")],
  ])("leave out `undefined` of an optional member: %s", (text, type) =>
    expect(typeOf(`{ a?: ${text} }`)).toEqual({
      kind: "object",
      members: [{ name: "a", optional: true, type }],
    }),
  );

  it("keep order, nesting and known values of a union", () => {
    expect(typeOf(`| "b" | ("a" | null)[] | string // comment`)).toEqual({
      kind: "union",
      members: [
        literal("b"),
        { kind: "array", element: { kind: "union", members: [literal("a"), keyword("null")] } },
        keyword("string"),
      ],
    });
  });

  it("may contain themselves as member, element or interface", () => {
    const text = `
      export type Json = string | Json[] | { [key: string]: Json } | Tree;
      export interface Tree { children: Tree[]; parent?: Tree; any: Json }
      export interface Map extends Record<string, Map | null> {}`;
    expect(declarationsOf(text).map(({ name }) => name)).toEqual(["Json", "Tree", "Map"]);
  });
});

function object(name: string, type: unknown) {
  return { kind: "object", members: [{ name, optional: false, type }] };
}

describe("declarations", () => {
  it("keep bases, members and index signature of an interface", () => {
    const text = `export interface A extends B, Omit<C, "c"> { a?: 1; [other: string]: unknown }
      export interface B {} export interface C { c: 1 }`;
    expect(bare(declarationsOf(text)[0])).toEqual({
      kind: "interface",
      name: "A",
      extends: [reference("B"), { kind: "omit", base: reference("C"), keys: ["c"] }],
      members: [{ name: "a", optional: true, type: literal(1) }],
      index: { keyName: "other", type: keyword("unknown") },
    });
  });

  it("read member names without evaluating them", () => {
    const text = `export interface A { "io.example/a": 1; $b: 1; default: 1; 'it\\'s': 1; "__proto__": 1; \\u0061: 1 }`;
    const [declaration] = declarationsOf(text);
    const names = declaration?.kind === "interface" && declaration.members.map(({ name }) => name);
    expect(names).toEqual(["io.example/a", "$b", "default", "it's", "__proto__", "a"]);
  });

  it("keep constants that are strings and numbers", () => {
    const text = `export const A = 'a';\nexport const B = -32600, C = 0x10;`;
    expect(bare(declarationsOf(text))).toEqual([
      { kind: "const", name: "A", value: "a" },
      { kind: "const", name: "B", value: -32600 },
      { kind: "const", name: "C", value: 16 },
    ]);
  });

  it("are under the last section heading, and other comments are ignored", () => {
    const text = `export type A = 1;\n/* Tools */\nexport type B = 1;\n /* no */\n/* Two\nlines */
/** Doc */\nexport type C = 1;\n/* More tools */\nexport interface D {\n/* inside */ a: 1 }\nexport const E = 1;`;
    expect(declarationsOf(text).map(({ section }) => section)).toEqual([
      undefined,
      "Tools",
      "Tools",
      "More tools",
      "More tools",
    ]);
  });

  it("ignore an empty statement", () => {
    expect(declarationsOf("export interface A {};")).toHaveLength(1);
  });
});

describe("spans", () => {
  it("exclude comments, and count lines and columns from 1, offsets from 0", () => {
    const [declaration] = declarationsOf("/** Doc */\n  export type A =\n\t| 'a';");
    expect(declaration?.span).toEqual({ line: 2, column: 3, start: 13, end: 36 });
    const type = declaration?.kind === "alias" && declaration.type;
    expect(type && type.kind === "union" && type.members[0]?.span).toEqual({
      line: 3,
      column: 4,
      start: 32,
      end: 35,
    });
  });

  it("are correct after a byte order mark and with Windows line endings", () => {
    const text = "/* Tools */\n/**\n * One\n * two.\n * @see A\n */\nexport type A = 'a';\n";
    const [unix] = declarationsOf(text);
    const [windows] = declarationsOf(`\uFEFF${text.replaceAll("\n", "\r\n")}`);
    expect(windows?.doc).toEqual(unix?.doc);
    expect(bare(windows)).toEqual(bare(unix));
    expect(unix?.span).toMatchObject({ line: 7, column: 1, start: 45 });
    expect(windows?.span).toMatchObject({ line: 7, column: 1, start: 51 });
  });
});

it("the model is plain JSON", () => {
  const schema = modelOf(
    `/** @see B */ export interface A { a?: "a"; [k: string]: unknown }\n${REST}`,
  );
  expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
});
