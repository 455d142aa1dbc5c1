import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { cli, cliJson, whyPrivileged } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

beforeAll(build, 120_000);

const why = whyPrivileged();

describe("invalid input ends with 3 and writes nothing", () => {
  it.each([
    [
      "a file that does not exist",
      ["--schema", "no.ts", "--revision", "x"],
      /^no\.ts - error MCG1001: /,
    ],
    ["a folder", ["--schema", ".", "--revision", "x"], /^\. - error MCG1003: /],
    [
      "facts that do not exist",
      ["--schema", "a.ts", "--revision", "x", "--facts", "no.json"],
      /MCG1101/,
    ],
    [
      "facts that are not JSON",
      ["--schema", "a.ts", "--revision", "x", "--facts", "a.ts"],
      /MCG3060/,
    ],
  ])("%s", async (_, args, expected) => {
    using folder = new TestFolder().put({ "a.ts": SMALL_SCHEMA });
    const { code, stdout, stderr } = await cli(args, { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(expected);
    expect(stderr).toContain("hint: ");
    expect(folder.list()).toEqual(["a.ts"]);
  });

  it("leaves all folders unchanged if one of several revisions is invalid", async () => {
    using folder = new TestFolder().put({ "x/2025-03-26/README.md": "mine\n" });
    const args = ["--revision", "2024-11-05", "--revision", "2025-03-26", "--out", "x"];
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toContain(
      'x/2025-03-26/README.md - error MCG6003: "x/2025-03-26/README.md" is in the way',
    );
    expect(folder.list()).toEqual(["x/", "x/2025-03-26/", "x/2025-03-26/README.md"]);
  });
});

describe("an unusable output folder ends with 3 (G02)", () => {
  it.each([
    ["a file", "file", "MCG6005"],
    ["below a file", "file/x", "MCG6006"],
    ["a symbolic link", "link", "MCG6004"],
    ["a folder that cannot be written", "/proc/mcp-codegen", "MCG6006"],
  ])("%s", async (_, out, expected) => {
    using folder = new TestFolder().put({ file: "mine", "target/a": "mine" });
    symlinkSync("target", join(folder.path, "link"));
    const args = ["--revision", "2024-11-05", "--out", out];
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toContain(`error ${expected}: `);
    expect(stderr).toContain("--out");
    expect(stderr.split("\n").length).toBeLessThan(6);
    expect(folder.list()).toEqual(["file", "link", "target/", "target/a"]);
  });

  it("reports a read-only folder", async (context) => {
    context.skip(why !== undefined, why);
    using folder = new TestFolder().put({ "out/a": "mine" });
    for (const name of ["out", "."]) chmodSync(join(folder.path, name), 0o555);
    const args = ["--revision", "2024-11-05", "--out", "out"];
    const { code, stderr } = await cli(args, { cwd: folder.path, unprivileged: true });
    for (const name of [".", "out"]) chmodSync(join(folder.path, name), 0o755);
    expect(code, stderr).toBe(3);
    expect(stderr).toMatch(/^out - error MCG6006: Cannot write "out": EACCES\.\n {2}hint: .*--out/);
    expect(folder.list()).toEqual(["out/", "out/a"]);
  });
});

describe("unreadable files of the user", () => {
  it("are ignored if they are not needed", async (context) => {
    context.skip(why !== undefined, why);
    using folder = new TestFolder().put({ "out/private.json": "{}", "s.ts": SMALL_SCHEMA });
    chmodSync(join(folder.path, "out/private.json"), 0);
    const args = ["--schema", "s.ts", "--revision", "draft", "--out", "out"];
    const { code, stderr } = await cli(args, { cwd: folder.path, unprivileged: true });
    chmodSync(join(folder.path, "out/private.json"), 0o600);
    expect(code, stderr).toBe(0);
    expect(folder.read("out/private.json")).toBe("{}");
  });
});

describe("a hostile schema, or one that is too new (S12)", () => {
  it("is rejected at the construct and never evaluated", async () => {
    using folder = new TestFolder();
    const marker = join(folder.path, "evaluated");
    const hostile = [
      SMALL_SCHEMA.trimEnd(),
      `import { writeFileSync } from "node:fs";`,
      `writeFileSync(${JSON.stringify(marker)}, "");`,
      `export type Mapped = { [K in keyof Tool]: Tool[K] };`,
      "",
    ].join("\n");
    writeFileSync(join(folder.path, "hostile.ts"), hostile);
    const line = SMALL_SCHEMA.trimEnd().split("\n").length;
    const args = ["--schema", "hostile.ts", "--revision", "draft", "--out", "x"];
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toMatch(new RegExp(`^hostile\\.ts:${line + 2}:\\d+ - error MCG2\\d{3}: `, "m"));
    expect(stderr).toContain("writeFileSync(");
    expect(folder.list()).toEqual(["hostile.ts"]);
    const { json } = await cliJson(args, { cwd: folder.path });
    expect(json["diagnostics"]).toContainEqual(
      expect.objectContaining({ file: "hostile.ts", line: line + 2, severity: "error" }),
    );
  });

  it("is printed with its terminal codes escaped (S09)", async () => {
    using folder = new TestFolder().put({
      "evil.ts": `${SMALL_SCHEMA}\u001b[2J \u202e enum X {}\n`,
    });
    const args = ["--schema", "evil.ts", "--revision", "draft", "--out", "x"];
    const { code, stdout, stderr } = await cli(args, { cwd: folder.path });
    expect(code).toBe(3);
    for (const character of ["\u001b", "\u202e"]) expect(stdout + stderr).not.toContain(character);
  });
});
