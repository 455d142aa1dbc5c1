import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { cli } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

const ARGS = ["--schema", "s.ts", "--revision", "draft", "--out", "out"];

beforeAll(build, 120_000);

describe("generated files that were edited", () => {
  it.each(["types.ts", "package.json", "README.md", "protocol.json"])(
    "%s is replaced only with --force",
    async (name) => {
      using folder = new TestFolder().put({ "s.ts": SMALL_SCHEMA });
      await cli(ARGS, { cwd: folder.path });
      const generated = folder.read(`out/${name}`);
      appendFileSync(join(folder.path, "out", name), " ");
      folder.put({ "s.ts": SMALL_SCHEMA.replace("name: string }", "name: string; x?: string }") });
      const before = folder.read("out/validators.ts");
      const refused = await cli(ARGS, { cwd: folder.path });
      expect(refused.code).toBe(3);
      expect(refused.stderr).toContain(`MCG6009: "out/${name}" was edited after it was generated`);
      expect(refused.stderr).toContain("--force");
      expect(folder.read(`out/${name}`)).toBe(`${generated} `);
      expect(folder.read("out/validators.ts")).toBe(before);
      expect((await cli([...ARGS, "--force"], { cwd: folder.path })).code).toBe(0);
      expect((await cli([...ARGS, "--check"], { cwd: folder.path })).code).toBe(0);
    },
  );

  it("are not removed as leftovers either", async () => {
    using folder = new TestFolder().put({ "s.ts": SMALL_SCHEMA });
    await cli(["--revision", "2025-11-25", "--out", "out"], { cwd: folder.path });
    appendFileSync(join(folder.path, "out/features.ts"), "export const mine = 1;\n");
    const { code, stderr } = await cli(ARGS, { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toContain(
      '"out/features.ts" was edited after it was generated, and would be removed',
    );
  });

  it("are overwritten if only line endings differ", async () => {
    using folder = new TestFolder().put({ "s.ts": SMALL_SCHEMA });
    await cli(ARGS, { cwd: folder.path });
    folder.put({ "out/types.ts": folder.read("out/types.ts").replaceAll("\n", "\r\n") });
    expect((await cli(ARGS, { cwd: folder.path })).code).toBe(0);
  });
});

it("another revision in the same folder is reported", async () => {
  using folder = new TestFolder();
  await cli(["--revision", "2025-06-18", "--out", "out"], { cwd: folder.path });
  const { code, stdout } = await cli(["--revision", "2025-03-26", "--out", "out"], {
    cwd: folder.path,
  });
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "out  14 updated; was generated from schema.ts of 2025-06-18\n",
  });
});
