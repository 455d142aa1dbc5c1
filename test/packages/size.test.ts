import {
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pack, root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

/** Bytes that a server on one revision may take when it is installed: its package and the runtime. */
const LIMIT = 560_000;

/** What a file takes where space is given out in pieces of this size, as on most disks. */
const BLOCK = 4096;

const tsc = join(root, "node_modules/typescript/bin/tsc");
const revisions = readdirSync(join(root, "generated")).toSorted();
let folder: string;
let runtime: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-size-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  runtime = await published("runtime");
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(revisions)("a server on %s", (revision) => {
  let modules: string;

  beforeAll(async () => {
    const own = await published(`generated/${revision}`);
    const app = join(folder, `app-${revision}`);
    modules = join(app, "node_modules");
    cpSync(join(root, "LICENSE"), join(app, "LICENSE"));
    writeFileSync(join(app, "package.json"), `{ "name": "app", "type": "module" }`);
    const args = ["install", "--offline", "--no-audit", "--no-fund", "--no-package-lock"];
    await runOrThrow("npm", [...args, own, runtime], { cwd: app });
  }, 300_000);

  it("installs as two packages", () => {
    const installed = readdirSync(modules).filter((name) => !name.startsWith("."));
    expect(installed).toEqual(["@mcp-codegen"]);
    expect(readdirSync(join(modules, "@mcp-codegen"))).toEqual([revision, "runtime"]);
  });

  it(`takes less than ${LIMIT / 1000} kB`, () => {
    const sizes = readdirSync(join(modules, "@mcp-codegen"), {
      recursive: true,
      withFileTypes: true,
    })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
    const blocks = sum(sizes.map((size) => Math.ceil(size / BLOCK) * BLOCK));
    console.log(`${revision}: ${sum(sizes)} bytes, ${blocks} in blocks, ${sizes.length} files`);
    expect(sum(sizes)).toBeLessThan(LIMIT);
  });

  it("type-checks and runs", async () => {
    const app = join(modules, "..");
    writeFileSync(join(app, "app.ts"), APP.replaceAll("REVISION", revision));
    const compilerOptions = { strict: true, module: "nodenext", target: "es2022", types: [] };
    writeFileSync(
      join(app, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["app.ts"] }),
    );
    expect((await run(process.execPath, [tsc, "-p", app])).stdout).toBe("");
    const said = await runOrThrow(process.execPath, [join(app, "app.js")]);
    expect(said).toBe("Server RpcError true\n");
  }, 120_000);
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Packs a package as it is published: compiled and compacted, in a place of its own. */
async function published(path: string): Promise<string> {
  const source = join(root, path);
  const copy = join(folder, path);
  for (const name of readdirSync(source)) {
    if (/\.(?:json|md)$|^LICENSE$/.test(name)) cpSync(join(source, name), join(copy, name));
  }
  const compiled = [tsc, "-p", source, "--outDir", join(copy, "dist")];
  await runOrThrow(process.execPath, compiled);
  await runOrThrow(process.execPath, [join(root, ".ci/compact/compact.mjs"), copy]);
  return (await pack(relative(root, copy), folder)).tarball;
}

const APP = `
import { Server, type Handlers, validators } from "@mcp-codegen/REVISION";
import { Tools } from "@mcp-codegen/REVISION/features";
import { RpcError } from "@mcp-codegen/runtime";
declare const console: { log(...values: unknown[]): void };
const handlers: Handlers = {};
const tools = new Tools({ schemas: "unchecked" });
const server = new Server({ name: "app", version: "1" }, handlers, { features: [tools] });
const isTool = validators.Implementation({ name: "app", version: "1" });
console.log(server.constructor.name, new RpcError(1, "x").constructor.name, isTool);
`;
