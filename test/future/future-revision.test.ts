import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Revision } from "../../runtime/revision.js";
import type { Validator } from "../../runtime/validation.js";
import { root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";
import { futureSchema } from "./future-schema.js";

const id = "2027-03-31";
const cli = join(root, "generator/dist/cli/bin.js");
let folder: string;
let schema: string;
let generated: { revision: Revision; validators: Record<string, Validator> };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-future-"));
  schema = join(folder, "future.ts");
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(schema, futureSchema());
  const args = [cli, "--schema", schema, "--revision", id, "--out", join(folder, "out")];
  await runOrThrow(process.execPath, args, { cwd: folder });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("type-checks and builds", async () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const built = await run(process.execPath, [tsc, "-p", join(folder, "out")]);
  expect(built.code, built.stdout).toBe(0);
  generated = (await import(
    /* @vite-ignore */ join(folder, "out/dist/index.js")
  )) as typeof generated;
}, 60_000);

describe("a revision that nobody wrote code for", () => {
  it("has its methods in the table, gated by the capability of their name", () => {
    const { methods } = generated.revision;
    expect(methods.get("notes/search")).toMatchObject({
      from: "client",
      capability: "server.notes",
    });
    expect(methods.get("notifications/notes/list_changed")).toMatchObject({
      from: "server",
      capability: "server.notes.listChanged",
    });
    expect(methods.has("completion/complete")).toBe(false);
    expect(methods.has("tools/call")).toBe(true);
  });

  it("has its error code", () => {
    expect(generated.revision.errorCodes["RATE_LIMITED"]).toBe(-32023);
  });

  it("validates what it declares", () => {
    const { ContentBlock, LoggingLevel, Note, Tool, PromptParameter, PromptArgument } =
      generated.validators;
    expect(ContentBlock!({ type: "video", data: "", mimeType: "video/mp4" })).toBe(true);
    expect(ContentBlock!({ type: "video", mimeType: "video/mp4" })).toBe(false);
    expect(LoggingLevel!("trace")).toBe(true);
    expect(Note!({ text: "", score: 0.5 })).toBe(true);
    expect(Note!({ text: "", score: 1.5 })).toBe(false);
    expect(Tool!({ name: "x", inputSchema: { type: "object" } })).toBe(false);
    expect(Tool!({ name: "x", inputSchema: { type: "object" }, cost: 3 })).toBe(true);
    expect(PromptParameter!({ name: "x" })).toBe(true);
    expect(PromptArgument).toBeUndefined();
  });

  it("may answer with questions where it says so", () => {
    expect(generated.revision.methods.get("notes/search")?.inputResult).toBeTypeOf("function");
  });

  it("is told apart from the revision before by diff", async () => {
    const { stdout } = await run(process.execPath, [cli, "diff", "2026-07-28", schema], {
      cwd: folder,
    });
    for (const expected of [
      "notes/search",
      "notifications/notes/list_changed",
      "completion/complete",
      "VideoContent",
      "RATE_LIMITED",
      '"trace"',
      "cost",
      "PromptParameter",
      "description",
    ]) {
      expect(stdout).toContain(expected);
    }
  });

  it("is served and driven by its own stubs' types", async () => {
    const program = `
      import { Client, Server, type Handlers } from "./out/index.js";
      const handlers: Handlers = {
        "notes/search": ({ query, limit = 10 }) => ({
          resultType: "complete", notes: [{ text: query, score: limit / 100 }],
        }),
      };
      export const server = new Server({ name: "s", version: "1" }, handlers);
      export const search = (client: Client) => client.searchNotes;
      // @ts-expect-error -- the method is gone
      export const complete = (client: Client) => client.complete;
    `;
    writeFileSync(join(folder, "use.ts"), program);
    const compilerOptions = {
      strict: true,
      module: "nodenext",
      target: "es2022",
      noEmit: true,
      skipLibCheck: true,
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["use.ts"] }),
    );
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", folder]);
    expect(stdout).toBe("");
  }, 60_000);
});
