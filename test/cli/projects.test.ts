import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { TestFolder } from "../output/folder.js";
import { build, root } from "./build.js";
import { cli } from "./cli.js";

beforeAll(build, 120_000);

const PROGRAM = `
import { Client, Server, validators, type CallToolResult } from "./mcp/index.js";
import { memoryPair } from "@mcp-codegen/runtime/memory";

async function main(): Promise<void> {
  const result: CallToolResult = { content: [{ type: "text", text: "Hello" }] };
  const server = new Server(
    { name: "s", version: "1" },
    { "tools/list": () => ({ tools: [] }), "tools/call": () => result },
  );
  const client = new Client({ name: "c", version: "1" });
  const [near, far] = memoryPair();
  await server.connect(far);
  await client.connect(near);
  const { content } = await client.callTool({ name: "greet" });
  console.log(JSON.stringify(content), validators.Implementation({}));
  await client.close();
}
void main();
`;

const TSCONFIG = {
  compilerOptions: {
    module: "nodenext",
    target: "es2022",
    rootDir: "src",
    outDir: "dist",
    strict: true,
    skipLibCheck: true,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
  },
  include: ["src"],
};

function project(type: "commonjs" | "module" | undefined): TestFolder {
  return new TestFolder().put({
    "package.json": JSON.stringify({ name: "app", version: "1.0.0", ...(type && { type }) }),
    "tsconfig.json": JSON.stringify(TSCONFIG),
    "src/index.ts": PROGRAM,
  });
}

function install(folder: TestFolder): void {
  const place = join(folder.path, "node_modules/@mcp-codegen/runtime");
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(join(root, "runtime"), place, "dir");
}

function compileAndRun(folder: TestFolder, compiler: string): string {
  const tsc = join(root, "node_modules", compiler, "bin/tsc");
  const compiled = spawnSync(process.execPath, [tsc, "-p", "."], {
    cwd: folder.path,
    encoding: "utf8",
  });
  expect(compiled.stdout + compiled.stderr).toBe("");
  return execFileSync(process.execPath, ["dist/index.js"], {
    cwd: folder.path,
    encoding: "utf8",
  });
}

const INTO_PROJECT = ["--revision", "2025-06-18", "--out", "src/mcp", "--modules-only"];

describe.each([undefined, "commonjs", "module"] as const)("a project of type %s", (type) => {
  it.each(["typescript-5.9", "typescript-6", "typescript"])(
    "compiles generated modules with %s, and runs",
    async (compiler) => {
      using folder = project(type);
      install(folder);
      const { code, stderr } = await cli(INTO_PROJECT, { cwd: folder.path });
      expect(code, stderr).toBe(0);
      expect(stderr).not.toMatch(/MCG|npm install/);
      const written = folder.list().filter((path) => path.startsWith("src/mcp/"));
      expect(written.filter((path) => !path.endsWith(".ts"))).toEqual([
        "src/mcp/",
        "src/mcp/protocol.json",
      ]);
      expect(compileAndRun(folder, compiler)).toBe('[{"type":"text","text":"Hello"}] false\n');
      expect((await cli([...INTO_PROJECT, "--check"], { cwd: folder.path })).code).toBe(0);
    },
    120_000,
  );
});

it("a package inside a CommonJS project leads to a warning, and elsewhere does not", async () => {
  const args = ["--revision", "2024-11-05", "--out", "src/mcp"];
  using commonjs = project(undefined);
  const warned = await cli(args, { cwd: commonjs.path });
  expect(warned.code).toBe(0);
  expect(warned.stderr).toContain("warning MCG6010: src/mcp is an ES module package inside of");
  expect(warned.stderr).toContain("--modules-only");
  using module = project("module");
  expect((await cli(args, { cwd: module.path })).stderr).not.toContain("MCG6010");
  using workspaces = project(undefined).put({ "package.json": '{ "workspaces": ["src/*"] }' });
  expect((await cli(args, { cwd: workspaces.path })).stderr).not.toContain("MCG6010");
});

it("modules replace a package, whose other files are removed", async () => {
  using folder = project("module").put({ "src/mcp/mine.ts": "export {};\n" });
  const args = ["--revision", "2024-11-05", "--out", "src/mcp"];
  await cli(args, { cwd: folder.path });
  const { code, stdout } = await cli([...args, "--modules-only"], { cwd: folder.path });
  expect(code).toBe(0);
  for (const name of ["README.md", "package.json", "tsconfig.json"]) {
    expect(stdout).toContain(`removed ${join("src/mcp", name)}`);
  }
  expect(folder.list()).toContain("src/mcp/mine.ts");
  const configured = { revisions: ["2024-11-05"], out: "src/mcp", modulesOnly: true };
  folder.put({ "mcp-codegen.config.json": JSON.stringify(configured) });
  expect((await cli([], { cwd: folder.path })).stdout).not.toContain("package.json");
  expect(folder.list()).not.toContain("src/mcp/package.json");
});

it("the package that must be installed is named until it is", async () => {
  using folder = project("module");
  const first = await cli(INTO_PROJECT, { cwd: folder.path });
  expect(first.stderr).toContain("Before it runs: npm install @mcp-codegen/runtime\n");
  install(folder);
  expect((await cli(INTO_PROJECT, { cwd: folder.path })).stderr).not.toContain("npm install");
  const own = await cli([...INTO_PROJECT, "--runtime", "./runtime.js"], { cwd: folder.path });
  expect(own.stderr).not.toContain("npm install");
});
