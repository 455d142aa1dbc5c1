import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "../cli/build.js";
import { cli, cliJson } from "../cli/cli.js";
import { root } from "../support/pack.js";
import { run, runOrThrow } from "../support/run.js";

/**
 * Messages of another protocol, with its own conventions: bare notifications, numeric aliases, results that may be
 * null.
 */
const SCHEMA = `
export interface Message { jsonrpc: "2.0" }
export interface RequestMessage extends Message { id: string | number; method: string; params?: object }
export interface NotificationMessage extends Message { method: string; params?: object }
export interface ResponseMessage extends Message { id: string | number; result: unknown }
export interface ErrorMessage extends Message { id: string | number; error: { code: number; message: string } }
export type JSONRPCMessage = RequestMessage | NotificationMessage | ResponseMessage | ErrorMessage;
export interface Implementation { name: string; version?: string }
export type integer = number;
export type by = "line" | "word";
export interface recursive { inner?: recursive }
export interface ClientCapabilities { textDocument?: { hover?: object } }
export interface ServerCapabilities { hoverProvider?: boolean }
export interface InitializeRequest { method: "initialize"; params: { capabilities: ClientCapabilities } }
export interface InitializeResult { capabilities: ServerCapabilities }
/** @category Lifecycle */
export interface InitializedNotification { method: "initialized"; params: InitializedParams }
export interface InitializedParams {}
export interface Position { line: integer; unit: by; note: recursive }
export interface HoverRequest { method: "textDocument/hover"; params: { uri: string; position: Position } }
export interface Hover { contents: string; size: integer }
export type HoverResult = Hover | null;
export interface DidOpenNotification { method: "textDocument/didOpen"; params: { uri: string; version: integer } }
export interface ShowNotification { method: "window/show"; params: { text: string } }
export type ClientRequest = InitializeRequest | HoverRequest;
export type ClientNotification = InitializedNotification | DidOpenNotification;
export type ServerNotification = ShowNotification;
export type ServerResult = InitializeResult | HoverResult;
`;

const evidence = { reason: "The protocol says so.", source: "https://example.com/protocol" };
const notification = (method: string, from: "client" | "server") => ({
  method,
  from,
  kind: "notification",
  ...evidence,
});
const FACTS = {
  revision: "3.18",
  name: "Language Protocol",
  capabilities: [{ method: "*", capability: null, ...evidence }],
  directions: [
    notification("initialized", "client"),
    notification("textDocument/didOpen", "client"),
    notification("window/show", "server"),
  ],
};

const PROGRAM = `
import { memoryPair } from "@mcp-codegen/runtime/memory";
import { Client, Server, validators, type HoverResult } from "./language/index.js";

const opened: string[] = [];
const problems: string[] = [];
const server = new Server(
  { name: "server" },
  {
    "textDocument/hover": async ({ uri, position }, { notify }): Promise<HoverResult> => {
      await notify("window/show", { text: position.unit });
      return uri === "none" ? null : { contents: uri, size: position.line };
    },
    "textDocument/didOpen": ({ uri }) => void opened.push(uri),
  },
  { onerror: ({ message }) => void problems.push(message) },
);
const shown: string[] = [];
const client = new Client(
  { name: "editor" },
  { "window/show": ({ text }) => void shown.push(text) },
  { onerror: ({ message }) => void problems.push(message) },
);
const [near, far] = memoryPair();
const sent: unknown[] = [];
const watched = { ...near, start: near.start.bind(near), close: near.close.bind(near), send: (message: unknown, ...rest: never[]) => {
  sent.push(message);
  return near.send(message as never, ...rest);
} };
await server.connect(far);
await client.connect(watched as typeof near);
await client.notify("textDocument/didOpen", { uri: "a", version: 1 });
const position = { line: 3, unit: "word", note: { inner: {} } } as const;
const found = await client.hover({ uri: "a", position });
const none = await client.hover({ uri: "none", position });
const wrong = await client.request("textDocument/hover", { uri: "a", position: { ...position, line: 0.5 } }).catch(String);
await client.close();
const trace: unknown[] = [];
validators.Position({ line: 1, unit: "page", note: { inner: { inner: 1 } } }, trace as never);
console.log(JSON.stringify({ opened, shown, found, none, wrong, problems, trace, confirmation: sent[1] }));
`;

let folder: string;
beforeAll(async () => {
  await build();
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  folder = mkdtempSync(join(root, "node_modules/.cache/language-"));
  writeFileSync(join(folder, "schema.ts"), SCHEMA);
  writeFileSync(join(folder, "facts.json"), JSON.stringify(FACTS));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a protocol with unusual rules", () => {
  it("needs no fact per method, no other names, and no optional members", async () => {
    const input = ["--schema", "schema.ts", "--facts", "facts.json", "--revision", "3.18"];
    const output = ["--out", "src/language", "--modules-only"];
    const { code, stderr } = await cli([...input, ...output], { cwd: folder });
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain("MCG");
    writeFileSync(join(folder, "src/program.ts"), PROGRAM);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const compilerOptions = { strict: true, noEmit: false, outDir: "dist", rootDir: "src" };
    const typeRoots = [join(root, "node_modules/@types")];
    const config = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { ...compilerOptions, typeRoots },
      include: ["src"],
      exclude: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    expect((await run(process.execPath, [tsc, "-p", folder])).stdout).toBe("");
    const talk = JSON.parse(await runOrThrow(process.execPath, [join(folder, "dist/program.js")]));
    expect(talk).toMatchObject({
      opened: ["a"],
      shown: ["word", "word"],
      found: { contents: "a", size: 3 },
      none: null,
      problems: [],
      confirmation: { jsonrpc: "2.0", method: "initialized", params: {} },
    });
    expect(talk.wrong).toContain("/position/line");
    expect(talk.trace.map(({ path }: { path: string }) => path)).toEqual([
      "/unit",
      "/note/inner/inner",
    ]);
  }, 120_000);

  it("is compared with its facts on either side", async () => {
    writeFileSync(join(folder, "next.ts"), SCHEMA.replace("size: integer", "size?: integer"));
    writeFileSync(join(folder, "next.json"), JSON.stringify({ ...FACTS, revision: "3.19" }));
    const diff = (...args: string[]) => cliJson(["diff", ...args], { cwd: folder });
    const facts = ["--from-facts", "facts.json", "--facts", "next.json"];
    const { code, json } = await diff("schema.ts", "next.ts", ...facts);
    expect(code).toBe(0);
    expect(json["changes"]).toMatchObject([{ name: "Hover", pointer: "/size" }]);
    const without = await diff("schema.ts", "next.ts", "--from-facts", "facts.json");
    expect(without.code).toBe(3);
    const bundled = await diff("2025-11-25", "2026-07-28", "--facts", "next.json");
    expect(bundled.json["diagnostics"]).toMatchObject([
      { message: "2026-07-28 has its own facts." },
    ]);
    expect(bundled.code).toBe(2);
  });
});

/** Returns the diagnostics for a schema and its facts. */
async function generated(facts: object, schema = SCHEMA) {
  writeFileSync(join(folder, "own.ts"), schema);
  writeFileSync(join(folder, "own.json"), JSON.stringify(facts));
  const input = ["--schema", "own.ts", "--facts", "own.json", "--revision", "3.18"];
  return cliJson([...input, "--dry-run"], { cwd: folder });
}

describe("the fact that turns the naming rule off", () => {
  it("states no capability", async () => {
    const capabilities = [{ method: "*", capability: "client.textDocument", ...evidence }];
    const { json } = await generated({ ...FACTS, capabilities });
    expect(json["diagnostics"]).toMatchObject([
      { code: "MCG3062", message: "The fact about all methods states a capability." },
    ]);
  });

  it("is stale if the rule applies to no message", async () => {
    const { json } = await generated(FACTS, SCHEMA.replace("textDocument?: {", "documents?: {"));
    expect(json["diagnostics"]).toMatchObject([
      { code: "MCG3062", message: expect.stringContaining("applies to no message") },
    ]);
  });
});
