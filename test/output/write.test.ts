import {
  chmodSync,
  lstatSync,
  mkdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { apply, HEADER, TestFolder } from "./folder.js";

const ours = (text: string) => `${HEADER}${text}\n`;

describe("writing (G02)", () => {
  it("creates the folder and its parents", () => {
    using folder = new TestFolder();
    const { ok } = apply(join(folder.path, "a/b"), { "x.ts": ours("1"), "sub/y.ts": ours("2") });
    expect(ok).toBe(true);
    expect(folder.list()).toEqual(["a/", "a/b/", "a/b/sub/", "a/b/sub/y.ts", "a/b/x.ts"]);
    expect(folder.read("a/b/x.ts")).toBe(ours("1"));
  });

  it("replaces and removes generated files, and keeps those of the user", () => {
    using folder = new TestFolder().put({
      "x.ts": ours("old"),
      "gone.ts": ours("old"),
      "mine.ts": "export const mine = 1;\n",
      "notes/gone.ts": ours("in a folder that we do not write to"),
    });
    expect(apply(folder.path, { "x.ts": ours("new") }).ok).toBe(true);
    expect(folder.list()).toEqual(["mine.ts", "notes/", "notes/gone.ts", "x.ts"]);
    expect(folder.read("x.ts")).toBe(ours("new"));
    expect(folder.read("mine.ts")).toBe("export const mine = 1;\n");
  });

  it("keeps the output of a compiler", () => {
    const compiled = { "x.js": ours("js"), "x.d.ts": ours("types"), "dist/x.js": ours("js") };
    using folder = new TestFolder().put(compiled);
    expect(apply(folder.path, { "x.ts": ours("new") }).ok).toBe(true);
    expect(folder.list()).toEqual(["dist/", "dist/x.js", "x.d.ts", "x.js", "x.ts"]);
  });

  it("does not write a file that is up to date", () => {
    using folder = new TestFolder().put({ "x.ts": ours("1"), "y.ts": ours("old") });
    const long = new Date(1_000_000_000_000);
    utimesSync(join(folder.path, "x.ts"), long, long);
    expect(apply(folder.path, { "x.ts": ours("1"), "y.ts": ours("new") }).ok).toBe(true);
    expect(statSync(join(folder.path, "x.ts")).mtimeMs).toBe(1_000_000_000_000);
    expect(folder.read("y.ts")).toBe(ours("new"));
  });

  it("rejects a foreign file and writes nothing (MCG6003)", () => {
    using folder = new TestFolder().put({ "README.md": "mine\n", "x.ts": ours("old") });
    const { ok, problems } = apply(folder.path, { "README.md": ours("1"), "x.ts": ours("new") });
    expect(ok).toBe(false);
    expect(problems).toMatchObject([
      {
        code: "MCG6003",
        file: join(folder.path, "README.md"),
        message: expect.stringContaining("a file that mcp-codegen did not generate"),
        hint: expect.stringContaining("--out"),
      },
    ]);
    expect(folder.read("README.md")).toBe("mine\n");
    expect(folder.read("x.ts")).toBe(ours("old"));
    expect(folder.list()).toEqual(["README.md", "x.ts"]);
  });

  it("rejects a folder in place of a file (MCG6003)", () => {
    using folder = new TestFolder().put({ "x.ts/inner": "mine" });
    const { ok, problems } = apply(folder.path, { "x.ts": ours("1") });
    expect(ok).toBe(false);
    expect(problems).toMatchObject([
      { code: "MCG6003", message: expect.stringContaining("a folder") },
    ]);
  });

  it("rejects a file in place of a folder (MCG6005)", () => {
    using folder = new TestFolder().put({ out: "mine", sub: "mine" });
    const root = apply(join(folder.path, "out"), { "x.ts": ours("1") });
    const inner = apply(folder.path, { "sub/x.ts": ours("1") });
    expect([root.ok, inner.ok]).toEqual([false, false]);
    expect([...root.problems, ...inner.problems]).toMatchObject([
      { code: "MCG6005", file: join(folder.path, "out") },
      { code: "MCG6005", file: join(folder.path, "sub") },
    ]);
    expect(folder.read("out")).toBe("mine");
  });

  it("rejects a name on the disk that differs only in case (MCG6007)", () => {
    using folder = new TestFolder().put({ "Types.ts": ours("old") });
    const { ok, problems } = apply(folder.path, { "types.ts": ours("1") });
    expect(ok).toBe(false);
    expect(problems).toMatchObject([{ code: "MCG6007", file: join(folder.path, "Types.ts") }]);
    expect(folder.list()).toEqual(["Types.ts"]);
  });
});

describe("symbolic links (G02)", () => {
  it.each([
    ["the output folder", "out", "", "x.ts"],
    ["the output folder, named with a slash", "out/", "", "x.ts"],
    ["the folder of a revision", ".", "out", "x.ts"],
    ["a folder inside", ".", "", "out/x.ts"],
  ])("are not followed if they are %s (MCG6004)", (_, root, below, file) => {
    using folder = new TestFolder();
    using elsewhere = new TestFolder().put({ "x.ts": ours("old") });
    symlinkSync(elsewhere.path, join(folder.path, "out"));
    const path = root === "." ? folder.path : `${folder.path}/${root}`;
    const { ok, problems } = apply(path, { [file]: ours("new") }, below);
    expect(ok).toBe(false);
    expect(problems).toMatchObject([{ code: "MCG6004", hint: expect.any(String) }]);
    expect(elsewhere.list()).toEqual(["x.ts"]);
    expect(elsewhere.read("x.ts")).toBe(ours("old"));
  });

  it("are not replaced, whatever they point to (MCG6003)", () => {
    using folder = new TestFolder();
    using elsewhere = new TestFolder().put({ "x.ts": ours("old") });
    symlinkSync(join(elsewhere.path, "x.ts"), join(folder.path, "x.ts"));
    symlinkSync(join(elsewhere.path, "absent"), join(folder.path, "y.ts"));
    const { ok, problems } = apply(folder.path, { "x.ts": ours("1"), "y.ts": ours("2") });
    expect(ok).toBe(false);
    expect(problems.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^MCG6003 .*x\.ts" is in the way: a symbolic link\.$/),
      expect.stringMatching(/^MCG6003 .*y\.ts" is in the way: a symbolic link\.$/),
    ]);
    expect(elsewhere.list()).toEqual(["x.ts"]);
    expect(lstatSync(join(folder.path, "x.ts")).isSymbolicLink()).toBe(true);
  });

  it("do not count as leftovers", () => {
    using folder = new TestFolder();
    using elsewhere = new TestFolder().put({ "gone.ts": ours("old") });
    symlinkSync(join(elsewhere.path, "gone.ts"), join(folder.path, "gone.ts"));
    expect(apply(folder.path, { "x.ts": ours("1") }).ok).toBe(true);
    expect(folder.list()).toEqual(["gone.ts", "x.ts"]);
    expect(elsewhere.read("gone.ts")).toBe(ours("old"));
  });
});

describe("interrupted and concurrent runs (G02)", () => {
  const staging = ".mcp-codegen-staging-0123456789abcdef";

  it("clear the remains of a killed run, but not those of a running one", () => {
    using folder = new TestFolder().put({ [`${staging}/0`]: "half a fi", "x.ts": ours("old") });
    apply(folder.path, { "x.ts": ours("1") });
    expect(folder.list()).toEqual([`${staging}/`, `${staging}/0`, "x.ts"]);
    const old = new Date(Date.now() - 120_000);
    utimesSync(join(folder.path, staging), old, old);
    apply(folder.path, { "x.ts": ours("2") });
    expect(folder.list()).toEqual(["x.ts"]);
  });

  it("leave other files complete, and no staging folder, if one cannot be replaced (MCG6006)", () => {
    using folder = new TestFolder();
    const long = `${"n".repeat(190)}/`.repeat(25);
    const { ok, problems } = apply(folder.path, { "a.ts": ours("1"), [`${long}z.ts`]: ours("2") });
    expect(ok).toBe(false);
    expect(problems).toMatchObject([
      {
        code: "MCG6006",
        message: expect.stringContaining("ENAMETOOLONG"),
        hint: expect.any(String),
      },
    ]);
    expect(folder.list().filter((path) => path.includes("staging"))).toEqual([]);
  });

  it("ignore a leftover that another run has removed", () => {
    using folder = new TestFolder().put({ "gone.ts": ours("old") });
    const files = { "x.ts": ours("1") };
    const first = apply(folder.path, files);
    expect(first.changes.map(({ status }) => status)).toEqual(["extra", "missing"]);
    unlinkSync(join(folder.path, "x.ts"));
    expect(apply(folder.path, files).ok).toBe(true);
  });
});

describe("read-only folders", () => {
  it("are reported with path and advice (MCG6006)", (context) => {
    context.skip(process.getuid?.() === 0, "root may write everywhere");
    context.skip(process.platform === "win32", "Windows has no such permissions");
    using folder = new TestFolder();
    const locked = join(folder.path, "locked");
    mkdirSync(locked);
    chmodSync(locked, 0o555);
    const { ok, problems } = apply(locked, { "x.ts": ours("1") });
    expect(ok).toBe(false);
    expect(problems).toMatchObject([{ code: "MCG6006", hint: expect.stringContaining("--out") }]);
  });
});
