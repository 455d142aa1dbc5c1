import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../generator/config/load-config.js";
import { Diagnostics } from "../../generator/diagnostics.js";
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

  it("has lower priority than command-line options, one by one", async () => {
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
    ['{ "all": true, "schema": "x.ts" }', "--all and --schema cannot be combined."],
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

  it("ends with 2 if there are two", async () => {
    using folder = new TestFolder().put({
      "mcp-codegen.config.json": "{}",
      "mcp-codegen.config.mjs": "export default {};",
    });
    const { code, stderr } = await cli([], { cwd: folder.path });
    expect(code).toBe(2);
    expect(stderr).toContain("mcp-codegen.config.mjs, mcp-codegen.config.json");
  });

  it("is loaded from TypeScript if Node strips types, and rejected with advice otherwise", async () => {
    using folder = new TestFolder().put({
      "mcp-codegen.config.ts": `export default ${JSON.stringify(SMALL)} as object;`,
      "s.ts": SMALL_SCHEMA,
    });
    const { code, stdout, stderr } = await cli(DRY, { cwd: folder.path });
    const strips = Boolean((process.features as { typescript?: unknown }).typescript);
    expect(code).toBe(strips ? 0 : 2);
    expect(strips ? stdout : stderr).toContain(
      strips ? "would create gen/types.ts" : "cannot load TypeScript; Node 22.18",
    );
    if (!strips) expect(stderr).toContain("Name it .mjs");
  });
});

describe("a configuration that misbehaves", () => {
  it.each([
    ["a byte order mark", "c.json", `\ufeff${JSON.stringify(SMALL)}`],
    [
      "a null byte in a path",
      "c.json",
      JSON.stringify({ ...SMALL, schema: "a\0b.ts" }),
      '"schema" must be a path.',
    ],
    [
      "a getter that throws",
      "c.mjs",
      'export default { get all() { throw new Error("no!") } };',
      "no!",
    ],
    [
      "a trap that throws",
      "c.mjs",
      'export default new Proxy({}, { ownKeys() { throw "no!" } });',
      "no!",
    ],
    [
      "an error that cannot be shown",
      "c.mjs",
      "throw { toString() { throw 1 } };",
      "cannot be shown",
    ],
    [
      "an extension with a getter",
      "c.mjs",
      'export default { extensions: [{ get id() { throw new Error("no!") } }] };',
      "no!",
    ],
    ["a proxy", "c.mjs", "export default new Proxy({ all: true }, {});", "cannot be loaded"],
    ["a module that does not exist", "c.mjs", 'import "./gone.mjs";', "gone.mjs"],
  ])("ends with 2, or works, with %s", async (_, file, text, message?: string) => {
    using folder = new TestFolder().put({ [file]: text, "s.ts": SMALL_SCHEMA });
    const { code, stderr } = await cli([...DRY, "--config", file], { cwd: folder.path });
    expect(code, stderr).toBe(message === undefined ? 0 : 2);
    if (message !== undefined) expect(stderr).toContain("MCG0003");
    expect(stderr).toContain(message ?? "");
  });

  it("is abandoned if its module never settles", async () => {
    using folder = new TestFolder().put({ "c.mjs": "await new Promise(() => {});" });
    const diagnostics = new Diagnostics();
    expect(await loadConfig(join(folder.path, "c.mjs"), diagnostics, 50)).toBeUndefined();
    expect(diagnostics.items).toMatchObject([
      { code: "MCG0003", message: expect.stringContaining("did not load within 0.05 s") },
    ]);
  });
});

it("absolute paths of a configuration stay unchanged", async () => {
  using folder = new TestFolder().put({
    "src/s.ts": SMALL_SCHEMA,
    "src/f.json": '{ "revision": "draft" }',
  });
  using other = new TestFolder();
  const at = (path: string) => join(folder.path, path);
  const config = {
    schema: at("src/s.ts"),
    facts: at("src/f.json"),
    revisions: ["draft"],
    out: at("out"),
    extensions: [
      {
        id: "com.example/x",
        schema: at("x.ts"),
        revision: at("src/s.ts"),
        facts: at("fx.json"),
        out: at("ext"),
      },
    ],
  };
  folder.put({
    "x.ts":
      'import type { Request } from "./s.js";\nexport interface XRequest extends Request { method: "x/y" }\nexport interface XResult {}\nexport type ClientRequest = XRequest;\n',
    "fx.json": '{ "revision": "com.example/x" }',
  });
  other.put({ "deep/c.json": JSON.stringify(config) });
  const { code, stderr } = await cli(["--config", "deep/c.json"], { cwd: other.path });
  expect(code, stderr).toBe(0);
  expect(folder.list()).toContain("out/draft/types.ts");
  expect(folder.list()).toContain("ext/types.ts");
  expect(other.list()).toEqual(["deep/", "deep/c.json"]);
});
