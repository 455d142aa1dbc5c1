import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { end, own } from "../../core/program.js";
import { open, openingOf } from "../stdio/conversation.js";
import { type Answer, Pipeline } from "../stdio/pipeline.js";

const PATIENCE = 10_000;
const env = { ...process.env, NODE_ENV: "production" };
const call = { method: "tools/call", params: { name: "roll" } };

export type Purpose = "stdio server" | "HTTP server" | "client";

/** Runs a bundle and throws when it does not do its work. @param server - that a client starts */
export async function tryOut(file: string, purpose: Purpose, server: string): Promise<void> {
  try {
    if (purpose === "client") await askWith(file, server);
    else if (purpose === "HTTP server") await overHttp(file);
    else await overStdio(file);
  } catch (cause) {
    throw new Error(`Bundle ${file} does not work: ${firstLine(cause)}`, { cause });
  }
}

/** A stack trace of a bundle quotes one very long line. */
const firstLine = (error: unknown): string => String(error).split("\n")[0]!.slice(0, 500);

async function askWith(client: string, server: string): Promise<void> {
  const args = [client, process.execPath, server];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: PATIENCE });
  assert.equal(stdout, "4\n");
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

async function overHttp(file: string): Promise<void> {
  const child = started(file);
  const ended = once(child, "exit").then(() => assert.fail("it ended before it said its URL"));
  try {
    const line = once(createInterface(child.stdout), "line");
    const [url] = (await Promise.race([line, ended])) as [string];
    const { headers } = await post(url, { id: 1, ...openingOf("session") });
    const session = headers.get("mcp-session-id");
    const text = await post(url, { id: 2, ...call }, session).then((answer) => answer.text());
    expectFour(JSON.parse(/\{.*\}/.exec(text)![0]) as Answer);
  } finally {
    ended.catch(() => {});
    await end(child);
  }
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
