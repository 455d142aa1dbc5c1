import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { own } from "../core/children.js";
import { eraOf, openingOf, paramsOf, type Revision } from "../drivers/stdio/conversation.js";
import type { Task } from "./size-bundles.js";

const PATIENCE = 10_000;
const LONGEST_LINE = 500;
const json = "application/json";
const env = { ...process.env, NODE_ENV: "production" };
const call = { name: "roll" };

interface Message {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text?: string }[] };
}

/** Runs a bundle, and throws when it does not do what it is for. */
export async function tryOut({ contestant, purpose, output }: Task, server: string): Promise<void> {
  const revision = (contestant.revision ?? "2025-11-25") as Revision;
  try {
    if (purpose === "client") await askWith(output, server);
    else if (purpose === "HTTP server") await overHttp(output, revision);
    else await overStdio(output, revision);
  } catch (cause) {
    const what = `The bundle of ${contestant.name} (${purpose}) does not work`;
    throw new Error(`${what}: ${(cause as Error).message}`, { cause });
  }
}

/** What a program says when it fails shows its code, of which a bundle has but one long line. */
function withoutCode(message: string): string {
  const lines = message.split("\n").filter(({ length }) => length <= LONGEST_LINE);
  return lines.join("\n");
}

async function askWith(client: string, server: string): Promise<void> {
  const args = [client, process.execPath, server];
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { env, timeout: PATIENCE }, (_, stdout, stderr) =>
      resolve(stdout + withoutCode(stderr)),
    );
  });
  assert.equal(said, "4\n");
}

function started(file: string): ChildProcess {
  const stdio = ["pipe", "pipe", "inherit"] as const;
  return own(spawn(process.execPath, [file], { env, stdio: [...stdio], timeout: PATIENCE }));
}

async function overStdio(file: string, revision: Revision): Promise<void> {
  const child = started(file);
  const send = (message: object) =>
    child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  try {
    if (eraOf(revision) === "handshake") {
      send({ id: 1, ...openingOf(revision) });
      send({ method: "notifications/initialized" });
    }
    send({ id: 2, method: "tools/call", params: paramsOf(revision, call) });
    for await (const line of createInterface(child.stdout!)) {
      const message = JSON.parse(line) as Message;
      if (message.id === 2) return expectFour(message);
    }
    assert.fail("There is no answer");
  } finally {
    await end(child);
  }
}

async function overHttp(file: string, revision: Revision): Promise<void> {
  const child = started(file);
  const lines = createInterface(child.stdout!);
  try {
    const url = await firstOf(child, lines);
    const fields = { "MCP-Protocol-Version": revision, "Mcp-Method": "tools/call" };
    const named: Record<string, string> =
      eraOf(revision) === "stateless" ? { ...fields, "Mcp-Name": call.name } : {};
    if (eraOf(revision) === "handshake") {
      const { headers } = await post(url, { id: 1, ...openingOf(revision) });
      const session = headers.get("mcp-session-id");
      if (session !== null) named["Mcp-Session-Id"] = session;
    }
    const request = { id: 2, method: "tools/call", params: paramsOf(revision, call) };
    expectFour(await messageIn(await post(url, request, named)));
  } finally {
    lines.close();
    await end(child);
  }
}

async function firstOf(
  child: ChildProcess,
  lines: ReturnType<typeof createInterface>,
): Promise<string> {
  const ended = once(child, "exit").then(() => assert.fail("It ended before it said its URL"));
  const [url] = (await Promise.race([once(lines, "line"), ended])) as [string];
  return url;
}

function post(url: string, message: object, named: Record<string, string> = {}): Promise<Response> {
  const headers = { Accept: `${json}, text/event-stream`, "Content-Type": json, ...named };
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  return fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(PATIENCE) });
}

/** Of an answer as JSON, or of one as an event stream. */
async function messageIn(response: Response): Promise<Message> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith(json);
  return JSON.parse(isJson ? text : (/^data: ?(\{.*)$/m.exec(text)?.[1] ?? text)) as Message;
}

function expectFour({ result }: Message): void {
  assert.equal(result?.content?.[0]?.text, "4");
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}
