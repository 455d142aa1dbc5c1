import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build } from "./build.js";
import { cli, cliJson, whyPrivileged } from "./cli.js";

beforeAll(build, 120_000);

/** A package as it looks when installed: some modules, each with some names. */
const INSTALLED = {
  "node_modules/@mcp-codegen/sdk/package.json": JSON.stringify({
    version: "1.2.3",
    exports: Object.fromEntries(
      ["client", "client/stdio", "server", "server/mcp.js", "server/stdio.js", "types.js"].map(
        (path) => [`./${path}`, { types: "./all.d.ts" }],
      ),
    ),
  }),
  "node_modules/@mcp-codegen/sdk/all.d.ts": `
    export * from "./types.js";
    export declare class McpServer {}
    export declare class Client {}
    export declare class StdioServerTransport {}
  `,
  "node_modules/@mcp-codegen/sdk/types.d.ts": `
    export interface Tool { name: string }
    export declare const ListToolsRequestSchema: object;
  `,
};

const MANIFEST = `{
  "name": "app",
  "files": ["dist"],
  "dependencies": {
    "@modelcontextprotocol/sdk": "^1.29.0",
    "express": "^5.0.0"
  }
}
`;

function project(files: Readonly<Record<string, string>>): TestFolder {
  return new TestFolder().put({ ...INSTALLED, "package.json": MANIFEST, ...files });
}

function commit(folder: TestFolder): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder.path });
  folder.put({ ".gitignore": "node_modules/\nbuilt/\n" });
  git("init", "-q", ".");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "start");
}

/** Returns the text of `a.ts`, or of another file, after a migration. */
async function migrated(text: string, file = "a.ts"): Promise<string> {
  using folder = project({ [file]: text });
  const { code } = await cli(["migrate", "."], { cwd: folder.path });
  expect(code).toBe(0);
  return folder.read(file);
}

describe("imports", () => {
  it.each([
    [
      'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";',
      'import { McpServer } from "@mcp-codegen/sdk/server/mcp.js";',
    ],
    [
      "import type { Tool } from '@modelcontextprotocol/sdk/types.js';",
      "import type { Tool } from '@mcp-codegen/sdk/types.js';",
    ],
    ['import "@modelcontextprotocol/server";', 'import "@mcp-codegen/sdk/server";'],
    [
      'export * from "@modelcontextprotocol/client/stdio";',
      'export * from "@mcp-codegen/sdk/client/stdio";',
    ],
    [
      'export { Client as C } from "@modelcontextprotocol/client";',
      'export { Client as C } from "@mcp-codegen/sdk/client";',
    ],
    [
      'const { Client } = await import("@modelcontextprotocol/client");',
      'const { Client } = await import("@mcp-codegen/sdk/client");',
    ],
    [
      'const sdk = require("@modelcontextprotocol/sdk/types");',
      'const sdk = require("@mcp-codegen/sdk/types.js");',
    ],
    [
      'import types = require("@modelcontextprotocol/sdk/dist/esm/types.js");',
      'import types = require("@mcp-codegen/sdk/types.js");',
    ],
    [
      'vi.mock("@modelcontextprotocol/sdk/server/stdio.js", () => ({}));',
      'vi.mock("@mcp-codegen/sdk/server/stdio.js", () => ({}));',
    ],
    [
      'jest.requireActual("@modelcontextprotocol/sdk/types.js");',
      'jest.requireActual("@mcp-codegen/sdk/types.js");',
    ],
    [
      'type T = import("@modelcontextprotocol/sdk/types.js").Tool;',
      'type T = import("@mcp-codegen/sdk/types.js").Tool;',
    ],
    [
      'declare module "@modelcontextprotocol/server" { interface Extra {} }',
      'declare module "@mcp-codegen/sdk/server" { interface Extra {} }',
    ],
  ])("changes %s", async (before, after) => {
    expect(await migrated(`${before}\n`)).toBe(`${after}\n`);
  });

  it.each(["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"])("in .%s", async (extension) => {
    const text = 'import { Client } from "@modelcontextprotocol/client";\n';
    expect(await migrated(text, `src/deep/a.${extension}`)).toContain("@mcp-codegen/sdk/client");
  });

  it("changes types in comments of JavaScript", async () => {
    const text = '/**\n * @param {import("@modelcontextprotocol/sdk/types.js").Tool} tool\n */\n';
    expect(await migrated(text, "a.js")).toBe(
      '/**\n * @param {import("@mcp-codegen/sdk/types.js").Tool} tool\n */\n',
    );
  });

  it("keeps every other byte: line ends, a byte order mark, odd spaces", async () => {
    const text = '\uFEFFimport {Client}   from "@modelcontextprotocol/client" ;\r\n\r\n\tlet x\r\n';
    expect(await migrated(text)).toBe(text.replace("@modelcontextprotocol", "@mcp-codegen/sdk"));
  });

  it("leaves packages that do not belong to the SDK, and words", async () => {
    const text =
      'import { Inspector } from "@modelcontextprotocol/inspector";\n// @modelcontextprotocol/sdk\n';
    expect(await migrated(text)).toBe(text);
  });

  it("ignores dependencies, builds and what git ignores", async () => {
    const text = 'import "@modelcontextprotocol/server";\n';
    const places = ["node_modules/x/a.js", "dist/a.js", "out/a.js", "built/a.js", ".cache/a.js"];
    using folder = project({
      ...Object.fromEntries(places.map((place) => [place, text])),
      "tsconfig.json": '{ "compilerOptions": { "outDir": "out", "module": "nodenext" } }',
      "a.ts": text,
    });
    commit(folder);
    expect((await cli(["migrate", "."], { cwd: folder.path })).code).toBe(0);
    expect(folder.read("a.ts")).not.toBe(text);
    for (const place of places) expect(folder.read(place)).toBe(text);
  });
});

describe("dependencies", () => {
  const source = 'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n';

  it("replaces the SDK's packages, and keeps the form of the rest", async () => {
    using folder = project({ "a.ts": source });
    await cli(["migrate", "."], { cwd: folder.path });
    expect(folder.read("package.json")).toBe(
      MANIFEST.replace('modelcontextprotocol/sdk": "^1.29.0"', 'mcp-codegen/sdk": "^1.2.3"'),
    );
  });

  it("keeps a package that a source, a script or another dependency still needs", async () => {
    const manifest = {
      scripts: { mock: "node node_modules/@modelcontextprotocol/node/x.js" },
      dependencies: {
        "@modelcontextprotocol/sdk": "1",
        "@modelcontextprotocol/node": "2",
        "@modelcontextprotocol/core": "2",
        "@modelcontextprotocol/client": "2",
        plugin: "1",
      },
    };
    using folder = project({
      "a.ts": `${source}import "@modelcontextprotocol/sdk/client/websocket.js";\n`,
      "node_modules/plugin/package.json": JSON.stringify({
        peerDependencies: { "@modelcontextprotocol/client": "2" },
      }),
      "package.json": JSON.stringify(manifest, null, 4),
    });
    const { stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect(JSON.parse(folder.read("package.json"))).toEqual({
      ...manifest,
      dependencies: {
        "@mcp-codegen/sdk": "^1.2.3",
        "@modelcontextprotocol/sdk": "1",
        "@modelcontextprotocol/node": "2",
        "@modelcontextprotocol/client": "2",
        plugin: "1",
      },
    });
    expect(stderr).toContain("plugin requires it as a peer");
  });

  it("adds our packages to each section that names the SDK, in each package of a workspace", async () => {
    const peers = { "@modelcontextprotocol/server": "^2.0.0" };
    using folder = project({
      "package.json": '{ "private": true, "workspaces": ["p", "q"] }\n',
      "p/package.json": JSON.stringify({ peerDependencies: peers, devDependencies: peers }),
      "p/src/a.ts": 'import "@modelcontextprotocol/server";\n',
      "q/package.json": "{}",
      "q/a.ts": 'import "@modelcontextprotocol/server";\n',
    });
    await cli(["migrate", "."], { cwd: folder.path });
    const ours = { "@mcp-codegen/sdk": "^1.2.3" };
    const read = (path: string) => JSON.parse(folder.read(path)) as object;
    expect(read("package.json")).toEqual({ private: true, workspaces: ["p", "q"] });
    expect(read("p/package.json")).toEqual({ peerDependencies: ours, devDependencies: ours });
    expect(read("q/package.json")).toEqual({ dependencies: ours });
  });
});

describe("a command line that runs from a clone", () => {
  const source = 'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n';

  it("depends on archives in vendor/, and keeps the range of peers", async () => {
    using folder = project({
      "package.json": JSON.stringify({ overrides: { a: "1" }, workspaces: ["p"] }),
      "p/package.json": JSON.stringify({
        peerDependencies: { "@modelcontextprotocol/server": "^2.0.0" },
      }),
      "p/a.ts": source,
    });
    const options = { cwd: folder.path, fromClone: true };
    const { json } = await cliJson(["migrate", ".", "--dry-run"], options);
    const files = json["files"] as { path: string; diff: string }[];
    const added = (path: string) =>
      files.find((one) => one.path === path)!.diff.match(/(?<=^\+.*)"[^"]*": "[^"]*"/gm);
    expect(added("p/package.json")).toEqual([
      expect.stringMatching(/^"@mcp-codegen\/sdk": "\^/),
      expect.stringMatching(/^"@mcp-codegen\/sdk": "file:\.\.\/vendor\/mcp-codegen-sdk-.+\.tgz"$/),
    ]);
    const others = added("package.json")!.join(" ");
    expect(others).toMatch(/"a": "1".*"@mcp-codegen\/runtime": "file:vendor\/mcp-codegen-runtime-/);
    expect([others.includes("/sdk"), json["vendored"]]).toEqual([false, "vendor"]);
  });

  it("packs no archives for a project that does not use the SDK", async () => {
    using folder = project({ "a.ts": "export {};\n" });
    const { json } = await cliJson(["migrate", "."], { cwd: folder.path, fromClone: true });
    expect([json["files"], json["vendored"]]).toEqual([[], undefined]);
    expect(folder.list()).not.toContain("vendor/");
  });
});

describe("code that migrate cannot change", () => {
  it("is reported with its place and a hint", async () => {
    using folder = project({
      "a.ts": [
        'import { Client, Missing } from "@modelcontextprotocol/client";',
        'import * as types from "@modelcontextprotocol/sdk/types.js";',
        'import "@modelcontextprotocol/sdk/client/websocket.js";',
        'const alias = { find: "@modelcontextprotocol/client" };',
        "console.log(types.Gone, types.ListToolsRequestSchema, alias, Client, Missing);",
        'console.log(server["_serverVersion"], server.server._responseHandlers);',
        "server.experimental.tasks.registerToolTask(1); transport.resumeStream('1');",
        "",
      ].join("\n"),
      "tsconfig.json":
        '{ "compilerOptions": { "module": "commonjs", "moduleResolution": "node", "paths": { "@modelcontextprotocol/sdk/*": ["./sdk/*"], "@modelcontextprotocol/*": ["./all/*"], "x": ["./x"] } } }',
    });
    const { code, json } = await cliJson(["migrate", "."], { cwd: folder.path });
    expect(code).toBe(0);
    const left = json["diagnostics"] as { code: string; line?: number; hint: string }[];
    expect(left.map(({ code: id, line }) => `${id}:${line ?? ""}`)).toEqual([
      "MCG8003:2",
      "MCG8003:6",
      "MCG8001:4",
      "MCG8002:5",
      "MCG8004:7",
      "MCG8004:7",
      "MCG8004:8",
      "MCG8006:",
      "MCG8009:",
      "MCG8009:",
    ]);
    expect(left.every(({ hint }) => hint.length > 10)).toBe(true);
    expect(folder.read("a.ts")).toContain('import "@modelcontextprotocol/sdk/client/websocket.js"');
  });

  it("is reported for a package without sources", async () => {
    const text = 'require("@modelcontextprotocol/sdk/types.js");\n';
    using folder = project({ "dist/a.js": "1;\n", "dist/lib/b.cjs": text, "dist/c.js": text });
    const { code, stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/dist\/c\.js - warning MCG8010: /)]);
    expect(stderr.match(/MCG8010/g)).toHaveLength(1);
    expect(folder.read("dist/lib/b.cjs")).toBe(text);
  });

  it("is reported for members, however they are read", async () => {
    using folder = project({
      "a.ts": [
        'import { Client } from "@modelcontextprotocol/client";',
        "const { resumeStream, close } = transport;",
        "const { resumeStream: own } = flags;",
        'await transport.resumeStream("7"); transport["resumeStream"];',
        "const { _oninitialize: opening } = this.server;",
        "new Server(info, { capabilities, taskStore: store });",
        "new McpServer(info, { taskStore }); new Server(info); new Server;",
        "",
      ].join("\n"),
    });
    const { json } = await cliJson(["migrate", "."], { cwd: folder.path });
    const left = json["diagnostics"] as { code: string; line?: number }[];
    const lines = left.filter(({ code }) => code === "MCG8004").map(({ line }) => line);
    expect(lines).toEqual([2, 4, 4, 5, 6]);
  });

  it("is reported at the same place with and without writing", async () => {
    const text = 'import { Missing } from "@modelcontextprotocol/client"; Missing();\n';
    for (const option of [["--dry-run"], []]) {
      using folder = project({ "a.ts": text });
      const { stderr } = await cli(["migrate", ".", ...option], { cwd: folder.path });
      expect(stderr).toMatch(
        /a\.ts:1:10 - warning MCG8003.*\n.*import \{ Missing \}.*\n *\| {10}\^{7}\n/,
      );
    }
  });

  it.each([
    [
      'import { Client, Missing, StdioServerTransport } from "@modelcontextprotocol/client";\n',
      'import { Client, StdioServerTransport } from "@mcp-codegen/sdk/client";\nimport { Missing } from "@modelcontextprotocol/client";\n',
    ],
    [
      "import {\n  // Kept.\n  Client,\n  type Missing as Other,\n  Gone,\n} from '@modelcontextprotocol/client'\nnext()\n",
      "import {\n  // Kept.\n  Client,\n} from '@mcp-codegen/sdk/client'\nimport { type Missing as Other, Gone } from '@modelcontextprotocol/client'\nnext()\n",
    ],
    [
      'export type { Missing, Gone, Tool } from "@modelcontextprotocol/sdk/types.js";\r\n',
      'export type { Tool } from "@mcp-codegen/sdk/types.js";\r\nexport type { Missing, Gone } from "@modelcontextprotocol/sdk/types.js";\r\n',
    ],
    ...[
      'import { Missing } from "@modelcontextprotocol/client";\n',
      'const { Missing, Gone } = await import("@modelcontextprotocol/client");\n',
      'import * as types from "@modelcontextprotocol/sdk/types.js";\ntypes.Gone();\n',
    ].map((text) => [text, text]),
  ])("keeps imports of names that the package lacks: %j", async (before, after) => {
    using folder = project({ "a.ts": before! });
    const { stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect(folder.read("a.ts")).toBe(after);
    expect(stderr).toContain("stays.");
    if (before!.includes("@modelcontextprotocol/sdk/"))
      expect(folder.read("package.json")).toContain("@modelcontextprotocol/sdk");
  });

  it("is reported as unknown if the package cannot be read", async () => {
    using folder = new TestFolder().put({ "package.json": MANIFEST, "a.ts": "export {};\n" });
    const { code, stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect([code, stderr]).toEqual([0, expect.stringContaining("Nothing to change.")]);
  });
});

describe("safety", () => {
  const source = 'import { Client } from "@modelcontextprotocol/client";\n';

  it("changes nothing in a work tree with uncommitted changes, unless forced", async () => {
    using folder = project({ "a.ts": source });
    commit(folder);
    folder.put({ "b.ts": "" });
    const refused = await cli(["migrate", "."], { cwd: folder.path });
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(/MCG6201.*not committed[\s\S]*--force/);
    expect(folder.read("a.ts")).toBe(source);
    expect((await cli(["migrate", ".", "--dry-run"], { cwd: folder.path })).code).toBe(0);
    expect(folder.read("a.ts")).toBe(source);
    expect((await cli(["migrate", ".", "--force"], { cwd: folder.path })).code).toBe(0);
    expect(folder.read("a.ts")).not.toBe(source);
  });

  it("shows a diff and writes nothing with --dry-run", async () => {
    using folder = project({ "a.ts": source });
    const { stdout, stderr } = await cli(["migrate", ".", "--dry-run"], { cwd: folder.path });
    expect(stdout).toContain(
      '--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-import { Client } from "@modelcontextprotocol/client";\n+import { Client } from "@mcp-codegen/sdk/client";\n',
    );
    expect(stdout).toContain('+    "@mcp-codegen/sdk": "^1.2.3",');
    expect(stderr).toContain("Would change 1 import in 1 file.");
    expect(folder.read("a.ts")).toBe(source);
  });

  it("changes nothing when it runs again", async () => {
    using folder = project({ "a.ts": source });
    await cli(["migrate", "."], { cwd: folder.path });
    const texts = ["a.ts", "package.json"].map((path) => folder.read(path));
    const again = await cli(["migrate", "."], { cwd: folder.path });
    expect([again.code, again.stdout]).toEqual([0, ""]);
    expect(again.stderr).toContain("Nothing to change.");
    expect(["a.ts", "package.json"].map((path) => folder.read(path))).toEqual(texts);
  });

  it("rejects a folder that does not exist, and a file", async () => {
    using folder = project({ "a.ts": source });
    for (const given of ["missing", "a.ts"]) {
      const { code, stderr } = await cli(["migrate", given], { cwd: folder.path });
      expect([code, stderr]).toEqual([3, expect.stringContaining(`There is no folder ${given}.`)]);
    }
    expect((await cli(["migrate"], { cwd: folder.path })).code).toBe(2);
  });

  it("names the file that it cannot write", async (context) => {
    const reason = whyPrivileged();
    if (reason !== undefined) return context.skip(reason);
    using folder = project({ "a.ts": source });
    chmodSync(join(folder.path, "a.ts"), 0o444);
    const options = { cwd: folder.path, unprivileged: true };
    chmodSync(folder.path, 0o755);
    const { code, stderr } = await cli(["migrate", "."], options);
    expect([code, stderr]).toEqual([3, expect.stringMatching(/a\.ts - error MCG6202: .*EACCES/)]);
  });
});

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

describe("files that cannot be changed", () => {
  const source = 'import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";\n';

  it.each([
    ["latin1", Buffer.from(`// caf\u00e9\n${source}`, "latin1")],
    ["utf16le", Buffer.from(`\uFEFF${source}`, "utf16le")],
    ["a truncated sequence", Buffer.concat([Buffer.from(`${source}// `), Buffer.of(0xe2, 0x82)])],
  ])("keeps every byte of a source in %s, and its dependency", async (_, bytes) => {
    using folder = project({ "b.ts": source });
    const file = join(folder.path, "a.ts");
    writeFileSync(file, bytes);
    const { code, stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/a\.ts - warning MCG8007: .*UTF-8/)]);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(folder.read("b.ts")).not.toBe(source);
    expect(folder.read("package.json")).toContain("@modelcontextprotocol/sdk");
  });

  it("keeps every byte of a package.json that is not UTF-8", async () => {
    using folder = project({ "a.ts": source });
    const file = join(folder.path, "package.json");
    const bytes = Buffer.from(MANIFEST.replace('"app"', '"app", "author": "Ren\u00e9"'), "latin1");
    writeFileSync(file, bytes);
    const { code, stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/package\.json - warning MCG8007/)]);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it("reports nothing about files that do not use the SDK", async () => {
    using folder = project({ "b.ts": source });
    writeFileSync(join(folder.path, "a.ts"), Buffer.from("// caf\u00e9\n", "latin1"));
    const { json } = await cliJson(["migrate", "."], { cwd: folder.path });
    expect(json["diagnostics"]).toEqual([]);
  });

  it.each([
    ["brackets", nested(30_000)],
    ["objects", `${"({a:".repeat(30_000)}1${"})".repeat(30_000)}`],
    ["operators", `${"!".repeat(60_000)}1`],
    ["types", `null as unknown as ${"Array<".repeat(30_000)}1${">".repeat(30_000)}`],
    ["branches", `1 ${"? 1 : 1 ".repeat(60_000)}`],
  ])("names a source with deeply nested %s, and migrates the others", async (_, expression) => {
    const deep = `${source}const f = (a = (b) => b) => a;\nconst x = ${expression};\n`;
    const other = `${source}const g = (a = (b) => b) => a;\nconst y = (z) => z;\n`;
    using folder = project({ "a.ts": deep, "b.ts": other });
    const { code, stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/a\.ts - warning MCG8008: .*nested/)]);
    expect(folder.read("a.ts")).toBe(deep);
    expect(folder.read("b.ts")).toBe(other.replace("modelcontextprotocol", "mcp-codegen"));
    expect(folder.read("package.json")).toContain("@modelcontextprotocol/sdk");
  });

  it("skips configurations and manifests that are nested too deeply", async () => {
    const manifest = MANIFEST.replace('"app"', `"app", "x": ${nested(30_000)}`);
    using folder = project({
      "a.ts": source,
      "package.json": manifest,
      "tsconfig.json": `{ "compilerOptions": ${nested(30_000)} }`,
      "other/tsconfig.json": '{ "extends": "../tsconfig.json" }',
    });
    const { code, stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/package\.json - warning MCG8008/)]);
    expect(folder.read("package.json")).toBe(manifest);
    expect(folder.read("a.ts")).not.toBe(source);
  });
});

describe("git", () => {
  const source = 'import { Client } from "@modelcontextprotocol/client";\n';

  it.each([
    ["a filter", "filter.evil.clean"],
    ["a filter process", "filter.evil.process"],
    ["a filter with an odd name", "filter.e=v.i.clean"],
    ["a file monitor", "core.fsmonitor"],
    ["a hook", "core.hooksPath"],
  ])("runs no program that the repository names as %s", async (_, key) => {
    using folder = project({ "a.ts": source });
    commit(folder);
    const [, filter] = /^filter\.(.*)\.\w+$/.exec(key) ?? [];
    const program = join(folder.path, ".git/post-index-change");
    folder.put({
      ".git/info/attributes": filter === undefined ? "" : `*.ts filter=${filter}\n`,
      ".git/post-index-change": "#!/bin/sh\ntouch .git/ran\ncat\n",
    });
    chmodSync(program, 0o755);
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: folder.path, stdio: "ignore" });
    git("config", key, key === "core.hooksPath" ? ".git" : program);
    if (filter !== undefined) git("config", `filter.${filter}.required`, "true");
    const ran = () => existsSync(join(folder.path, ".git/ran"));
    // Changes the modification time, so that git reads the file again.
    const touch = (time: number) => utimesSync(join(folder.path, "a.ts"), time, time);
    touch(1);
    spawnSync("git", ["status"], { cwd: folder.path });
    expect(ran()).toBe(true);
    rmSync(join(folder.path, ".git/ran"));
    touch(2);
    const { code, stderr } = await cli(["migrate", "."], { cwd: folder.path });
    expect([code, stderr, ran()]).toEqual([0, expect.stringContaining("Changed 1 import"), false]);
  });
});
