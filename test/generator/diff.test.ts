import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { conditionText } from "../../generator/diff/type-text.js";
import { diff } from "../../generator/diff/diff.js";
import type { ProtocolDiff } from "../../generator/diff/protocol-diff.js";
import { renderJson, renderMarkdown, renderText } from "../../generator/diff/render.js";
import type { Facts } from "../../generator/link/facts.js";
import { bundled, protocolOf } from "./bundled-protocols.js";
import { BASICS, linkText, unions } from "./link-text.js";

function linked(text: string, arms: Record<string, string> = {}, facts?: Partial<Facts>) {
  const { protocol, found } = linkText(`${text}${BASICS}${unions(arms)}`, {
    revision: "test",
    ...facts,
  });
  expect(found).toEqual([]);
  return protocol!;
}

/** Returns the entries of the text rendering, without headings. */
function changes(before: string, after: string): string[] {
  return lines(diff(linked(before), linked(after)));
}

function lines(result: ProtocolDiff): string[] {
  return renderText(result)
    .split("\n")
    .filter((line) => line.startsWith("  "))
    .map((line) => line.trim());
}

/** Exports all declarations of a text. */
function exported(text: string): string {
  return text.replace(/(interface|type|const) (?=[A-Z])/g, "export $1 ");
}

function tree(name: string, leaf: string): string {
  return `export interface ${name} { children: ${name}[]; leaf: ${leaf} }`;
}

function ask(params: string): string {
  return `export interface AskRequest { method: "ask"; ${params} }`;
}

function golden(name: string): string {
  return readFileSync(new URL(`../fixtures/diff/${name}`, import.meta.url), "utf8");
}

function pair(): ProtocolDiff {
  return diff(protocolOf("2025-03-26"), protocolOf("2025-06-18"));
}

describe("diff of types", () => {
  it.each([
    ["equal", "interface A { a: string; b?: number }", "interface A { b?: number; a: string }", []],
    ["a new member", "interface A {}", "interface A { a?: string }", ["+ A: a?: string"]],
    [
      "a new number, which is an integer by default",
      "interface A {}",
      "interface A { a?: number }",
      ["+ A: a?: number (integer)"],
    ],
    ["a removed member", "interface A { a: 'x' }", "interface A {}", [`- A: a: "x"`]],
    [
      "required",
      "interface A { a?: string }",
      "interface A { a: string }",
      ["~ A: a: optional → required"],
    ],
    [
      "optional",
      "interface A { a: string }",
      "interface A { a?: string }",
      ["~ A: a: required → optional"],
    ],
    [
      "another type",
      "interface A { a: string }",
      "interface A { a: number }",
      ["~ A: a: string → number (integer)"],
    ],
    [
      "enum values",
      "interface A { a: 'x' | 'y' }",
      "interface A { a: 'z' | 'y' }",
      [`~ A: a: −"x" +"z"`],
    ],
    ["the order of a union", "type A = 'x' | 'y';", "type A = 'y' | 'x';", []],
    ["arms of an alias", "type A = 'x' | 'y';", "type A = 'x' | 'y' | 'z';", [`~ A: +"z"`]],
    [
      "arms of an element",
      "interface A { a: ('x' | 'y')[] }",
      "interface A { a: ('x' | 'z')[] }",
      [`~ A: a: elements −"y" +"z"`],
    ],
    [
      "a nested member",
      "interface A { a: { b: { c: string } } }",
      "interface A { a: { b: { c: string; d: string } } }",
      ["+ A: a.b.d: string"],
    ],
    [
      "limits",
      "interface A { /** @maximum 1 */ a: number }",
      "interface A { /** @maximum 2 */ a: number }",
      ["~ A: a: @maximum 1 → @maximum 2"],
    ],
    [
      "fractions",
      "interface A { a: number }",
      "interface A { /** @TJS-type number */ a: number }",
      ["~ A: a: no limits → @type number"],
    ],
    [
      "an index signature",
      "interface A { [key: string]: string }",
      "interface A { [key: string]: string | number }",
      ["~ A: [*]: +number"],
    ],
    [
      "names that are not identifiers",
      "interface A { _meta: {} }",
      "interface A { _meta: { 'io.x/y': { 'a b'?: 1 } } }",
      ['+ A: _meta."io.x/y": { "a b"?: 1 }'],
    ],
    [
      "an open index signature",
      "interface A { a: string }",
      "interface A { a: string; [key: string]: unknown }",
      ["~ A: [*]: (none) → unknown (same on the wire)"],
    ],
    [
      "an interface instead of an inline type",
      "interface A { a: { b: 1 } }",
      "interface A { a: B } interface B { b: 1 }",
      ["+ B"],
    ],
    [
      "a union instead of an inline type",
      "interface A { a: { b: 1 } }",
      "interface A { a: B } type B = 'x' | 'y';",
      ["+ B", "~ A: a: { b: 1 } → B"],
    ],
    [
      "another name",
      "interface A { a: 1 }",
      "interface B { a: 1 }",
      ["~ A: renamed to B, same on the wire"],
    ],
    [
      "another kind",
      "interface A { a: 1 }",
      "type A = 'x' | 'y';",
      [`~ A: interface → type = "x" | "y"`],
    ],
    ["a constant", `const A = "x";`, `const A = "y";`, [`~ A: "x" → "y"`]],
    ["a code", "const A = -1;", "const B = -2;", ["- A: = -1", "+ B: = -2"]],
    [
      "deprecation",
      "interface A { a: 1 }",
      "interface A { /** @deprecated Old. */ a: 1 }",
      ["~ A.a"],
    ],
  ] as [string, string, string, string[]][])("%s", (_title, before, after, expected) => {
    expect(changes(exported(before), exported(after))).toEqual(expected);
  });

  it("reports a member where it is declared, unless it comes with a new base", () => {
    const before = `export interface Base { a: 1 }
export interface Old extends Base {}
export interface New { own: 1 }`;
    const after = `export interface Base { a: 1; b: 1 }
export interface Old extends Base {}
export interface New extends Base { own: 1 }`;
    expect(changes(before, after)).toEqual([
      "+ Base: b: 1",
      "+ New: a: 1 (from Base)",
      "+ New: b: 1 (from Base)",
      "~ New: nothing → Base",
    ]);
  });

  it("treats JSON that is spelled out as any JSON", () => {
    const json = `export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };`;
    expect(
      changes(
        `export interface A { a: object; b: unknown }${json}`,
        `export interface A { a: JsonObject; b: Json }${json}`,
      ),
    ).toEqual([
      "~ A: a: object → JsonObject (same on the wire)",
      "~ A: b: unknown → Json (same on the wire)",
    ]);
  });

  it("compares recursive types", () => {
    expect(changes(tree("Tree", "string"), tree("Wood", "string"))).toEqual([
      "~ Tree: renamed to Wood, same on the wire",
    ]);
    expect(changes(tree("Tree", "string"), tree("Wood", "number"))).toEqual(["+ Wood", "- Tree"]);
  });
});

describe("diff of methods", () => {
  it("finds senders, parameters and results", () => {
    const before = linked(
      `${ask("params: { a: 1 }")}
export interface AskResult { b: 1 }
export interface GoneRequest { method: "gone" }
export interface ToldNotification { method: "notifications/told" }`,
      {
        ClientRequest: "AskRequest | GoneRequest",
        ServerResult: "AskResult",
        ClientNotification: "ToldNotification",
      },
    );
    const after = linked(
      `${ask("params?: AskParams")}
export interface AskParams { a: 1 }
export interface AskResult { b: 1 }
export interface AskResultResponse { result: AskResult | WaitResult }
export interface WaitResult { inputRequests: object }
export interface ComeRequest { method: "come" }
export interface ToldNotification { method: "notifications/told" }`,
      {
        ClientRequest: "AskRequest | ComeRequest",
        ServerRequest: "ComeRequest",
        ServerResult: "AskResult | WaitResult",
        ClientResult: "EmptyResult",
        ClientNotification: "ToldNotification",
        ServerNotification: "ToldNotification",
      },
    );
    const { methods } = diff(before, after);
    expect(lines({ ...diff(linked(""), linked("")), methods })).toEqual([
      "~ ask: params declared: inline → AskParams",
      "~ ask: params: required → optional",
      "~ ask: result: AskResult → AskResult | WaitResult",
      "- gone: request from client, answered by EmptyResult",
      "~ notifications/told: direction: client → both",
      "+ come: request from both, answered by EmptyResult",
    ]);
  });

  it("finds changed gates", () => {
    const fact = { reason: "test", source: "https://example.org/" };
    const before = linked(ask(""), { ClientRequest: "AskRequest" });
    const after = linked(
      ask(""),
      { ClientRequest: "AskRequest" },
      {
        capabilities: [{ method: "ask", capability: "server.tools", ...fact }],
        errorCodes: [{ name: "ODD", code: -7, ...fact }],
      },
    );
    expect(lines(diff(before, after))).toEqual([
      "+ ODD: = -7 (prose only)",
      "~ ask: capability: none → server.tools",
    ]);
  });
});

describe("diff of revisions", () => {
  it.each(bundled)("finds no difference between %s and itself", (revision) => {
    const itself = diff(protocolOf(revision), protocolOf(revision));
    expect(renderText(itself)).toBe(`${revision} → ${revision}\n\nNo differences.\n`);
    expect(renderMarkdown(itself)).toContain("No differences.");
  });

  it("prints text", () => {
    expect(renderText(pair())).toBe(golden("2025-03-26..2025-06-18.txt"));
  });

  it("prints Markdown", () => {
    expect(renderMarkdown(pair())).toBe(golden("2025-03-26..2025-06-18.md"));
  });

  it("prints JSON", () => {
    expect(JSON.parse(renderJson(pair()))).toEqual(JSON.parse(JSON.stringify(pair())));
  });

  it("names the new place of reused names", () => {
    const { types } = diff(protocolOf("2025-06-18"), protocolOf("2025-11-25"));
    expect(types.successors).toEqual([
      { from: "JSONRPCResponse", to: "JSONRPCResultResponse" },
      { from: "JSONRPCError", to: "JSONRPCErrorResponse" },
      { from: "EnumSchema", to: "LegacyTitledEnumSchema" },
    ]);
  });

  it("keeps content inside its Markdown cell", () => {
    const after = linked("export type A = 'x|y' | '`' | '``z';");
    const page = renderMarkdown(diff(linked("export type A = 'x|y' | '`';"), after));
    expect(page).toContain('| changed | `A` | ``` +"``z" ``` |');
  });
});

it.each([
  [{ member: "task" }, "client.x, when task is present"],
  [{ member: "m", in: ["a", "b"], level: "should" }, "client.x (recommended), when m is a or b"],
  [
    { member: "m", in: ["a"], orAbsent: true, orEmpty: "client" },
    "client.x, or empty client, when m is a or absent",
  ],
  [{ member: "a.b", unmet: "drop" }, "client.x, when a.b is present (left out otherwise)"],
] as const)("a condition names everything that it depends on: %j", (condition, text) => {
  expect(conditionText({ capability: "client.x", ...condition })).toBe(text);
});

describe("diff of prose", () => {
  const evidence = { reason: "test", source: "https://example.org/" };

  it("shows conventions and headers by their values", () => {
    const text = `${ask("params: { question: string }")}
export interface AskResult {}
export const METHOD_NOT_FOUND = -32601;`;
    const arms = { ClientRequest: "AskRequest", ServerResult: "AskResult" };
    const after = linked(text, arms, {
      conventions: [
        { convention: "methodHeaders", value: true, ...evidence },
        { convention: "errorStatuses", value: { METHOD_NOT_FOUND: 404 }, ...evidence },
      ],
      nameHeaders: [{ method: "ask", member: "question", ...evidence }],
      paramHeaders: [{ method: "ask", schemas: "initialize", ...evidence }],
    });
    const shown = lines(diff(linked(text, arms), after)).join("\n");
    expect(shown).toMatch(/errorStatuses: none (→|->) METHOD_NOT_FOUND 404/);
    expect(shown).toMatch(/ask.*name header: none (→|->) question/);
    expect(shown).toMatch(/param headers: none (→|->) initialize/);
  });
});
