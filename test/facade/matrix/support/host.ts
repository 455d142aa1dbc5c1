import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { bundle } from "../../../behaviour/support/bundle.js";
import { HttpLink } from "./http-link.js";
import type { Link, WireName } from "./link.js";
import { SseLink } from "./sse-link.js";
import { StdioLink } from "./stdio-link.js";

/** A process of the matrix server, with all its transports. */
export class Host {
  readonly port: number;
  readonly process: ChildProcess;
  /** The process's pipes. All further stdio links share them. */
  readonly #pipes: StdioLink;
  readonly #links: Link[] = [];

  constructor(process: ChildProcess, port: number) {
    this.process = process;
    this.port = port;
    this.#pipes = new StdioLink({ stdin: process.stdin!, stdout: process.stdout! });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  link(wire: WireName, principal?: string): Link {
    const link = this.#linkOf(wire, principal);
    this.#links.push(link);
    return link;
  }

  async stop(): Promise<void> {
    for (const link of this.#links) link.close();
    if ((this.process.exitCode ?? this.process.signalCode) !== null) return;
    const gone = once(this.process, "exit");
    this.process.kill("SIGKILL");
    await gone;
  }

  #linkOf(wire: WireName, principal: string | undefined): Link {
    const fields = principal === undefined ? {} : { Authorization: `Bearer ${principal}` };
    if (wire === "stdio") return new StdioLink(this.#pipes);
    return wire === "http"
      ? new HttpLink(this.url, fields)
      : new SseLink(`http://127.0.0.1:${this.port}/sse`);
  }
}

export interface Hosts {
  readonly program: string;
  /** Starts a process that ends with the test. */
  readonly start: (timeToAnswer?: number) => Promise<Host>;
  /** Returns a host that all tests of the file share, or one per test if a pipe is for one client only. */
  readonly of: (revision: string, wire: WireName) => Promise<Host>;
}

/** Bundles the server's program for the tests of one file. */
export function hosts(): Hosts {
  const folder = mkdtempSync(join(tmpdir(), "mcp-matrix-"));
  const program = join(folder, "server.mjs");
  let shared: Promise<Host> | undefined;
  beforeAll(() => bundle("test/facade/matrix/support/program.ts", program), 60_000);
  afterAll(async () => {
    await (await shared)?.stop();
    rmSync(folder, { recursive: true });
  });
  const start = async (timeToAnswer?: number): Promise<Host> => {
    const host = await spawned(program, timeToAnswer);
    onTestFinished(() => host.stop());
    return host;
  };
  const of = (revision: string, wire: WireName): Promise<Host> => {
    if (wire === "stdio" && revision < "2026") return start();
    return (shared ??= spawned(program));
  };
  return { program, start, of };
}

async function spawned(program: string, timeToAnswer = 60_000): Promise<Host> {
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
  const args = [program, key, String(timeToAnswer)];
  const child = spawn(process.execPath, args, { stdio: "pipe" });
  const [port] = (await once(child.stderr, "data")) as [Buffer];
  return new Host(child, Number(port.toString()));
}
