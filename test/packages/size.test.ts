import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { documentation } from "../support/documentation.js";
import { installedSize } from "../support/installed-size.js";
import { pack, type Packed, root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

/** The official SDK's packages for both sides, which the runtime also covers. */
const SDK = ["@modelcontextprotocol/client", "@modelcontextprotocol/server"];

const revisions = readdirSync(join(root, "generated"))
  .filter((name) => name !== "universal")
  .toSorted();
let folder: string;
let app: string;
let modules: string;
let runtime: Packed;

/** Creates one project for all revisions, because each revision's package depends on the same packages. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-size-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  runtime = await pack("runtime", folder);
  const own = revisions.map((revision) => pack(`generated/${revision}`, folder));
  const tarballs = (await Promise.all(own)).map(({ tarball }) => tarball);
  app = join(folder, "app");
  modules = join(app, "node_modules");
  cpSync(join(root, "LICENSE"), join(app, "LICENSE"));
  writeFileSync(join(app, "package.json"), `{ "name": "app", "type": "module" }`);
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--no-package-lock"];
  await runOrThrow("npm", [...args, ...tarballs, runtime.tarball], { cwd: app });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("revisions install the runtime, and the few packages that its subpaths need", () => {
  expect(readdirSync(join(modules, "@mcp-codegen"))).toEqual([...revisions, "runtime"]);
  expect(readdirSync(modules)).toEqual(
    expect.arrayContaining(["cross-spawn", "eventsource-parser", "url-template"]),
  );
  for (const name of ["@opentelemetry", "jose", "oauth4webapi", "open"]) {
    expect(readdirSync(modules)).not.toContain(name);
  }
  expect(runtime.files.filter((file) => /\bauth\//.test(file))).toEqual([]);
});

it.each(revisions)("%s takes an eighth of the size of the official SDK", (revision) => {
  const ours = installedSize([`@mcp-codegen/${revision}`], app);
  const theirs = installedSize(SDK, root);
  console.log(`${revision}: ${ours} bytes installed, ${(theirs / ours).toFixed(1)} times less`);
  expect(ours).toBeLessThan(theirs / 8);
});

it("modules of the runtime are ASCII: engines keep all others with two bytes per character", () => {
  const dist = join(modules, "@mcp-codegen/runtime/dist");
  const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
  const code = files.filter((file) => file.endsWith(".js"));
  expect(code.length).toBeGreaterThan(0);
  const isAscii = (file: string) => /^[\0-\x7f]*$/.test(readFileSync(join(dist, file), "utf8"));
  expect(code.filter((file) => !isAscii(file))).toEqual([]);
});

it("servers on each revision type-check and run", async () => {
  const files = revisions.map((revision) => {
    writeFileSync(join(app, `on-${revision}.ts`), APP.replaceAll("REVISION", revision));
    return `on-${revision}.ts`;
  });
  writeFileSync(
    join(app, "tsconfig.json"),
    JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  expect((await run(process.execPath, [tsc, "-p", app])).stdout).toBe("");
  for (const file of files) {
    const printed = await runOrThrow(process.execPath, [join(app, file.replace(".ts", ".js"))]);
    expect(printed).toBe("Server RpcError true\n");
  }
}, 120_000);

it("all revisions have the documentation that editors show", () => {
  const files = revisions.map((revision) => {
    const file = join(app, `documented-${revision}.ts`);
    writeFileSync(file, DOCUMENTED.replaceAll("REVISION", revision));
    return file;
  });
  const names = [...DOCUMENTED.matchAll(/^([\w.]+);$/gm)].map(([, name]) => name);
  const expected = names.map((name) => `${name}: documented`);
  expect(documentation(...files)).toEqual(revisions.flatMap(() => expected));
}, 120_000);

const COMPILER_OPTIONS = { strict: true, module: "nodenext", target: "es2022", types: [] };

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

const DOCUMENTED = `
import { memoryPair } from "@mcp-codegen/runtime";
import { Client, Server, type ServerContext, type Tool } from "@mcp-codegen/REVISION";
import { Tools } from "@mcp-codegen/REVISION/features";
declare const tool: Tool;
declare const context: ServerContext;
memoryPair;
Tools.prototype.add;
Client.prototype.callTool;
Server.prototype.connect;
tool.description;
context.progress;
`;
