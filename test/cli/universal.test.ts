import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build, root } from "./build.js";
import { cli, cliJson } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

beforeAll(build, 120_000);

const TWO = ["--universal", "--revision", "2025-11-25", "--revision", "2026-07-28", "--out", "x"];
/** The modules of the types that messages of every revision fit. */
const COMMON = ["message-shapes", "payloads", "shapes", "types", "validators", "versions"];

const FILES = [
  "README.md",
  "bare/client.ts",
  "bare/server.ts",
  "client.ts",
  "families.ts",
  "handler-types.ts",
  "http.ts",
  "index.ts",
  "mcp-client.ts",
  "on-demand.ts",
  "package.json",
  "revisions.ts",
  "server.ts",
  "summaries.ts",
  "tsconfig.json",
  "types.ts",
];

/** The bundled extensions of the newest revision. */
const NEWEST = ["server-card", "skills", "tasks"];
const extensionFiles = (name: string) =>
  ["index", "messages", "shapes", "types", "validators"].map(
    (file) => `extensions/${name}/${file}.ts`,
  );

describe("--universal", () => {
  it("writes the package for the given revisions, beside them", async () => {
    using folder = new TestFolder();
    const { code, json } = await cliJson(TWO, { cwd: folder.path });
    expect(code).toBe(0);
    expect(json["outputs"]).toMatchObject([
      { revision: "2025-11-25", folder: join("x", "2025-11-25") },
      { revision: "2026-07-28", folder: join("x", "2026-07-28") },
      {
        revision: "universal",
        folder: join("x", "universal"),
        files: [
          ...FILES,
          ...COMMON.map((name) => `common/${name}.ts`),
          "revisions/2025-11-25.ts",
          "revisions/2026-07-28.ts",
          "steps/2026-07-28--2025-11-25.ts",
          ...["apps", ...NEWEST].flatMap(extensionFiles),
          "apps.ts",
          "skills.ts",
          "tasks.ts",
        ]
          .toSorted()
          .map((path) => ({ path, status: "missing" })),
      },
    ]);
    const { exports, dependencies } = JSON.parse(folder.read("x/universal/package.json")) as {
      exports: object;
      dependencies: object;
    };
    expect(Object.keys(exports)).toEqual([
      ".",
      "./types",
      "./families",
      "./revisions",
      "./server",
      "./http",
      "./client",
      "./bare/server",
      "./bare/client",
      "./common/types",
      "./common/validators",
      "./common/versions",
      ...["apps", ...NEWEST].map((name) => `./extensions/${name}`),
      "./apps",
      "./skills",
      "./tasks",
      "./2025-11-25",
      "./2026-07-28",
      "./package.json",
    ]);
    expect(Object.keys(dependencies)).toEqual([
      "@mcp-codegen/2025-11-25",
      "@mcp-codegen/2026-07-28",
      "@mcp-codegen/runtime",
    ]);
    expect(folder.read("x/universal/types.ts")).toContain('from "@mcp-codegen/2026-07-28/types"');
    expect(folder.read("x/universal/revisions.ts")).toContain(
      "// Regenerate: npx mcp-codegen --universal --revision 2025-11-25 --revision 2026-07-28 --out x\n",
    );
  }, 60_000);

  it("covers distant revisions, and serves only the given ones", async () => {
    using folder = new TestFolder();
    const revisions = ["--revision", "2026-07-28", "--revision", "2025-06-18"];
    const args = ["--universal", ...revisions, "--out", "x"];
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain("MCG");
    expect(folder.list().filter((path) => path.startsWith("x/universal/revisions/2"))).toEqual([
      "x/universal/revisions/2025-06-18.ts",
      "x/universal/revisions/2026-07-28.ts",
    ]);
    expect(folder.list().filter((path) => path.startsWith("x/universal/steps/2"))).toEqual([
      "x/universal/steps/2025-11-25--2025-06-18.ts",
      "x/universal/steps/2026-07-28--2025-11-25.ts",
    ]);
    const step = folder.read("x/universal/steps/2025-11-25--2025-06-18.ts");
    expect(step).toContain("TitledSingleSelectEnumSchema: null");
    expect(step).toContain('drop: ["icons", "execution"]');
  }, 60_000);

  it("is compared by --check, with leftovers", async () => {
    using folder = new TestFolder();
    expect((await cli(TWO, { cwd: folder.path })).code).toBe(0);
    expect((await cli([...TWO, "--check"], { cwd: folder.path })).code).toBe(0);
    const text = folder.read("x/universal/revisions/2025-11-25.ts");
    const path = "x/universal/steps/2026-07-28--2025-11-25.ts";
    const step = folder.read(path);
    folder.put({
      [path]: step.replace('"tools/call"', '"tools/fall"'),
      "x/universal/revisions/2025-06-18.ts": text,
      "x/universal/notes.ts": "// mine\n",
    });
    const { code, stdout } = await cli([...TWO, "--check"], { cwd: folder.path });
    expect(code).toBe(1);
    expect(stdout).toContain(`edited  ${path}`);
    expect(stdout).toContain("extra   x/universal/revisions/2025-06-18.ts");
    expect(stdout).not.toContain("notes.ts");
  }, 60_000);

  it("accepts a schema of the user as the newest revision", async () => {
    using folder = new TestFolder().put({ "my.ts": SMALL_SCHEMA });
    const args = ["--universal", "--revision", "draft", "--schema", "my.ts", "--out", "x"];
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(folder.read("x/universal/revisions.ts")).toContain(
      "// Regenerate: npx mcp-codegen --universal --schema my.ts --revision draft --out x\n",
    );
    expect(folder.read("x/universal/revisions/draft.ts")).toContain(
      'from "@mcp-codegen/draft/methods"',
    );
  }, 60_000);

  it("can be set in the configuration", async () => {
    using folder = new TestFolder().put({
      "mcp-codegen.config.json": '{ "revisions": ["2026-07-28"], "universal": true, "out": "x" }',
    });
    const { code, stdout } = await cli([], { cwd: folder.path });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "x/2026-07-28  14 created\nx/universal  40 created\n",
    });
  }, 60_000);

  it("writes nothing if a difference between revisions has no rule", async () => {
    const text = readFileSync(join(root, "schema/2026-07-28/schema.ts"), "utf8");
    const clash = text.replace("export type Cursor = string;", "export type Cursor = number;");
    expect(clash).not.toBe(text);
    using folder = new TestFolder().put({ "my.ts": clash });
    const revisions = ["--revision", "2026-07-28", "--revision", "later"];
    const args = ["--universal", ...revisions, "--schema", "my.ts", "--out", "x"];
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toContain(
      `${join(root, "schema/2026-07-28/schema.ts")} - error MCG4004: Cursor is number, and string in this revision.`,
    );
    expect(stderr).toContain("runtime/facade/project/rules");
    expect(folder.list()).toEqual(["my.ts"]);
  }, 60_000);
});
