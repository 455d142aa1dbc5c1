import { describe, expect, it } from "vitest";
import { declarations } from "../../generator/emit/types.js";
import { Imports, print } from "../../generator/emit/printer/module.js";
import { commonDeclarations } from "../../generator/evolve/common/common-declarations.js";
import type { Protocol } from "../../generator/link/protocol.js";
import type { Declaration } from "../../generator/model/schema-model.js";
import { Shapes } from "../../generator/model/shape.js";
import { planCommon } from "../../generator/plan/common-plan.js";
import { bundled, protocolOf } from "./bundled-protocols.js";
import { modelOf } from "./model-of.js";

/** Creates a protocol that consists only of declarations. The tests list protocols oldest first. */
function protocolWith(text: string, aggregates: string[] = []): Protocol {
  const envelope = { request: "JSONRPCRequest", notification: "JSONRPCNotification" };
  const exported = text.replaceAll(/(interface|type) (?=[A-Z])/g, "export $1 ");
  return {
    declarations: modelOf(exported).declarations,
    envelope,
    aggregates: Object.fromEntries(aggregates.map((name) => [name, []])),
    synthesized: [],
  } as unknown as Protocol;
}

/** Returns the text of the common declarations, each on one line. */
function common(...protocols: Protocol[]): string[] {
  const found: Declaration[] = commonDeclarations(protocols);
  const plan = { declarations: found, synthesized: [], shapes: new Shapes(found) };
  return print(declarations(plan), new Imports())
    .replaceAll(/\s+/g, " ")
    .split("export ")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

describe("types that messages of every revision satisfy", () => {
  it("are the newest ones, with members optional if a revision lacks them", () => {
    const older = protocolWith("interface Tool { name: string }");
    const newer = protocolWith("interface Tool { name: string; kind: string }");
    expect(common(older, newer)).toEqual(["interface Tool { name: string; kind?: string; }"]);
  });

  it("have the members that only older revisions have", () => {
    const older = protocolWith("interface Tool { name: string; task: { ttl: number } }");
    const newer = protocolWith("interface Tool { name: string }");
    expect(common(older, newer)).toEqual([
      "interface Tool { name: string; task?: { ttl: number; }; }",
    ]);
  });

  it("loosen inherited members where they are declared", () => {
    const older = protocolWith("interface List { items: string[] }");
    const newer = protocolWith(
      "interface Fresh { ttl: number } interface List extends Fresh { items: string[] }",
    );
    expect(common(older, newer)).toEqual([
      "interface Fresh { ttl?: number; }",
      "interface List extends Fresh { items: string[]; }",
    ]);
  });

  it("name objects that were inline before", () => {
    const older = protocolWith("interface Call { meta?: { token?: string } }");
    const newer = protocolWith(
      "interface Meta { token?: string; version: string } interface Call { meta: Meta }",
    );
    expect(common(older, newer)).toEqual([
      "interface Meta { token?: string; version?: string; }",
      "interface Call { meta?: Meta; }",
    ]);
  });

  it("allow open objects any value if a member was narrower", () => {
    const older = protocolWith(
      'interface Tool { schema: { type: "object"; properties?: { [key: string]: object } } }',
    );
    const newer = protocolWith("interface Tool { schema: { [key: string]: unknown } }");
    expect(common(older, newer)).toEqual([
      "interface Tool { schema: { properties?: { [key: string]: unknown; }; [key: string]: unknown; }; }",
    ]);
  });

  it("have no envelope", () => {
    const text = `interface Request { method: string }
      interface JSONRPCRequest extends Request { jsonrpc: "2.0"; id: string }
      interface Ping extends JSONRPCRequest { method: "ping" }`;
    expect(common(protocolWith(text)).at(-1)).toBe(
      'interface Ping extends Request { method: "ping"; }',
    );
  });

  it("unite the messages of all revisions", () => {
    const text = "interface A { a: string } interface B { b: string }";
    const older = protocolWith(`${text} type ClientRequest = A | B;`, ["ClientRequest"]);
    const newer = protocolWith(`${text} type ClientRequest = A;`, ["ClientRequest"]);
    expect(common(older, newer)).toContain("type ClientRequest = A | B;");
  });

  it("name everything that a bundled revision names", () => {
    const protocols = bundled.map(protocolOf);
    const { declarations: found, synthesized, methods } = planCommon(protocols);
    const names = new Set([...found, ...synthesized].map(({ name }) => name));
    for (const protocol of protocols) {
      const own = [...protocol.declarations, ...protocol.synthesized].map(({ name }) => name);
      expect(own.filter((name) => !names.has(name))).toEqual([]);
      const all = methods.map(({ method }) => method);
      expect(all).toEqual(expect.arrayContaining(protocol.methods.map(({ method }) => method)));
    }
  });
});
