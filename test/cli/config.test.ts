import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { cli } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

beforeAll(build, 120_000);

const DRY = ["--dry-run"];
const SMALL = { schema: "s.ts", revisions: ["draft"], out: "gen" };

describe("configuration", () => {
  it.each([
    ["mcp-codegen.config.json", JSON.stringify(SMALL)],
    ["mcp-codegen.config.mjs", `export default ${JSON.stringify(SMALL)};`],
    ["mcp-codegen.config.js", `module.exports = ${JSON.stringify(SMALL)};`],
  ])("finds %s in the current folder", async (name, text) => {
    using folder = new TestFolder().put({ [name]: text, "s.ts": SMALL_SCHEMA });
    const { code, stdout, stderr } = await cli(DRY, { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("would create gen/types.ts");
  });

  it("is named with --config, and its paths are relative to it", async () => {
    using folder = new TestFolder().put({
      "conf/c.json": JSON.stringify(SMALL),
      "conf/s.ts": SMALL_SCHEMA,
    });
    const { code, stdout, stderr } = await cli([...DRY, "--config", "conf/c.json"], {
      cwd: folder.path,
    });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("would create conf/gen/types.ts");
  });

  it("yields to command-line options, one by one", async () => {
    using folder = new TestFolder().put({
      "mcp-codegen.config.json": JSON.stringify({ ...SMALL, runtime: "./mine.js" }),
      "s.ts": SMALL_SCHEMA,
    });
    const other = await cli([...DRY, "--revision", "2024-11-05"], { cwd: folder.path });
    expect(other.stdout).toContain("would create gen/types.ts");
    const out = await cli([...DRY, "--out", "x"], { cwd: folder.path });
    expect(out.stdout).toContain("would create x/types.ts");
    await cli(["--out", "x"], { cwd: folder.path });
    expect(folder.read("x/types.ts")).toContain("of draft");
    expect(folder.read("x/client.ts")).toContain('"./mine.js"');
  });

  it.each([
    ["[]", "The configuration is not an object."],
    ['{ "revision": "x" }', '"revision" is not a member of the configuration.'],
    ['{ "revisions": "x" }', '"revisions" must be an array of revision ids.'],
    ['{ "out": 1 }', '"out" must be a path.'],
    ['{ "all": "yes" }', '"all" must be true or false.'],
    ["{ all: true }", "The configuration cannot be loaded: "],
    ['{ "all": true, "schema": "x.ts" }', "--all and --schema exclude each other."],
    ['{ "revisions": ["2025-03-25"] }', 'no bundled revision "2025-03-25"'],
  ])("ends with 2 for %s", async (text, message) => {
    using folder = new TestFolder().put({ "mcp-codegen.config.json": text });
    const { code, stdout, stderr } = await cli([], { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain("hint: ");
  });

  it.each([
    ["that throws", "throw new Error('boom');", "cannot be loaded: boom"],
    ["without a default export", "export const all = true;", "has no default export"],
  ])("ends with 2 for a module %s", async (_, text, message) => {
    using folder = new TestFolder().put({ "mcp-codegen.config.mjs": text });
    const { code, stderr } = await cli([], { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("ends with 2 when there are two", async () => {
    using folder = new TestFolder().put({
      "mcp-codegen.config.json": "{}",
      "mcp-codegen.config.mjs": "export default {};",
    });
    const { code, stderr } = await cli([], { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain("mcp-codegen.config.mjs, mcp-codegen.config.json");
  });

  it("is loaded from TypeScript where Node strips types, and refused with advice elsewhere", async () => {
    using folder = new TestFolder().put({
      "mcp-codegen.config.ts": `export default ${JSON.stringify(SMALL)} as object;`,
      "s.ts": SMALL_SCHEMA,
    });
    const { code, stdout, stderr } = await cli(DRY, { cwd: folder.path });
    const strips = Boolean((process.features as { typescript?: unknown }).typescript);
    expect(code).toBe(strips ? 0 : 2);
    expect(strips ? stdout : stderr).toContain(
      strips ? "would create gen/types.ts" : "cannot load TypeScript without help",
    );
    if (!strips) expect(stderr).toContain("Name it .mjs");
  });
});
