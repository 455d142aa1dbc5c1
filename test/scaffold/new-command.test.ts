import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { run } from "../support/run.js";

const cli = join(root, "generator/dist/cli/bin.js");
let folder: string;

beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "mcp-codegen-new-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (args: string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [cli, "new", "--from-registry", ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
const template = ["--template", "stdio-server"];
const complete = [...template, "--revision", "2025-06-18"];

describe("mcp-codegen new", () => {
  it("writes into a folder with the name of the project and prints the next steps", async () => {
    const { code, stdout } = await start(["notes", ...complete], {
      npm_config_user_agent: "pnpm/9.0.0",
    });
    expect(code).toBe(0);
    expect(stdout).toContain("cd notes");
    expect(stdout).toMatch(/cd notes\n {2}pnpm install\n {2}pnpm test\n/);
    const manifest = JSON.parse(readFileSync(join(folder, "notes/package.json"), "utf8")) as object;
    expect(manifest).toMatchObject({
      name: "notes",
      dependencies: { "@mcp-codegen/2025-06-18": expect.any(String) },
    });
  });

  it("pins its dependencies to its own version", async () => {
    await start(["notes", ...complete]);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    const { dependencies } = JSON.parse(
      readFileSync(join(folder, "notes/package.json"), "utf8"),
    ) as {
      dependencies: Record<string, string>;
    };
    expect(new Set(Object.values(dependencies))).toEqual(new Set([version]));
  });

  it("supports all revisions unless one is named", async () => {
    const { code, stdout } = await start(["notes", ...template]);
    expect(code).toBe(0);
    expect(stdout).toContain("for all revisions");
    const manifest = JSON.parse(readFileSync(join(folder, "notes/package.json"), "utf8")) as object;
    expect(manifest).toHaveProperty(["dependencies", "@mcp-codegen/universal"]);
  });

  const kinds = ["stdio-server", "http-server", "fetch-server", "client"];

  it.each(kinds)("leaves no placeholder in %s, at any revision", async (kind) => {
    for (const revision of ["all", "2024-11-05", "2026-07-28"]) {
      const named = revision === "all" ? [] : ["--revision", revision];
      await start([revision, "--template", kind, ...named]);
      const project = join(folder, revision);
      const files = readdirSync(project, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      expect(files.length).toBeGreaterThan(9);
      for (const { parentPath, name } of files) {
        const text = readFileSync(join(parentPath, name), "utf8");
        expect(text).not.toMatch(name.endsWith(".ts") ? /\{\{/ : /\{\{|undefined/);
      }
    }
  });

  it.each(["http-server", "client"])(
    "supports --auth for %s, without placeholders",
    async (kind) => {
      for (const named of [[], ["--revision", "2025-06-18"]]) {
        const project = join(folder, `auth${named.length}`);
        await start([`auth${named.length}`, "--template", kind, "--auth", ...named]);
        for (const { parentPath, name } of readdirSync(project, {
          recursive: true,
          withFileTypes: true,
        }).filter((entry) => entry.isFile())) {
          const text = readFileSync(join(parentPath, name), "utf8");
          expect(text).not.toMatch(name.endsWith(".ts") ? /\{\{/ : /\{\{|undefined/);
        }
        const manifest = readFileSync(join(project, "package.json"), "utf8");
        expect(JSON.parse(manifest)).toHaveProperty(["dependencies", "@mcp-codegen/auth"]);
      }
    },
  );

  it("prints one JSON document with --json", async () => {
    const { code, stdout } = await start(["notes", ...complete, "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ command: "new", exitCode: 0, name: "notes" });
  });

  it("asks no questions without a terminal, and names all missing arguments", async () => {
    const { code, stderr } = await start([]);
    expect(code).toBe(2);
    for (const missing of ["name", "--template"]) expect(stderr).toContain(missing);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("rejects a folder with files, and keeps foreign ones with --force", async () => {
    mkdirSync(join(folder, "notes"));
    writeFileSync(join(folder, "notes/mine.txt"), "mine");
    const refused = await start(["notes", ...complete]);
    expect(refused.code).toBe(3);
    expect(refused.stderr).toContain("--force");
    expect(readdirSync(join(folder, "notes"))).toEqual(["mine.txt"]);

    expect((await start(["notes", ...complete, "--force"])).code).toBe(0);
    expect(readFileSync(join(folder, "notes/mine.txt"), "utf8")).toBe("mine");
    expect(existsSync(join(folder, "notes/package.json"))).toBe(true);
  });

  it.skipIf(process.platform === "win32").each([
    ["a file", "package.json", "../mine.txt"],
    ["a folder", "src", "../elsewhere"],
    ["nothing", "README.md", "../gone.txt"],
  ])("does not write through a link to %s, not even with --force", async (_, name, target) => {
    mkdirSync(join(folder, "notes"));
    mkdirSync(join(folder, "elsewhere"));
    writeFileSync(join(folder, "mine.txt"), "mine");
    symlinkSync(target, join(folder, "notes", name));
    const { code, stderr } = await start(["notes", ...complete, "--force"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/MCG600[34]/);
    expect(stderr).toContain("symbolic link");
    expect(readFileSync(join(folder, "mine.txt"), "utf8")).toBe("mine");
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
    expect(readdirSync(folder).toSorted()).toEqual(["elsewhere", "mine.txt", "notes"]);
    expect(readdirSync(join(folder, "notes"))).toEqual([name]);
  });

  it.each([
    [
      ["notes", "--template", "stdio-serve", "--revision", "2025-06-18"],
      2,
      'Did you mean "stdio-server"?',
    ],
    [["notes", ...template, "--auth"], 2, "It applies to: http-server, client."],
    [["notes", ...template, "--revision", "2025-06-81"], 2, 'Did you mean "2025-06-18"?'],
    [["Not A Name", ...complete], 2, "cannot be the name of a project"],
    [["notes", ...complete, "--package-manager", "pip"], 2, "package-manager"],
  ])("exits with the code and reason for %j: %i", async (args, code, why) => {
    const finished = await start(args);
    expect(finished.code).toBe(code);
    expect(finished.stderr).toContain(why);
    expect(finished.stderr).not.toMatch(/^\s+at /m);
    expect(readdirSync(folder)).toEqual([]);
  });
});
