import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { cli, cliJson } from "./cli.js";
import { SMALL_SCHEMA } from "./small-schema.js";

beforeAll(build, 120_000);

const MAPS = `import type { JSONRPCRequest, Result } from "./schema.js";
export interface FindPlaceRequest extends JSONRPCRequest { method: "maps/find"; params: { name: string } }
export interface FindPlaceResult extends Result { latitude: number; longitude: number }
export type ClientRequest = FindPlaceRequest;
`;
const ID = "com.example/maps";
const FIND = ["extension", "maps.ts", "--id", ID];
const FILES = [
  "README.md",
  "index.ts",
  "messages.ts",
  "package.json",
  "shapes.ts",
  "tsconfig.json",
  "types.ts",
  "validators.ts",
];

describe("extension", () => {
  it("writes the package of an extension of the newest revision", async () => {
    using folder = new TestFolder().put({ "maps.ts": MAPS });
    const { code, json } = await cliJson(FIND, { cwd: folder.path });
    expect(code).toBe(0);
    expect(json).toMatchObject({
      command: "extension",
      mode: "write",
      outputs: [
        {
          revision: "2026-07-28",
          extension: ID,
          folder: join("generated", "maps"),
          files: FILES.map((path) => ({ path, status: "missing" })),
        },
      ],
    });
    expect(folder.read("generated/maps/messages.ts")).toContain('customRequest("maps/find", {');
  }, 60_000);

  it("writes the package of a bundled extension", async () => {
    using folder = new TestFolder();
    const { code, stdout } = await cli(["extension", "tasks"], { cwd: folder.path });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "generated/tasks  8 created\n" });
    const text = folder.read("generated/tasks/messages.ts");
    expect(text).toContain(
      "from the schema of io.modelcontextprotocol/tasks, which extends 2026-07-28 ",
    );
    expect(text).toContain("\n// Regenerate: npx mcp-codegen extension tasks\n");
    const check = await cli(["extension", "tasks", "--check"], { cwd: folder.path });
    expect(check.code).toBe(0);
    for (const option of ["--id", "--facts", "--revision"]) {
      const refused = await cli(["extension", "tasks", option, "x"], { cwd: folder.path });
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`extension tasks does not accept ${option}.`);
    }
  }, 60_000);

  it("writes to the given folder and extends the given revision or schema", async () => {
    using folder = new TestFolder().put({ "maps.ts": MAPS, "my.ts": SMALL_SCHEMA });
    const older = [...FIND, "--revision", "2025-06-18", "--out", "src/maps"];
    expect(await cli(older, { cwd: folder.path })).toMatchObject({
      code: 0,
      stdout: "src/maps  8 created\n",
    });
    expect(folder.read("src/maps/types.ts")).toContain('from "@mcp-codegen/2025-06-18/types"');
    const own = [...FIND, "--revision", "my.ts", "--runtime", "./runtime.js"];
    const { code, stderr } = await cli(own, { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(folder.read("generated/maps/types.ts")).toContain('from "@mcp-codegen/my/types"');
    expect(folder.read("generated/maps/messages.ts")).toContain('from "./runtime.js"');
  }, 60_000);

  it("accepts facts, and names them in the command that regenerates the package", async () => {
    const evidence = { reason: "It is asked.", source: "https://example.com/" };
    using folder = new TestFolder().put({
      "maps.ts": MAPS.replace(/^export type ClientRequest.*\n/m, ""),
      "maps.json": JSON.stringify({
        revision: ID,
        directions: [{ method: "maps/find", from: "client", ...evidence }],
      }),
    });
    const without = await cli(FIND, { cwd: folder.path });
    expect(without.code).toBe(3);
    expect(without.stderr).toContain(
      "Neither a union nor a fact states who sends FindPlaceRequest",
    );
    expect(folder.list()).toEqual(["maps.json", "maps.ts"]);
    const { code, stderr } = await cli([...FIND, "--facts", "maps.json"], { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(folder.read("generated/maps/types.ts")).toContain(
      `// Regenerate: npx mcp-codegen extension maps.ts --facts maps.json --id ${ID} --revision 2026-07-28\n`,
    );
  }, 60_000);

  it("is compared by --check and listed by --dry-run", async () => {
    using folder = new TestFolder().put({ "maps.ts": MAPS });
    const { stdout } = await cli([...FIND, "--dry-run"], { cwd: folder.path });
    expect(stdout.split("\n")[1]).toMatch(/^would create generated.maps.index\.ts \(/);
    expect(folder.list()).toEqual(["maps.ts"]);
    await cli(FIND, { cwd: folder.path });
    expect((await cli([...FIND, "--check"], { cwd: folder.path })).code).toBe(0);
    folder.put({ "maps.ts": MAPS.replace("longitude", "longitudes") });
    const stale = await cli([...FIND, "--check"], { cwd: folder.path });
    expect(stale.code).toBe(1);
    expect(stale.stdout).toContain(`changed ${join("generated", "maps", "types.ts")}`);
    expect(stale.stdout).toContain("+  longitudes: number;");
  }, 60_000);

  it.each([
    [["extension"], "extension needs <schema>."],
    [["extension", "maps.ts"], "extension needs --id."],
    [["extension", "skils"], 'Did you mean "skills"?'],
    [["extension", "maps.ts", "--id", "maps"], '"maps" cannot be the id of an extension'],
    [[...FIND, "--revision", "2025-11-2"], 'There is no bundled revision "2025-11-2".'],
    [[...FIND, "--check", "--watch"], "--check and --watch cannot be combined."],
    [[...FIND, "--universal"], "--universal"],
  ])("rejects %j", async (args, expected) => {
    using folder = new TestFolder().put({ "maps.ts": MAPS });
    const { code, stderr } = await cli(args, { cwd: folder.path });
    expect(stderr).toContain(expected);
    expect(code).toBe(2);
    expect(folder.list()).toEqual(["maps.ts"]);
  });

  it("names the place of an error in the schema", async () => {
    using folder = new TestFolder().put({ "maps.ts": MAPS.replace("Result }", "Outcome }") });
    const { code, stderr } = await cli(FIND, { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toMatch(/^maps\.ts:1:31 - error MCG2017: .*does not declare `Outcome`/m);
  });

  it("reports a missing schema", async () => {
    using folder = new TestFolder();
    const { code, stderr } = await cli(FIND, { cwd: folder.path });
    expect(code).toBe(3);
    expect(stderr).toContain("maps.ts");
  });
});

const config = (members: object) => ({ "app/mcp-codegen.config.json": JSON.stringify(members) });

describe("extensions in the configuration", () => {
  const extension = { id: ID, schema: "../maps.ts" };

  it("are generated beside the revisions", async () => {
    const members = { revisions: ["2026-07-28"], extensions: [extension], out: "mcp" };
    using folder = new TestFolder().put({ "maps.ts": MAPS, ...config(members) });
    const args = ["--config", "app/mcp-codegen.config.json"];
    const { code, stdout, stderr } = await cli(args, { cwd: folder.path });
    expect(code, stderr).toBe(0);
    expect(stdout).toBe("app/mcp/2026-07-28  14 created\napp/mcp/maps  8 created\n");
    expect((await cli([...args, "--check"], { cwd: folder.path })).code).toBe(0);
    folder.put({ "app/mcp/maps/index.ts": "// Generated by mcp-codegen from x\n" });
    expect((await cli([...args, "--check"], { cwd: folder.path })).code).toBe(1);
  }, 60_000);

  it("can be generated alone, each with its own folder and revision", async () => {
    const older = { ...extension, id: "com.example/old", revision: "2025-11-25", out: "old" };
    const members = { extensions: [extension, older] };
    using folder = new TestFolder().put({ "maps.ts": MAPS, ...config(members) });
    const { code, stdout, stderr } = await cli(["--config", "app/mcp-codegen.config.json"], {
      cwd: folder.path,
    });
    expect(code, stderr).toBe(0);
    expect(stdout).toBe("generated/maps  8 created\napp/old  8 created\n");
  }, 60_000);

  it("are skipped if the command line says what to generate", async () => {
    using folder = new TestFolder().put({
      "maps.ts": MAPS,
      "mcp-codegen.config.json": JSON.stringify({ extensions: [{ id: ID, schema: "maps.ts" }] }),
    });
    const { stdout } = await cli(["--revision", "2024-11-05"], { cwd: folder.path });
    expect(stdout).toMatch(/^generated.2024-11-05 {2}\d+ created\n$/);
  }, 60_000);

  it.each([
    [{ extensions: {} }, '"extensions" must be an array of { id, schema'],
    [{ extensions: [{ id: ID }] }, '"extensions" must be an array of { id, schema'],
    [{ extensions: [{ ...extension, colour: "red" }] }, '"extensions" must be an array of'],
    [{ extensions: [{ ...extension, id: "maps" }] }, '"maps" cannot be the id of an extension'],
    [{ extensions: [extension, extension] }, "Two packages would be generated into"],
    [
      { revisions: ["2026-07-28"], out: "x", extensions: [{ ...extension, out: "x/2026-07-28" }] },
      "Two packages would be generated into",
    ],
  ])("are rejected: %j", async (members, expected) => {
    using folder = new TestFolder().put({ "maps.ts": MAPS, ...config(members) });
    const before = folder.list();
    const { code, stderr } = await cli(["--config", "app/mcp-codegen.config.json"], {
      cwd: folder.path,
    });
    expect(stderr).toContain(expected);
    expect(code).toBe(2);
    expect(folder.list()).toEqual(before);
  });
});
