import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import { emitClientModule } from "../../generator/emit/universal/client-module.js";
import { project } from "../../generator/evolve/project/project.js";
import { readFacts } from "../../generator/link/read-facts.js";
import { planUniversal } from "../../generator/plan/plan-universal.js";
import { BASE_MEMBERS, FACADE_MEMBERS } from "../../generator/plan/reserved-names.js";
import { RULES } from "../../generator/plan/runtime-imports.js";
import { McpClientBase } from "../../runtime/facade/client/index.js";
import * as facade from "../../runtime/facade/codegen.js";
import { BASICS, linkText, unions } from "./link-text.js";

const LISTS = `
export interface Paged { cursor?: string }
export interface ListNotesRequest { method: "notes/list"; params?: Paged }
export interface ListNotesResult { nextCursor?: string; notes: string[] }
export interface ListServersRequest { method: "servers/list"; params?: Paged }
export interface ListServersResult { nextCursor?: string; server: string[] }
export interface CallToolRequest { method: "tools/call"; params: { name: string } }
export interface CallToolResult { done: true }
export interface OpenRequest { method: "door/open"; params: { name: string } }
export interface OpenResult { done: true }
export interface Book { name: string }
export interface ListBooksRequest { method: "books/list"; params?: Paged }
export interface ListBooksResult { nextCursor?: string; books: Book[] }
export interface ReadBookRequest { method: "books/read"; params: { name: string; arguments?: { page?: number } } }
export interface ReadBookResult { text: string }
`;
const UNIONS = unions({
  ClientRequest:
    "ListNotesRequest | ListServersRequest | CallToolRequest | OpenRequest | ListBooksRequest | ReadBookRequest",
  ServerResult:
    "ListNotesResult | ListServersResult | CallToolResult | OpenResult | ListBooksResult | ReadBookResult",
});

function planned(rule: string) {
  const evidence = { reason: "Because.", source: "https://example.com/" };
  const rules = [{ place: "OpenResult", rule, extent: "always", ...evidence }];
  const text = JSON.stringify({ revision: "test", rules }, undefined, 2);
  const facts = readFacts(text, "facts.json", new Diagnostics());
  const { protocol } = linkText(`${LISTS}${BASICS}${UNIONS}`, facts);
  const protocols = [{ ...protocol!, revision: "1" }];
  const diagnostics = new Diagnostics();
  const given = { version: "1.0.0", protocols, allProtocols: protocols, newest: "1" };
  const steps = project(protocols, diagnostics);
  const plan = planUniversal(
    { ...given, steps, isAll: false, ownSchemas: ["1"], extensions: [], invocation: {} },
    diagnostics,
  );
  return { plan, found: diagnostics.items };
}

describe("the plan of the package for several revisions", () => {
  it("has a method for each request that the base class of the client does not cover", () => {
    const { plan, found } = planned("textNote");
    expect(found).toEqual([]);
    expect(plan.stubs.map(({ name, pager }) => [name, pager?.name])).toEqual([
      ["listNotes", "notes"],
      ["listServers", "allListServers"],
      ["openRequest", undefined],
      ["listBooks", "books"],
      ["readBook", undefined],
    ]);
  });

  it("has a method that takes the key of an item and arguments, for a family that is used so", () => {
    const text = emitClientModule(planned("textNote").plan).text.replaceAll(/\s+/g, " ");
    expect(text).toMatch(/ readBook\(name: string, args\?: types\.\w+\["arguments"\], options\?: /);
    expect(text).toMatch(/ readBook\(params: types\.\w+, options\?: /);
    expect(text).toContain('return this.use("books/read", "name", item, second, options);');
    expect(text).toContain('return this.request("door/open", params, options);');
  });

  it("refuses a rule that the runtime does not have, at the fact that names it", () => {
    const [found, ...others] = planned("textNotes").found;
    expect(others).toEqual([]);
    expect(found).toMatchObject({ code: "MCG5010", severity: "error", file: "facts.json" });
    expect(found!.span!.line).toBe(4);
    expect(found!.hint).toContain("textNote");
  });

  it("knows the rules of the runtime", () => {
    const makers = ["describedSchema", "messageSchema", "schema"];
    const others = ["projection", ...makers];
    const exported = Object.keys(facade).filter((name) => !others.includes(name));
    expect([...RULES].toSorted()).toEqual(exported.toSorted());
  });

  it("knows the members of the base class of the client", () => {
    const own = Object.getOwnPropertyNames(McpClientBase.prototype);
    expect([...own].filter((name) => !FACADE_MEMBERS.has(name))).toEqual([]);
    const added = [...FACADE_MEMBERS].filter((name) => !BASE_MEMBERS.has(name));
    expect(added.filter((name) => !own.includes(name))).toEqual([]);
  });
});
