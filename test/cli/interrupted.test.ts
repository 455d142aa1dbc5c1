import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { cli, start } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

beforeAll(build, 120_000);

const ARGS = ["--schema", "s.ts", "--revision", "draft", "--out", "out"];

/**
 * Returns the options that make Node run this code before the executable, with `fs` available and its exports in sync.
 */
function preload(code: string): NodeJS.ProcessEnv {
  const module = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    ${code}
    syncBuiltinESMExports();`;
  return { NODE_OPTIONS: `--import=data:text/javascript;base64,${btoa(module)}` };
}

/** Kills the process at one of its renames, as `kill -9` does. */
const killAtRename = (number: number) => `
  const rename = fs.renameSync;
  let left = ${number};
  fs.renameSync = (...args) => {
    if (--left === 0) process.kill(process.pid, "SIGKILL");
    return rename(...args);
  };`;

/** Kills the process when half a file has been written to the disk. */
const killHalfWay = (number: number) => `
  const write = fs.writeFileSync;
  let left = ${number};
  fs.writeFileSync = (path, text, ...rest) => {
    if (--left > 0) return write(path, text, ...rest);
    write(path, text.slice(0, text.length / 2));
    process.kill(process.pid, "SIGKILL");
  };`;

describe("a run that is killed leaves each file entirely old or entirely new (G02)", () => {
  it.each([
    ["before the first rename", killAtRename(1)],
    ["between renames", killAtRename(5)],
    ["before the last rename", killAtRename(13)],
    ["in the middle of the first file", killHalfWay(1)],
    ["in the middle of the last file", killHalfWay(13)],
  ])(
    "%s",
    async (_, code) => {
      using folder = new TestFolder().put({ "s.ts": SMALL_SCHEMA });
      const read = () => {
        const files = folder.list().filter((path) => /^out\/[^/.]+\.\w+$/.test(path));
        return new Map(files.map((path) => [path, folder.read(path)]));
      };
      await cli(ARGS, { cwd: folder.path });
      const old = read();
      expect(old.size).toBe(13);
      folder.put({ "s.ts": SMALL_SCHEMA.replace("Tool {", "Tool { title?: string;") });
      const killed = await cli(ARGS, { cwd: folder.path, env: preload(code) });
      expect(killed.code).toBeNull();
      const between = read();
      const { code: repaired } = await cli(ARGS, { cwd: folder.path });
      expect(repaired).toBe(0);
      const next = read();
      expect([...between.keys()]).toEqual([...old.keys()]);
      for (const [path, text] of between) {
        expect([old.get(path), next.get(path)], path).toContain(text);
      }
      expect(next).not.toEqual(old);
      expect((await cli([...ARGS, "--check"], { cwd: folder.path })).code).toBe(0);
    },
    60_000,
  );
});

describe("an unexpected error", () => {
  const broken = preload(`fs.readdirSync = () => { throw new Error("boom\\nsecond line"); };`);

  it("prints one line with advice, without a stack, and ends with 70", async () => {
    using folder = new TestFolder();
    const { code, stdout, stderr } = await cli(["list"], { cwd: folder.path, env: broken });
    expect({ code, stdout }).toEqual({ code: 70, stdout: "" });
    expect(stderr).toBe(
      "error MCG0000: An internal error of mcp-codegen: boom\n" +
        "  hint: Please report it with the command line and the schema; MCP_CODEGEN_DEBUG=1 prints where it happened.\n",
    );
  });

  it("prints the stack if an option says so", async () => {
    using folder = new TestFolder();
    const env = { ...broken, MCP_CODEGEN_DEBUG: "1" };
    const { code, stderr } = await cli(["list"], { cwd: folder.path, env });
    expect(code).toBe(70);
    expect(stderr).toMatch(/^ +at .*bundledRevisions/m);
  });

  it("prints one JSON document with --json", async () => {
    using folder = new TestFolder();
    const { code, stdout } = await cli(["list", "--json"], { cwd: folder.path, env: broken });
    expect(code).toBe(70);
    expect(JSON.parse(stdout)).toMatchObject({
      command: "list",
      exitCode: 70,
      diagnostics: [{ code: "MCG0000", severity: "error" }],
    });
  });
});

describe("a reader of the output", () => {
  it("ends the run quietly when it stops reading", async () => {
    using folder = new TestFolder();
    const running = start(["inspect", "2025-11-25", "--json"], { cwd: folder.path });
    running.closeOutput();
    const { stderr } = await running.finished;
    expect(stderr).toBe("");
  });

  it("receives everything, however slowly it reads", async () => {
    using folder = new TestFolder();
    const args = ["--revision", "2025-11-25", "--check", "--json"];
    const { code, stdout } = await cli(args, { cwd: folder.path });
    expect(code).toBe(1);
    expect(stdout.length).toBeGreaterThan(200_000);
    expect(JSON.parse(stdout)).toMatchObject({ command: "generate", exitCode: 1 });
  });
});

describe("the executable", () => {
  it("runs from another folder, by a path with spaces", async () => {
    using folder = new TestFolder().put({ "a b/s.ts": SMALL_SCHEMA });
    const { code, stderr } = await cli(ARGS, { cwd: join(folder.path, "a b") });
    expect(code, stderr).toBe(0);
    expect(folder.list()).toContain("a b/out/types.ts");
  });
});
