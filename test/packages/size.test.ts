import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentation } from "../support/documentation.js";
import { bytesOf, installedSize } from "../support/installed-size.js";
import { pack, type Packed, root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

/** Packages of the official SDK for both sides, which the runtime covers, too. */
const SDK = ["@modelcontextprotocol/client", "@modelcontextprotocol/server"];

const compilers = ["typescript", "typescript-6", "typescript-5.9"];
const revisions = readdirSync(join(root, "generated"))
  .filter((name) => name !== "universal")
  .toSorted();
let folder: string;
let runtime: Packed;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-size-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  runtime = await pack("runtime", folder);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(revisions)("a server on %s", (revision) => {
  let modules: string;

  beforeAll(async () => {
    const own = await pack(`generated/${revision}`, folder);
    const app = join(folder, `app-${revision}`);
    modules = join(app, "node_modules");
    cpSync(join(root, "LICENSE"), join(app, "LICENSE"));
    writeFileSync(join(app, "package.json"), `{ "name": "app", "type": "module" }`);
    const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--no-package-lock"];
    const tarballs = [own.tarball, runtime.tarball];
    await runOrThrow("npm", [...args, ...tarballs], { cwd: app });
  }, 300_000);

  it("installs its package, the runtime, and the few packages that subpaths need", () => {
    expect(readdirSync(join(modules, "@mcp-codegen"))).toEqual([revision, "runtime"]);
    expect(readdirSync(modules)).toEqual(
      expect.arrayContaining(["cross-spawn", "eventsource-parser", "url-template"]),
    );
    for (const name of ["@opentelemetry", "jose", "oauth4webapi", "open"]) {
      expect(readdirSync(modules)).not.toContain(name);
    }
    expect(runtime.files.filter((file) => /\bauth\//.test(file))).toEqual([]);
  });

  it("takes an eighth of the size of the official SDK", () => {
    const [ours, theirs] = [bytesOf(modules), installedSize(SDK, root)];
    console.log(`${revision}: ${ours} bytes installed, ${(theirs / ours).toFixed(1)} times less`);
    expect(ours).toBeLessThan(theirs / 8);
  });

  it.each(revision === revisions.at(-1) ? compilers : compilers.slice(0, 1))(
    "type-checks with %s and runs",
    async (compiler) => {
      const app = join(modules, "..");
      writeFileSync(join(app, "app.ts"), APP.replaceAll("REVISION", revision));
      writeFileSync(
        join(app, "tsconfig.json"),
        JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ["app.ts"] }),
      );
      const tsc = join(root, "node_modules", compiler, "bin/tsc");
      expect((await run(process.execPath, [tsc, "-p", app])).stdout).toBe("");
      const said = await runOrThrow(process.execPath, [join(app, "app.js")]);
      expect(said).toBe("Server RpcError true\n");
    },
    120_000,
  );

  it("has the documentation that editors show", () => {
    const app = join(modules, "../documented.ts");
    writeFileSync(app, DOCUMENTED.replaceAll("REVISION", revision));
    expect(documentation(app)).toEqual([
      "memoryPair: documented",
      "Tools.prototype.add: documented",
      "Client.prototype.callTool: documented",
      "Server.prototype.connect: documented",
      "tool.description: documented",
      "context.progress: documented",
    ]);
  });
});

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
