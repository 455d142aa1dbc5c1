import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { inCommand } from "../../generator/cli/read-input.js";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { cli } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

beforeAll(build, 120_000);

/** Runs the command that a generated file names, split into words by a real shell. */
async function regenerate(folder: TestFolder, file: string) {
  const command = /^\/\/ Regenerate: (npx mcp-codegen .*|npx mcp-codegen)$/m.exec(
    folder.read(file),
  )![1]!;
  const line = command.replace(/^npx mcp-codegen/, () => `printf '%s\\0'`);
  const split = spawnSync("bash", ["-c", line], { cwd: folder.path, encoding: "utf8" });
  expect(split.stderr).toBe("");
  const words = split.stdout.split("\0").filter((word) => word !== "");
  // A published package is not surrounded by a clone that packs archives.
  const { code, stdout, stderr } = await cli([...words, "--from-registry", "--check"], {
    cwd: folder.path,
  });
  return { status: code, output: stdout + stderr, command };
}

const FACTS = JSON.stringify({ revision: "draft" });

describe("the command in a header", () => {
  it.each([
    ["s.ts"],
    ["a file.ts"],
    ["it's.ts"],
    ["$(touch pwned).ts"],
    ["`touch pwned`.ts"],
    ['"; touch pwned; ".ts'],
    ["*.ts"],
    ["a*/b.ts"],
    ["-rf.ts"],
    ["~/s.ts"],
    ["schéma.ts"],
    ["two\nlines.ts"],
    ["#s.ts"],
  ])("regenerates all files from %j, and changes nothing else", async (schema) => {
    using folder = new TestFolder().put({ [schema]: SMALL_SCHEMA, "f's.json": FACTS });
    const args = [
      `--schema=${schema}`,
      "--revision",
      "draft",
      "--facts",
      "f's.json",
      "--out",
      "o ut/$HOME",
      "--runtime",
      "@mcp-codegen/runtime/codegen",
    ];
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(code, stderr).toBe(0);
    const { status, output, command } = await regenerate(folder, "o ut/$HOME/types.ts");
    expect(status, `${command}\n${output}`).toBe(0);
    expect(folder.list()).not.toContain("pwned");
  });

  it.each([
    [
      "several revisions",
      ["--revision", "2024-11-05", "--revision", "2025-03-26", "--out", "x"],
      "x/2025-03-26/types.ts",
    ],
    ["the default folder", ["--revision", "2025-03-26"], "generated/2025-03-26/types.ts"],
    [
      "modules",
      ["--revision", "2025-03-26", "--out", "src/mcp", "--modules-only"],
      "src/mcp/types.ts",
    ],
    [
      "several packages",
      ["--universal", "--revision", "2025-11-25", "--revision", "2026-07-28", "--out", "p"],
      "p/universal/types.ts",
    ],
    [
      "one of several steps",
      ["--universal", "--revision", "2025-11-25", "--revision", "2026-07-28", "--out", "p"],
      "p/universal/steps/2026-07-28--2025-11-25.ts",
    ],
  ])(
    "is complete for %s",
    async (_, args, file) => {
      using folder = new TestFolder();
      expect((await cli(args, { cwd: folder.path })).code).toBe(0);
      const { status, output, command } = await regenerate(folder, file);
      expect(status, `${command}\n${output}`).toBe(0);
    },
    60_000,
  );

  it.each([
    ["mcp-codegen.config.json", [], "npx mcp-codegen"],
    ["mcp-codegen.config.json", ["--out", "y"], "npx mcp-codegen --out y"],
    ["tools/my config.json", [], "npx mcp-codegen --config 'tools/my config.json'"],
  ])("names the configuration %s", async (file, more, expected) => {
    using folder = new TestFolder().put({
      [file]: JSON.stringify({ schema: join("s.ts"), revisions: ["draft"], out: "x" }),
      [join(file, "../s.ts")]: SMALL_SCHEMA,
    });
    const config = file.startsWith("mcp-codegen") ? [] : ["--config", file];
    const { code, stderr } = await cli([...config, ...more, "--from-registry"], {
      cwd: folder.path,
    });
    expect(code, stderr).toBe(0);
    const types = folder.list().find((path) => path.endsWith("/types.ts"))!;
    const { status, output, command } = await regenerate(folder, types);
    expect(command).toBe(expected);
    expect(status, output).toBe(0);
  });

  it("is complete for an extension", async () => {
    using folder = new TestFolder().put({
      "my maps.ts": `import type { Request } from "./schema.js";
export interface FindRequest extends Request { method: "maps/find"; params: { what: string } }
export interface FindResult { place: string }
export type ClientRequest = FindRequest;
`,
    });
    const args = [
      "extension",
      "my maps.ts",
      "--id",
      "com.example/maps",
      "--revision",
      "2025-11-25",
    ];
    const { code, stderr } = await cli([...args, "--out", "m a"], { cwd: folder.path });
    expect(code, stderr).toBe(0);
    const { status, output, command } = await regenerate(folder, "m a/types.ts");
    expect(status, `${command}\n${output}`).toBe(0);
  });
});

it.each([
  [join(process.cwd(), "a/b"), join("a", "b")],
  [join(process.cwd(), "../elsewhere"), join("..", "elsewhere")],
  ["../own", "../own"],
])("names no folder of this machine: %s", (path, words) => {
  expect(inCommand(path)).toBe(words);
});
