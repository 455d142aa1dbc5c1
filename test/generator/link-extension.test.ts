import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../generator/diagnostics.js";
import type { Facts } from "../../generator/link/facts.js";
import { link } from "../../generator/link/link.js";
import { model } from "../../generator/model/model.js";
import { BASICS, linkText, unions } from "./link-text.js";

const stated = { reason: "test", source: "https://example.org/" };

describe("an extension's style", () => {
  it("links messages that are intersections, with directions from facts", () => {
    const schema = `export type GetTaskRequest = JSONRPCRequest & { method: "tasks/get"; params: { taskId: string } };
export type GetTaskResult = Result & (A | B) & { resultType: "complete" };
export type CancelTaskRequest = JSONRPCRequest & { method: "tasks/cancel"; params: CancelTaskParams };
export type CancelTaskResult = Result & { resultType: "complete" };
export interface CancelTaskParams { taskId: string }
export interface A { a: string }
export interface B { b: string }
export interface Result { [key: string]: unknown }${BASICS}${unions()}`;
    const { protocol: linked, found } = linkText(schema, {
      revision: "test",
      directions: ["tasks/get", "tasks/cancel"].map((name) => ({
        method: name,
        from: "client",
        ...stated,
      })),
      accepted: ["GetTaskResult", "CancelTaskResult"].map((about) => ({
        code: "MCG3012",
        about,
        ...stated,
      })),
      traits: [{ trait: "tasks", value: true, ...stated }],
    });
    expect(found).toEqual([]);
    expect(linked?.methods.map(({ params, result }) => [params?.type, result?.type])).toEqual([
      ["GetTaskRequestParams", "GetTaskResult"],
      ["CancelTaskParams", "CancelTaskResult"],
      ["InitializeRequestParams", "InitializeResult"],
    ]);
    expect(linked?.traits.tasks).toBe(true);
  });
});

describe("an extension", () => {
  const core = linkText(
    `export interface Result { [key: string]: unknown }${BASICS}${unions()}`,
  ).protocol!;
  const schema = `import type { JSONRPCError as Failure, JSONRPCRequest, Result } from "./core.js";
export type GetJobRequest = JSONRPCRequest & { method: "jobs/get"; params: { id: string } };
export type GetJobResult = Result & Job;
export interface Job { failure?: Failure }`;

  function extend(revision: string, text: string) {
    const diagnostics = new Diagnostics();
    const source = { file: "extension.ts", text, sha256: "0".repeat(64) };
    const imports = new Map([["./core.js", { ...core, sha256: "" }]]);
    const directions = [{ method: "jobs/get", from: "client" as const, ...stated }];
    const facts = { revision, directions };
    const read = model(source, diagnostics, { imports });
    const linked = link(read, { revision, facts, extended: core }, diagnostics);
    return { linked, found: diagnostics.items.map(({ code, message }) => `${code} ${message}`) };
  }

  it("has envelope, traits and conventions of its base, and its own methods only", () => {
    const { linked, found } = extend("jobs", schema);
    expect(found).toEqual([]);
    expect(linked?.methods.map(({ method: name, result }) => [name, result?.type])).toEqual([
      ["jobs/get", "GetJobResult"],
    ]);
    expect(linked?.traits).toEqual(core.traits);
    expect(linked?.conventions).toEqual(core.conventions);
    expect(linked?.envelope).toEqual(core.envelope);
    expect(linked?.declarations.map(({ name }) => name)).toContain("Failure");
  });

  it("is refused without a direction", () => {
    const other = schema.replace("jobs/get", "jobs/fetch");
    const { linked, found } = extend("jobs", other);
    expect(linked).toBeUndefined();
    expect(found.map((problem) => problem.slice(0, 7))).toEqual(["MCG3001", "MCG3062"]);
  });
});

describe("the fact that only servers declare an extension", () => {
  const core = linkText(
    `export interface Result { [key: string]: unknown }${BASICS}${unions()}`,
  ).protocol!;
  const declaredBy = [{ side: "server" as const, ...stated }];

  function extend(facts: Partial<Facts>, text = "") {
    const diagnostics = new Diagnostics();
    const schema = `export interface GetJobRequest { method: "jobs/get" }
export interface GetJobResult { id: string }
export type ClientRequest = GetJobRequest;
${text}`;
    const source = { file: "extension.ts", text: schema, sha256: "0".repeat(64) };
    const read = model(source, diagnostics, { imports: new Map() });
    const options = { revision: "x", facts: { revision: "x", ...facts }, extended: core };
    const linked = link(read, options, diagnostics);
    return { linked, found: diagnostics.items.map(({ code, message }) => `${code} ${message}`) };
  }

  it("is part of what the extension adds", () => {
    const { linked, found } = extend({ declaredBy });
    expect(found).toEqual([]);
    expect(linked?.additions?.declaredBy).toBe("server");
    expect(extend({}).linked?.additions?.declaredBy).toBeUndefined();
  });

  it("is stated once, for extensions whose servers send nothing", () => {
    expect(extend({ declaredBy: [...declaredBy, ...declaredBy] }).found).toEqual([
      "MCG3069 There are two facts about the side that declares the extension.",
    ]);
    const doneNotification = `export interface DoneNotification { method: "notifications/done" }
export type ServerNotification = DoneNotification;`;
    expect(extend({ declaredBy }, doneNotification).found).toEqual([
      "MCG3073 Only servers declare the extension, but ServerNotification is for clients.",
    ]);
  });

  it("is not for revisions", () => {
    const { diagnostics } = linkText(
      `export interface Result { [key: string]: unknown }${BASICS}${unions()}`,
      { revision: "test", declaredBy },
    );
    expect(diagnostics.items.map(({ code }) => code)).toEqual(["MCG3071"]);
  });
});
