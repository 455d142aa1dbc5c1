import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

const tsc = join(root, "node_modules/typescript/bin/tsc");

/** Entry points for the web, which must compile without Node's types. */
const WEB = [
  "index",
  "codegen",
  "codegen/session-client",
  "codegen/session-server",
  "codegen/stateless-client",
  "codegen/stateless-server",
  "memory/index",
  "http/server/index",
  "http/mounts/hono",
  "http/client/index",
  "facade/server/index",
  "facade/cache/index",
  "features/index",
  "json-schema/index",
  "features/uri-template/index",
  "tasks/index",
];

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-declarations-"));
  const emit = ["--declaration", "--emitDeclarationOnly", "--outDir"];
  mkdirSync(join(folder, "dist"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const [project, out] of [
    ["runtime", "dist"],
    ["runtime/auth", "dist/auth"],
  ] as const) {
    const args = [tsc, "-p", join(root, project), ...emit, join(folder, out)];
    await runOrThrow(process.execPath, args, { cwd: root });
  }
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function check(options: object, files: object): Promise<string> {
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    ...options,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, ...files }));
  const { code, stdout } = await run(process.execPath, [tsc, "-p", folder], { cwd: folder });
  return code === 0 ? "" : stdout;
}

it("all declarations need only ECMAScript and Node", async () => {
  const options = { lib: ["es2022"], types: ["node"] };
  expect(await check(options, { include: ["dist"] })).toBe("");
}, 120_000);

it("those for the web do not need Node", async () => {
  const files = WEB.map((name) => `dist/${name}.d.ts`);
  expect(await check({ lib: ["es2022", "dom"], types: [] }, { files })).toBe("");
}, 120_000);

it("a handler without its adapter is rejected by the types of the platform", async () => {
  const source = `
    import { createServer } from "node:http";
    import express from "express";
    import { Hono } from "hono";
    import type { Authenticate } from "./dist/http/server/requests/authentication.js";
    import type { HttpHandler } from "./dist/http/server/handler.js";
    import { expressRoute } from "./dist/http/mounts/express.js";
    import { honoRoute } from "./dist/http/mounts/hono.js";
    import type { HttpClientOptions } from "./dist/http/client/options.js";
    declare const handler: HttpHandler;
    const app = express();
    // @ts-expect-error
    app.all("/mcp", handler);
    // @ts-expect-error
    app.use(handler);
    // @ts-expect-error
    createServer(handler);
    // @ts-expect-error
    new Hono().all("/mcp", handler);
    app.all("/mcp", expressRoute(handler));
    new Hono().all("/mcp", honoRoute(handler, { auth: () => "anonymous" }));
    // @ts-expect-error
    export const open: Authenticate = () => undefined;
    export const shut: Authenticate = async ({ header }) =>
      header("x") ? { principal: "x" } : { status: 401 };
    export const options: HttpClientOptions[] = [
      { headers: { a: "b" } },
      { headers: new Headers() },
      { headers: [["a", "b"]] },
      { headers: async () => new Map([["a", "b"]]) },
    ];
  `;
  writeFileSync(join(folder, "use.ts"), source);
  const options = { lib: ["es2022"], types: ["node"], skipLibCheck: true };
  expect(await check(options, { files: ["use.ts"] })).toBe("");
}, 120_000);
