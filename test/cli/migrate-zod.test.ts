import * as ours from "@mcp-codegen/sdk/types.js";
import * as theirs from "@modelcontextprotocol/sdk/types.js";
import { beforeAll, describe, expect, it } from "vitest";
import { SCHEMA_MEMBERS } from "../../generator/migrate/missing-schema-members.js";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { cli, cliJson } from "./cli.js";

beforeAll(build, 120_000);

/** Returns the names of all members of an object, including inherited ones. */
function membersOf(one: object): string[] {
  const names = new Set<string>();
  for (let at = one; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names];
}

/** Schema constants of each kind, ours and the SDK's: an object, literals, a union and a text. */
const KINDS = [
  ["ToolSchema", ours.ToolSchema, theirs.ToolSchema],
  ["LoggingLevelSchema", ours.LoggingLevelSchema, theirs.LoggingLevelSchema],
  ["ContentBlockSchema", ours.ContentBlockSchema, theirs.ContentBlockSchema],
  ["CursorSchema", ours.CursorSchema, theirs.CursorSchema],
] as const;

interface Warning {
  readonly code: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** Returns the warnings about members that a migration of the source produces. */
async function warnings(lines: readonly string[]): Promise<Warning[]> {
  using folder = new TestFolder().put({ "package.json": "{}", "a.ts": lines.join("\n") });
  const { json } = await cliJson(["migrate", "."], { cwd: folder.path });
  return (json["diagnostics"] as Warning[]).filter(({ code }) => code === "MCG8004");
}

describe("members of zod's schemas, on schema constants of the SDK", () => {
  const module = '"@modelcontextprotocol/sdk/types.js"';

  it("are reported for all that the constants lack", async () => {
    const uses = KINDS.flatMap(([name, own, official]) =>
      membersOf(official)
        .filter((member) => /^\w+$/.test(member))
        .map((member) => ({ text: `${name}.${member};`, member, isLacking: !(member in own) })),
    );
    const names = KINDS.map(([name]) => name).join(", ");
    const found = await warnings([
      `import { ${names} } from ${module};`,
      ...uses.map(({ text }) => text),
    ]);
    const reported = found.map(({ line }) => uses[line! - 2]!);
    const lacking = uses.filter(({ isLacking }) => isLacking);
    expect(lacking.length).toBeGreaterThan(150);
    expect(lacking.filter((use) => !reported.includes(use))).toEqual([]);
    expect(reported.filter(({ member }) => SCHEMA_MEMBERS.has(member))).toEqual([]);
  });

  it("are those that no constant has", () => {
    for (const [name, own] of KINDS)
      for (const member of membersOf(own).filter((one) => /^[a-z]+$/i.test(one)))
        expect([...SCHEMA_MEMBERS, "constructor"], name).toContain(member);
  });

  it("are reported however the constant is named", async () => {
    const found = await warnings([
      `import * as types from ${module};`,
      `import { ToolSchema as T, RoleSchema as Own } from ${module};`,
      `const { TextContentSchema: Text } = require(${module});`,
      "types.ResourceSchema.pick({ uri: true });",
      "T.omit({ name: true }); T.safeParse({}); types.ResourceSchema.shape.uri;",
      "Own.or(Text);",
      "Text.merge(other);",
      "T.extend({}).strict();",
      "const Loose = T.extend({}); Loose.passthrough(); Loose.parse({});",
      "OwnSchema.pick({}); z.object({}).strict(); [ToolSchema].pick;",
      "",
    ]);
    expect(found.map(({ line }) => line)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(found[0]!.message).toMatch(/^pick is a member of zod's schemas/);
  });
});

/** Creates the manifest of a package that uses the SDK. */
const manifest = (more: object = {}) =>
  JSON.stringify({ dependencies: { "@modelcontextprotocol/sdk": "1" }, ...more });

describe("zod that came with the SDK", () => {
  const source = 'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n';
  const installed = { "node_modules/zod/package.json": '{ "version": "4.0.17" }' };

  it.each([
    ['import * as z from "zod";', installed, "^4.0.17"],
    ['import { z } from "zod/v3";', {}, "^3.25.0 || ^4.0.0"],
    [
      "const { z } = require('zod');",
      { "node_modules/zod/package.json": "[" },
      "^3.25.0 || ^4.0.0",
    ],
  ])("becomes a dependency: %s", async (line, files, range) => {
    using folder = new TestFolder().put({
      "package.json": manifest(),
      "server.ts": source,
      "schemas.ts": `${line}\n`,
      ...files,
    });
    const { stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect(stderr).toMatch(/package\.json.* MCG8011: zod /);
    const { dependencies } = JSON.parse(folder.read("package.json")) as { dependencies: object };
    expect(dependencies).toMatchObject({ zod: range });
    expect(Object.keys(dependencies)).toEqual(["@mcp-codegen/sdk", "zod"]);
    const again = await cli(["migrate", "."], { cwd: folder.path });
    expect(again.stderr).not.toContain("MCG8011");
    expect(again.stderr).toContain("Nothing to change");
  });

  it("is added beside our package, where that is not a peer", async () => {
    const sdk = { "@modelcontextprotocol/server": "2" };
    using folder = new TestFolder().put({
      "package.json": JSON.stringify({
        peerDependencies: sdk,
        devDependencies: { a: "1", ...sdk },
      }),
      "a.ts": 'import "@modelcontextprotocol/server";\nimport { z } from "zod";\n',
    });
    await cli(["migrate", "."], { cwd: folder.path });
    const { peerDependencies, devDependencies } = JSON.parse(folder.read("package.json")) as Record<
      string,
      object
    >;
    expect(Object.keys(peerDependencies!)).toEqual(["@mcp-codegen/sdk"]);
    expect(Object.keys(devDependencies!)).toEqual(["a", "@mcp-codegen/sdk", "zod"]);
  });

  it.each([
    ["this manifest names it", { peerDependencies: { zod: "4" } }, {}, 'import "zod";'],
    ["one above names it", {}, { dependencies: { zod: "4" } }, 'import "zod";'],
    ["no source imports it", {}, {}, 'import "zod-to-json-schema";\n// import "zod";'],
  ])("is not added if %s", async (_, inner, outer, line) => {
    using folder = new TestFolder().put({
      "package.json": JSON.stringify({ private: true, ...outer }),
      "p/package.json": manifest(inner),
      "p/a.ts": `${source}${line}\n`,
    });
    const { stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect(stderr).not.toContain("MCG8011");
  });
});
