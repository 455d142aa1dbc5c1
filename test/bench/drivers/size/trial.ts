import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { end, own } from "../../core/program.js";
import { open, openingOf } from "../stdio/conversation.js";
import { type Answer, Pipeline } from "../stdio/pipeline.js";
import { startGuarded } from "./guarded.js";

const PATIENCE = 10_000;
const env = { ...process.env, NODE_ENV: "production" };
const call = { method: "tools/call", params: { name: "roll" } };

export type Purpose =
  | "stdio server"
  | "HTTP server"
  | "client"
  | "without a login"
  | "with a login"
  | "with a login, loopback() and fileStore()";

/** Bundles of servers for the bundles of clients. */
export interface Servers {
  readonly stdio: string;
  readonly http: string;
}

/** Runs a bundle. Throws if the bundle does not do its work. */
export async function tryOut(file: string, purpose: Purpose, servers: Servers): Promise<void> {
  try {
    if (purpose === "stdio server") await overStdio(file);
    else if (purpose === "HTTP server") await withUrl(file, overHttp);
    else if (purpose === "client") await askWith(file, process.execPath, servers.stdio);
    else if (purpose === "without a login") {
      await withUrl(servers.http, (url) => askWith(file, url));
    } else await withUrl(servers.http, (url) => askGuarded(file, url));
  } catch (cause) {
    throw new Error(`Bundle ${file} does not work: ${firstLine(cause)}`, { cause });
  }
}

/** Keeps only the first line of an error, because a bundle's stack trace quotes one very long line. */
const firstLine = (error: unknown): string => String(error).split("\n")[0]!.slice(0, 500);

async function askWith(client: string, ...args: string[]): Promise<void> {
  const options = { env, timeout: PATIENCE };
  const { stdout } = await promisify(execFile)(process.execPath, [client, ...args], options);
  assert.equal(stdout, "4\n");
}

/** Makes a call with authorization. The user opens each URL that the client prints on stderr. */
async function askGuarded(client: string, inner: string): Promise<void> {
  const guarded = await startGuarded(inner);
  const state = mkdtempSync(join(tmpdir(), "mcp-codegen-bench-state-"));
  // Uses nothing that belongs to the user: no browser is found, and tokens go into a folder of this run.
  const alone = { ...env, PATH: "", XDG_STATE_HOME: state, HOME: state, LOCALAPPDATA: state };
  try {
    const asking = promisify(execFile)(process.execPath, [client, guarded.url], {
      env: alone,
      timeout: PATIENCE,
    });
    createInterface({ input: asking.child.stderr! }).on("line", (line) => {
      if (line.startsWith("http://127.0.0.1")) fetch(line).catch(() => {});
    });
    assert.equal((await asking).stdout, "4\n");
  } finally {
    guarded.close();
    rmSync(state, { recursive: true, force: true });
  }
}

function started(file: string) {
  return own(spawn(process.execPath, [file], { env, stdio: ["pipe", "pipe", "inherit"] }));
}

async function overStdio(file: string): Promise<void> {
  const child = started(file);
  try {
    const pipeline = new Pipeline(child.stdin, child.stdout);
    await open(pipeline, "session");
    expectFour(await pipeline.ask(call.method, call.params));
  } finally {
    await end(child);
  }
}

/** Starts the bundle of an HTTP server and does some work with its URL. */
async function withUrl(file: string, work: (url: string) => Promise<void>): Promise<void> {
  const child = started(file);
  const ended = once(child, "exit").then(() => assert.fail("it ended before it said its URL"));
  try {
    const line = once(createInterface(child.stdout), "line");
    const [url] = (await Promise.race([line, ended])) as [string];
    await work(url);
  } finally {
    ended.catch(() => {});
    await end(child);
  }
}

async function overHttp(url: string): Promise<void> {
  const { headers } = await post(url, { id: 1, ...openingOf("session") });
  const session = headers.get("mcp-session-id");
  const text = await post(url, { id: 2, ...call }, session).then((answer) => answer.text());
  expectFour(JSON.parse(/\{.*\}/.exec(text)![0]) as Answer);
}

function post(url: string, message: object, session: string | null = null): Promise<Response> {
  const headers = {
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
    ...(session !== null && { "Mcp-Session-Id": session }),
  };
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE) });
}

function expectFour({ result }: Answer): void {
  const content = result?.["content"] as readonly { text?: string }[] | undefined;
  assert.equal(content?.[0]?.text, "4");
}
