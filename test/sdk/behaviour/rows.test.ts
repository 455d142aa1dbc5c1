import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { root } from "../../support/pack.js";

/*
 * One program, with the official SDK and with `@mcp-codegen/sdk` (as built): official clients see the same, row by row of what
 * differs silently elsewhere.
 */

const OURS = "@mcp-codegen/sdk";
const THEIRS = "@modelcontextprotocol/sdk";
const program = join(root, "test/sdk/behaviour/program.mjs");

type Transport = "stdio" | "sessions" | "stateless";
/** A client of version 1, of version 2 in a session, or of version 2 without a session. */
type Kind = "1" | "2 session" | "2 stateless";

interface Peer {
  callTool(params: object, ...options: never[]): Promise<unknown>;
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  readResource(params: { uri: string }): Promise<unknown>;
  getPrompt(params: object): Promise<unknown>;
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
}

function clientOf(kind: Kind, logs: string[]): Peer {
  const info = { name: "rows", version: "1.0.0" };
  if (kind === "1") return new Client1(info) as unknown as Peer;
  const mode = kind === "2 session" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client2(info, { versionNegotiation: { mode } as never });
  client.setNotificationHandler("notifications/message", ({ params }) => {
    logs.push(String(params.data));
  });
  return client as unknown as Peer;
}

async function connected(sdk: string, version: string, transport: Transport, kind: Kind) {
  const logs: string[] = [];
  const client = clientOf(kind, logs);
  const args = [program, sdk, version, transport];
  if (transport === "stdio") {
    const Stdio = kind === "1" ? Stdio1 : Stdio2;
    await client.connect(new Stdio({ command: process.execPath, args, cwd: root }) as never);
  } else {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill());
    const url = new URL(`http://127.0.0.1:${await portOf(child)}/mcp`);
    await client.connect(new (kind === "1" ? Http1 : Http2)(url) as never);
  }
  onTestFinished(() => client.close());
  return { client, logs };
}

async function portOf(child: ChildProcess): Promise<number> {
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  return Number(line.toString());
}

const WIRE_ONLY = new Set(["_meta", "ttlMs", "cacheScope", "resultType"]);

/** Returns the outcome of a call, without the members that only the transport needs. */
async function outcome(call: () => Promise<unknown>): Promise<unknown> {
  try {
    const entries = Object.entries((await call()) as object);
    return Object.fromEntries(entries.filter(([name]) => !WIRE_ONLY.has(name)));
  } catch (error) {
    const { code, message } = error as { code: unknown; message: string };
    return { code, message };
  }
}

/** Returns the rows of behaviour, with what a client sees of each. */
async function rows(
  { client, logs }: Awaited<ReturnType<typeof connected>>,
  version: string,
  kind: Kind,
  isPiped: boolean,
) {
  const call = (name: string, args: object = {}) =>
    outcome(() => client.callTool({ name, arguments: args }));
  const progress: number[] = [];
  const onprogress = (notified: { progress: number }) => progress.push(notified.progress);
  const options = { onprogress } as never;
  const notified = await outcome(() =>
    kind === "1"
      ? client.callTool({ name: "tells", arguments: { steps: 3 } }, undefined as never, options)
      : client.callTool({ name: "tells", arguments: { steps: 3 } }, options),
  );
  const { tools } = await client.listTools();
  const logged = await call("logs");
  await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    "an error of a tool": await call("throws"),
    "a protocol error of a tool": await call("refuses"),
    "structured content that does not fit": failure(await call("misfits")),
    "structured content beside a text": await call("adds", { a: 2 }),
    "an argument that does not fit": failure(await call("adds", { a: "two" })),
    "an error of a resource": await outcome(() => client.readResource({ uri: "note://1" })),
    "a prompt": await outcome(() =>
      client.getPrompt({ name: "greet", arguments: { name: "Ann" } }),
    ),
    "an error of a prompt": await outcome(() =>
      client.getPrompt({ name: "greet", arguments: { name: "nobody" } }),
    ),
    "a log that nobody asked for": [logged, logs],
    // The official client drops what it reads together with the result, which is a matter of chance over pipes.
    progress: [notified, isPiped ? isPrefix(progress) : progress],
    "listed tools": tools.map(({ name, outputSchema }) => [name, outputSchema !== undefined]),
    ...(version === "2" ? { "an array": await call("lists") } : {}),
  };
}

function isPrefix(progress: readonly number[]): boolean {
  return progress.every((value, index) => value === index + 1);
}

/** Replaces the text about a value that does not fit, because each library has its own. */
function failure(result: unknown): unknown {
  return (result as { isError?: unknown }).isError === true ? "a result that tells of it" : result;
}

const combinations = ["1", "2"].flatMap((version) =>
  (["stdio", "sessions", "stateless"] as const).flatMap((transport) =>
    (["1", "2 session", "2 stateless"] as const)
      // Servers of version 1 and transports with sessions do not support stateless requests.
      .filter((kind) => kind !== "2 stateless" || (version === "2" && transport !== "sessions"))
      .map((kind) => [version, transport, kind] as const),
  ),
);

describe("a migrated program of the SDK has the same effect on official clients as before", () => {
  it.each(combinations)(
    "version %s over %s, with a client of version %s",
    async (version, transport, kind) => {
      const [ours, theirs] = await Promise.all(
        [OURS, THEIRS].map(async (sdk) =>
          rows(
            await connected(sdk, version, transport, kind),
            version,
            kind,
            transport === "stdio",
          ),
        ),
      );
      expect(ours).toEqual(theirs);
    },
  );
});
