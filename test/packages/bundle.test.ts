import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";
import type { Revision } from "@mcp-codegen/runtime";
import { connect } from "@mcp-codegen/universal";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundled } from "../support/bundle.js";
import { root } from "../support/pack.js";

const revisions = readdirSync(join(root, "generated"))
  .filter((name) => name !== "universal")
  .toSorted();

/**
 * The size limits in compressed bytes: today's sizes plus a little. Of that, the engine with stdio is 22 kB, the facade
 * is 27 kB, and a revision's methods with their validators are 5 to 14 kB. Single-file bundles also contain what a
 * bundler that splits would load on demand: JSON Schema (11), the server's requests (5), and the other kind of
 * conversation (6).
 */
const CEILINGS = { one: 84_900, all: 100_600, client: 101_300, login: 18_900 };

/** The same limits for servers that use the package of one revision. */
const PINNED: Readonly<Record<string, number>> = {
  "2024-11-05": 33_200,
  "2025-03-26": 33_400,
  "2025-06-18": 34_300,
  "2025-11-25": 36_700,
  "2026-07-28": 43_900,
};

/** Matches texts that only clients contain, about connecting and subscribing. */
const OF_CLIENTS = /was not sent: wait until connect\(\)|The discovery of the server/;

/** Matches modules that only authorization needs. */
const OF_AUTHORIZATION = /\/(runtime\/auth|oauth4webapi|jose|open)\//;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "mcp-codegen-bundle-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Bundle {
  readonly file: string;
  readonly code: string;
  readonly modules: readonly string[];
  /** Bytes, compressed. */
  readonly size: number;
}

async function made(name: string, program: string): Promise<Bundle> {
  const input = join(folder, `${name}.js`);
  const file = join(folder, `${name}.min.mjs`);
  writeFileSync(input, program);
  const { code, modules } = await bundled(input, file, "published");
  const size = gzipSync(code).length;
  console.log(`${name}: ${size} bytes gzip, ${code.length} bytes`);
  return { file, code, modules, size };
}

/** Returns the authorization packages of which a part is in a bundle. */
const modulesOfAuthorization = ({ modules }: Bundle): string[] =>
  [
    ...new Set(
      modules.flatMap((path) => OF_AUTHORIZATION.exec(path.replaceAll(sep, "/"))?.[1] ?? []),
    ),
  ].toSorted();

const idsIn = (code: string): string[] => revisions.filter((id) => code.includes(id));

/** Sends a request to a bundled server over stdio and returns its response. */
async function ask({ file }: Bundle, own?: readonly Revision[]): Promise<unknown> {
  const command = { command: process.execPath, args: [file] };
  const client = await connect(command, own && { revisions: own });
  try {
    const { content } = await client.callTool("roll");
    return { revision: client.revision, content };
  } finally {
    await client.close();
  }
}

const answer = (revision: string) => ({ revision, content: [{ type: "text", text: "4" }] });

it.each(revisions)(
  "a stdio server on the package of %s contains neither another revision, nor a client, nor authorization",
  async (revision) => {
    const built = await made(
      `pinned-${revision}`,
      `import { Server } from "@mcp-codegen/${revision}";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
const call = () => ({ content: [{ type: "text", text: "4" }] });
await serveStdio(new Server({ name: "dice", version: "1" }, { "tools/call": call }));`,
    );
    expect(idsIn(built.code)).toEqual([revision]);
    expect(built.code).not.toMatch(OF_CLIENTS);
    expect(built.code).not.toMatch(/www-authenticate|oauth/i);
    expect(modulesOfAuthorization(built)).toEqual([]);
    expect(await ask(built)).toEqual(answer(revision));
    expect(built.size).toBeLessThan(PINNED[revision] ?? CEILINGS.one);
  },
  60_000,
);

it.each(revisions)(
  "a stdio server on universal/bare/server for %s contains no other revision, and fits into 83 kB: the engine, the facade, its tables, and JSON Schema",
  async (revision) => {
    const built = await made(
      `one-${revision}`,
      `import { McpServer } from "@mcp-codegen/universal/bare/server";
import { revision } from "@mcp-codegen/universal/${revision}";
import { serveStdio } from "@mcp-codegen/runtime/stdio";
const server = new McpServer({ name: "dice", version: "1" }, { revisions: [revision] });
server.registerTool("roll", {}, () => "4");
await serveStdio(server);`,
    );
    expect(idsIn(built.code)).toEqual([revision]);
    expect(modulesOfAuthorization(built)).toEqual([]);
    expect(await ask(built)).toEqual(answer(revision));
    expect(built.size).toBeLessThan(CEILINGS.one);
  },
  60_000,
);

it.each(["@mcp-codegen/universal", "@mcp-codegen/universal/server"])(
  "a stdio server of %s is one file that serves all revisions, and fits into 98 kB: five times validators, and JSON Schema",
  async (entry) => {
    const built = await made(
      entry.replaceAll("/", "-"),
      `import { McpServer, serveStdio } from "${entry}";
const server = new McpServer({ name: "dice", version: "1" });
server.registerTool("roll", {}, () => "4");
await serveStdio(server);`,
    );
    expect(idsIn(built.code)).toEqual(revisions);
    expect(modulesOfAuthorization(built)).toEqual([]);
    for (const revision of revisions) {
      const { revision: only } = (await import(`@mcp-codegen/universal/${revision}`)) as {
        revision: Revision;
      };
      expect(await ask(built, [only])).toEqual(answer(revision));
    }
    expect(built.size).toBeLessThan(CEILINGS.all);
  },
  60_000,
);

it("extensions are only in the bundles that import them", async () => {
  const plain = await made(
    "without-extensions",
    `import { connect, McpServer, serveStdio } from "@mcp-codegen/universal";
export const both = [connect, McpServer, serveStdio];`,
  );
  expect(plain.code).not.toMatch(/"skills\/list"|"ui\/initialize"|"tasks\/update"|server-card/);
  const skilled = await made(
    "with-skills",
    `import { McpServer, serveStdio } from "@mcp-codegen/universal";
import { registerSkills } from "@mcp-codegen/universal/skills";
export const server = [McpServer, serveStdio, registerSkills];`,
  );
  expect(skilled.code).toContain('"skills/list"');
  expect(skilled.code).not.toMatch(/"ui\/initialize"|"tasks\/update"|server-card/);
}, 60_000);

it("a client for all revisions fits into 99 kB: five times validators, HTTP, JSON Schema, the guard of contracts", async () => {
  const built = await made(
    "client",
    `import { connect } from "@mcp-codegen/universal";
export const client = (url) => connect(url);`,
  );
  expect(idsIn(built.code)).toEqual(revisions);
  expect(modulesOfAuthorization(built)).toEqual([]);
  expect(built.size).toBeLessThan(CEILINGS.client);
}, 60_000);

it("a client that logs in is at most 18.5 kB larger: the flow, and its part of oauth4webapi, but no server code", async () => {
  const plain = await made(
    "plain-client",
    `import { connect } from "@mcp-codegen/universal";
export const client = (url) => connect(url);`,
  );
  const built = await made(
    "login-client",
    `import { oauth, redirect } from "@mcp-codegen/auth/client";
import { connect } from "@mcp-codegen/universal";
export const client = (url, visit) =>
  connect(url, { auth: oauth({ authorize: redirect({ redirectUri: "https://app.example/", visit }) }) });`,
  );
  expect(modulesOfAuthorization(built)).toEqual(["oauth4webapi", "runtime/auth"]);
  expect(built.size - plain.size).toBeLessThan(CEILINGS.login);
}, 60_000);
