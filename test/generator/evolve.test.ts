import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { evolve } from "../../generator/evolve/evolve.js";
import type { RevisionDelta, TypeDelta } from "../../generator/evolve/evolution.js";
import type { Successor } from "../../generator/link/protocol.js";
import { bundled, protocolOf } from "./bundled-protocols.js";
import { BASICS, linkText, unions } from "./link-text.js";

function revisionOf(
  revision: string,
  text: string,
  { successors, arms }: { successors?: Successor[]; arms?: Record<string, string> } = {},
) {
  const { protocol, found } = linkText(`${text}${BASICS}${unions(arms)}`);
  expect(found).toEqual([]);
  const file = `${revision}/schema.ts`;
  return { ...protocol!, revision, file, ...(successors && { successors }) };
}

function evolved(...protocols: ReturnType<typeof revisionOf>[]) {
  const diagnostics = new Diagnostics();
  const evolution = evolve(protocols, diagnostics);
  const found = diagnostics.items.map(
    ({ code, file, span }) => `${code} ${file} ${span ? `${span.line}:${span.column}` : "-"}`,
  );
  for (const { hint } of diagnostics.items) expect(hint).toMatch(/\.$/);
  return { evolution, found };
}

function at({ path }: { path: readonly string[] }): string {
  return path.join(".");
}

/** Exports all declarations of a text. */
function exported(text: string): string {
  return text.replace(/(interface|type) (?=[A-Z])/g, "export $1 ");
}

/** Formats a type's delta with one line per difference. */
function lines({ lacks, extra, requires, relaxes, arms, types }: TypeDelta): string[] {
  return [
    ...lacks.map((one) => `lacks ${at(one)}`),
    ...extra.map((one) => `extra ${at(one)}${one.optional ? "?" : ""}`),
    ...requires.map((one) => `requires ${at(one)}`),
    ...relaxes.map((one) => `relaxes ${at(one)}`),
    ...arms.map((one) => `arms ${at(one)} -${one.lacks.join()} +${one.extra.join()}`),
    ...types.map((one) => `type ${at(one)} ${one.own} / ${one.neutral}`),
  ];
}

function deltaOf(delta: RevisionDelta | undefined, name: string): string[] {
  const type = delta?.types.find((one) => one.name === name);
  return type ? lines(type) : [];
}

describe("evolve", () => {
  it("uses the newest definition of everything, with removed names last", () => {
    const { evolution, found } = evolved(
      revisionOf("1", "export interface Old { a: 1 }\nexport interface Both { a: 1 }"),
      revisionOf("2", "export interface Both { a: 1; b?: 2 }\nexport interface New { n: 1 }"),
    );
    expect(found).toEqual([]);
    expect(evolution.revisions).toEqual(["1", "2"]);
    const life = evolution.neutral
      .filter(({ declaration }) => ["Old", "Both", "New"].includes(declaration.name))
      .map(({ declaration, first, last }) => `${declaration.name} ${first}..${last}`);
    expect(life).toEqual(["Both 1..2", "New 2..2", "Old 1..1"]);
    const [old, now] = evolution.deltas;
    expect(old?.lacksTypes).toEqual(["New"]);
    expect(now?.lacksTypes).toEqual(["Old"]);
    expect(deltaOf(old, "Both")).toEqual(["lacks b"]);
    expect(now?.types).toEqual([]);
  });

  it.each([
    ["a missing member", "interface A { x: 1 }", "interface A { x: 1; a?: { b: 1 } }", ["lacks a"]],
    ["a nested member", "interface A { a: {} }", "interface A { a: { b?: 1 } }", ["lacks a.b"]],
    ["an own member", "interface A { x: 1; a?: 1 }", "interface A { x: 1 }", ["extra a?"]],
    ["an own requirement", "interface A { a: 1 }", "interface A { a?: 1 }", ["requires a"]],
    ["a new requirement", "interface A { a?: 1 }", "interface A { a: 1 }", ["relaxes a"]],
    [
      "values",
      "interface A { a: 'x' | 'y' }",
      "interface A { a: 'x' | 'z' }",
      [`arms a -"z" +"y"`],
    ],
    [
      "arms behind names",
      "interface A { a: (B | C)[] } interface B { b: 1 } interface C { c: 1 }",
      "interface A { a: All[] } interface B { b: 1 } interface C { c: 1 } interface D { d: 1 } type All = B | C | D;",
      ["arms a -D +"],
    ],
    [
      "another type",
      "interface A { a: string }",
      "interface A { a: number }",
      ["type a string / number (integer)"],
    ],
    [
      "limits",
      "interface A { a: string[] }",
      "interface A { /** @maxItems 3 */ a: string[] }",
      ["type a  / @maxItems 3"],
    ],
    [
      "nothing for types that are equal on the wire",
      "interface A { a: object }",
      "interface A { a: { [k: string]: unknown } }",
      [],
    ],
  ])("reports %s", (_title, before, after, expected) => {
    const { evolution } = evolved(
      revisionOf("1", exported(before)),
      revisionOf("2", exported(after)),
    );
    expect(deltaOf(evolution.deltas[0], "A")).toEqual(expected);
  });

  it("compares inline parameters by their generated name", () => {
    const arms = { ClientRequest: "AskRequest" };
    const { evolution } = evolved(
      revisionOf("1", `export interface AskRequest { method: "ask"; params: { a: 1 } }`, { arms }),
      revisionOf(
        "2",
        `export interface AskRequest { method: "ask"; params?: AskRequestParams }
export interface AskRequestParams { a: 1; b?: 2 }`,
        { arms },
      ),
    );
    expect(deltaOf(evolution.deltas[0], "AskRequestParams")).toEqual(["lacks b"]);
    expect(evolution.deltas[0]?.methods).toMatchObject([
      { method: "ask", aspects: [{ aspect: "params optional", from: "required", to: "optional" }] },
    ]);
    expect(evolution.deltas[1]?.methods).toEqual([]);
  });

  it("follows names through facts and equal shapes", () => {
    const { evolution, found } = evolved(
      revisionOf("1", "export interface Answer { a: 1 }\nexport interface Thing { t: 1 }"),
      revisionOf("2", "export interface Reply { a: 1 }\nexport interface Thing { t: 1 }"),
      revisionOf(
        "3",
        "export interface Reply { a: 1; b?: 1 }\nexport type Thing = Stuff | Reply;\nexport interface Stuff { t: 1; u?: 1 }",
        {
          successors: [{ from: "Thing", to: "Stuff" }],
        },
      ),
    );
    expect(found).toEqual([]);
    const [first, second, third] = evolution.deltas;
    expect(first?.names).toEqual({ Answer: "Reply", Thing: "Stuff" });
    expect(second?.names).toEqual({ Thing: "Stuff" });
    expect(third?.names).toEqual({});
    expect(deltaOf(first, "Reply")).toEqual(["lacks b"]);
    expect(deltaOf(first, "Stuff")).toEqual(["lacks u"]);
    expect(first?.lacksTypes).toEqual(["Thing"]);
  });

  it("distinguishes a replacement from a continuation", () => {
    const { evolution } = evolved(
      revisionOf("1", "export interface Annotated { notes?: { a?: 1 } }"),
      revisionOf("2", "export interface Notes { a?: 1 }", {
        successors: [{ from: "Annotated", to: "Notes" }],
      }),
    );
    expect(evolution.deltas[0]?.names).toEqual({});
    expect(evolution.deltas[0]?.lacksTypes).toEqual(["Notes"]);
    expect(evolution.deltas[1]?.lacksTypes).toEqual(["Annotated"]);
  });
});

describe("evolve refuses", () => {
  const object = revisionOf("1", "export interface A { a: 1 }\nexport interface B { b: 1 }");
  const union = "export interface B { b: 1 }\nexport interface C { a: 1 }\nexport type A = B | C;";

  it("a name that became another kind of thing", () => {
    expect(evolved(object, revisionOf("2", union)).found).toEqual(["MCG4001 2/schema.ts 3:1"]);
  });

  it("nothing if a fact names the successor", () => {
    const successors = [{ from: "A", to: "C" }];
    expect(evolved(object, revisionOf("2", union, { successors })).found).toEqual([]);
  });

  it("a successor of a missing name", () => {
    const text = "export interface A { a: 1 }\nexport interface B { b: 1 }";
    const successors = [{ from: "Never", to: "B" }];
    expect(evolved(object, revisionOf("2", text, { successors })).found).toEqual([
      "MCG4002 2/schema.ts 2:1",
    ]);
  });

  it("a duplicate revision", () => {
    expect(evolved(object, object).found).toEqual(["MCG4003 1/schema.ts -"]);
  });

  it("no aggregate with a single arm left", () => {
    const text = `export interface AskRequest { method: "ask" }`;
    const more = { arms: { ClientRequest: "AskRequest" } };
    expect(evolved(revisionOf("1", text, more), revisionOf("2", "")).found).toEqual([]);
  });
});

describe("the evolution of the bundled revisions", () => {
  const { evolution, found } = evolved(...bundled.map(protocolOf));
  const delta = (revision: string) => evolution.deltas.find((one) => one.revision === revision);

  it("is explained by the facts", () => {
    expect(found).toEqual([]);
    expect(evolution.revisions).toEqual(bundled);
  });

  it("places old names", () => {
    expect(delta("2025-06-18")?.names).toEqual({
      JSONRPCResponse: "JSONRPCResultResponse",
      JSONRPCError: "JSONRPCErrorResponse",
      EnumSchema: "LegacyTitledEnumSchema",
      ElicitRequestParams: "ElicitRequestFormParams",
      ServerRequest: "InputRequest",
    });
    expect(delta("2024-11-05")?.names).toMatchObject({
      ResourceReference: "ResourceTemplateReference",
    });
    expect(delta("2026-07-28")?.names).toEqual({});
  });

  it.each([
    ["2024-11-05", "PromptMessage", ["arms content -AudioContent,ResourceLink +"]],
    ["2025-03-26", "Tool", expect.arrayContaining(["lacks title", "lacks outputSchema"])],
    ["2025-06-18", "Implementation", ["lacks icons", "lacks description", "lacks websiteUrl"]],
    ["2025-06-18", "CreateMessageResult", [`arms stopReason -"toolUse" +`]],
    ["2025-06-18", "LegacyTitledEnumSchema", ["lacks default"]],
    ["2025-11-25", "CallToolResult", ["type structuredContent { [k]: unknown } / unknown"]],
    ["2025-11-25", "ListToolsResult", ["lacks ttlMs", "lacks cacheScope"]],
    [
      "2025-11-25",
      "ElicitRequestURLParams",
      ["extra _meta?", "extra task?", "extra elicitationId"],
    ],
    ["2025-11-25", "CancelledNotificationParams", ["relaxes requestId"]],
    ["2024-11-05", "JSONRPCErrorResponse", ["requires id"]],
  ])("%s %s", (revision, name, expected) => {
    expect(deltaOf(delta(revision), name)).toEqual(expected);
  });

  it("has the methods that a revision lacks", () => {
    expect(delta("2026-07-28")?.lacksMethods).toEqual([
      "initialize",
      "notifications/initialized",
      "ping",
      "resources/subscribe",
      "resources/unsubscribe",
      "tasks/get",
      "tasks/result",
      "tasks/cancel",
      "tasks/list",
      "notifications/tasks/status",
      "logging/setLevel",
      "notifications/roots/list_changed",
      "notifications/elicitation/complete",
    ]);
    expect(delta("2025-03-26")?.lacksMethods).toContain("elicitation/create");
  });

  it("is plain data", () => {
    expect(JSON.parse(JSON.stringify(evolution))).toEqual(evolution);
  });
});
