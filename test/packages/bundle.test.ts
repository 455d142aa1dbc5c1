import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { connect } from "@mcp-codegen/universal";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../support/pack.js";
import vitestConfig from "../vitest.config.js";

const revisions = readdirSync(join(root, "generated"))
  .filter((name) => name !== "universal")
  .toSorted();
const newest = revisions.at(-1)!;

/**
 * Bytes, compressed: the sizes of today and a little. Of that, the engine with stdio is 17 kB, the facade 18, JSON Schema
 * 14, and the methods of a revision with their validators are 7 to 20.
 */
const CEILINGS = { pinned: 35_000, one: 54_000, all: 90_000, client: 93_000 };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-bundle-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Alias {
  readonly find: RegExp;
  readonly replacement: string;
}

function sourceOf(id: string): string | undefined {
  const aliases = vitestConfig.resolve?.alias as readonly Alias[];
  const alias = aliases.find(({ find }) => find.test(id));
  return alias && id.replace(alias.find, alias.replacement);
}

interface Bundle {
  readonly file: string;
  readonly code: string;
  /** Bytes, compressed. */
  readonly size: number;
}

/** A program as one file, minified, without anything that it does not use. */
async function bundle(name: string, program: string): Promise<Bundle> {
  const input = join(folder, `${name}.js`);
  const file = join(folder, `${name}.min.mjs`);
  writeFileSync(input, program);
  const build = await rolldown({
    input,
    platform: "node",
    tsconfig: false,
    resolve: {
      extensionAlias: { ".js": [".ts", ".js"] },
      modules: [join(root, "node_modules")],
    },
    plugins: [{ name: "sources", resolveId: (id) => sourceOf(id) }],
    logLevel: "silent",
  });
  const format = { format: "esm", minify: true, comments: false, codeSplitting: false } as const;
  const { output } = await build.write({ file, ...format });
  await build.close();
  const { code } = output[0];
  const size = gzipSync(code).length;
  console.log(`${name}: ${size} bytes gzip, ${code.length} bytes`);
  return { file, code, size };
}

const idsIn = (code: string): string[] => revisions.filter((id) => code.includes(id));

/** What a bundled server says to a client that comes over stdio. */
async function ask({ file }: Bundle): Promise<unknown> {
  const client = await connect({ command: process.execPath, args: [file] });
  try {
    const { content } = await client.callTool("roll");
    return { revision: client.revision, content };
  } finally {
    await client.close();
  }
}

const answer = (revision: string) => ({ revision, content: [{ type: "text", text: "4" }] });

it("a stdio server on one revision's own package fits into 35 kB: the engine, its validators", async () => {
  const built = await bundle(
    "pinned",
    `import { Server } from "@mcp-codegen/${newest}";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
const call = () => ({ content: [{ type: "text", text: "4" }] });
await serveStdio(new Server({ name: "dice", version: "1" }, { "tools/call": call }));`,
  );
  expect(idsIn(built.code)).toEqual([newest]);
  expect(await ask(built)).toEqual(answer(newest));
  expect(built.size).toBeLessThan(CEILINGS.pinned);
}, 60_000);

it.each(revisions)(
  "a stdio server on universal/server for %s has no other revision in it, and fits into 54 kB: the engine, the facade, its tables",
  async (revision) => {
    const built = await bundle(
      `one-${revision}`,
      `import { McpServer } from "@mcp-codegen/universal/server";
import { revision } from "@mcp-codegen/universal/${revision}";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
const server = new McpServer({ name: "dice", version: "1" }, { revisions: [revision] });
server.registerTool("roll", {}, () => "4");
await serveStdio(server);`,
    );
    expect(idsIn(built.code)).toEqual([revision]);
    expect(await ask(built)).toEqual(answer(revision));
    expect(built.size).toBeLessThan(CEILINGS.one);
  },
  60_000,
);

it("a stdio server for all revisions fits into 90 kB: five times validators, and JSON Schema", async () => {
  const built = await bundle(
    "all",
    `import { McpServer, serveStdio } from "@mcp-codegen/universal";
const server = new McpServer({ name: "dice", version: "1" });
server.registerTool("roll", {}, () => "4");
await serveStdio(server);`,
  );
  expect(idsIn(built.code)).toEqual(revisions);
  expect(await ask(built)).toEqual(answer(newest));
  expect(built.size).toBeLessThan(CEILINGS.all);
}, 60_000);

it("a client for all revisions fits into 93 kB: five times validators, HTTP, JSON Schema", async () => {
  const built = await bundle(
    "client",
    `import { connect } from "@mcp-codegen/universal";
export const client = (url) => connect(url);`,
  );
  expect(idsIn(built.code)).toEqual(revisions);
  expect(built.size).toBeLessThan(CEILINGS.client);
}, 60_000);
