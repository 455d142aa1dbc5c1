import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { StdioClientTransport } from "@mcp-codegen/runtime/stdio/client";
import { bundle } from "../support/bundle.js";
import type { Package } from "../support/packages.js";
import { RawLines } from "./lines.js";
import type { Connecting, Puppet, ServerKind, Venue } from "./wire.js";

/** Forwards messages in both directions. The test is the server behind it. */
const RELAY = `
import { connect } from "node:net";
const socket = connect(process.argv[2]);
process.stdin.pipe(socket).pipe(process.stdout);
socket.on("close", () => process.exit());
`;

/** Real processes that run programs bundled into a folder of their own. */
export class Stdio implements Connecting {
  readonly name = "stdio";
  readonly traits = { sessions: true, asks: true, early: true, tells: true, shared: false };
  readonly #folder = mkdtempSync(join(tmpdir(), "mcp-behaviour-"));
  readonly #program = join(this.#folder, "server.mjs");
  readonly #relay = join(this.#folder, "relay.mjs");
  #count = 0;

  async build(): Promise<void> {
    writeFileSync(this.#relay, RELAY);
    await bundle("test/behaviour/wires/stdio-program.ts", this.#program);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }

  async serve(from: Package, kind: ServerKind, trustsClients: boolean): Promise<Venue> {
    const trust = trustsClients ? "trusts" : "doubts";
    return new StdioVenue([this.#program, from.revision.id, kind, trust]);
  }

  async puppet(): Promise<Puppet> {
    const path = join(this.#folder, `${(this.#count += 1)}.sock`);
    const server = createServer();
    server.listen(path);
    await once(server, "listening");
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [this.#relay, path],
      stderr: "keep",
    });
    const [input, output] = [new PassThrough(), new PassThrough()];
    server.once("connection", (socket) => {
      socket.on("error", () => {}).pipe(input);
      output.pipe(socket);
    });
    const raw = new RawLines(input, output, async () => void output.end());
    return { transport, raw, close: async () => void server.close() };
  }
}

class StdioVenue implements Venue {
  readonly violations: string[] = [];
  readonly errors: string[] = [];
  readonly #args: readonly string[];
  readonly #children: ChildProcess[] = [];
  readonly #transports: StdioClientTransport[] = [];

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  transport(): StdioClientTransport {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: this.#args,
      stderr: (text: string) => this.#read(text),
    });
    this.#transports.push(transport);
    return transport;
  }

  async raw(): Promise<RawLines> {
    const child = spawn(process.execPath, this.#args, { stdio: "pipe" });
    this.#children.push(child);
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    return new RawLines(child.stdout, child.stdin, async () => {
      child.stdin.end();
      if (child.exitCode === null) await once(child, "close");
    });
  }

  async close(): Promise<void> {
    const pids = [...this.#transports, ...this.#children].map(({ pid }) => pid);
    for (const pid of pids) if (pid !== undefined) terminate(pid);
    await Promise.all(this.#children.map(ended));
  }

  #read(text: string): void {
    for (const line of text.split("\n")) {
      if (line.startsWith("VIOLATION ")) this.violations.push(line.slice("VIOLATION ".length));
      else if (line.startsWith("ERROR ")) this.errors.push(line.slice("ERROR ".length));
    }
  }
}

function terminate(pid: number): void {
  try {
    process.kill(pid);
  } catch {
    // The process has already ended.
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
}
