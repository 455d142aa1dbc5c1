import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../support/free-port.js";
import type { Target } from "./bundle.js";
import { folder } from "./install.js";
import { miniflare } from "./tools.js";

export interface Started {
  /** The origin of its URLs. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A runtime that serves a module whose default export has `fetch`. */
export interface Platform {
  readonly name: string;
  readonly target: Target;
  /** The program in `programs/` with the servers for the behavioural cases. */
  readonly program: string;
  /** The kinds of servers: true with sessions, false without. */
  readonly sessions: readonly boolean[];
  start(file: string): Promise<Started>;
}

const workerd: Platform = {
  name: "workerd",
  target: "workerd",
  program: "behaviour",
  sessions: [false],
  start: (file) => startedWorker(file),
};

/** A session's requests can share memory, timers and streams only in a Durable Object. */
const durable: Platform = {
  name: "workerd, Durable Object",
  target: "workerd",
  program: "durable",
  sessions: [true],
  start: (file) => startedWorker(file, { durableObjects: { SESSIONS: "Sessions" } }),
};

const deno: Platform = {
  name: "Deno",
  target: "packages",
  program: "behaviour",
  sessions: [true, false],
  start: (file) =>
    started((port) => [
      "deno",
      ["serve", "--no-lock", "--allow-all", "--host", "127.0.0.1", "--port", port, file],
    ]),
};

const bun: Platform = {
  name: "Bun",
  target: "packages",
  program: "behaviour",
  sessions: [true, false],
  start: (file) => started((port) => ["bun", ["run", file], { BUN_PORT: port }]),
};

export const platforms: readonly Platform[] = [workerd, durable, deno, bun];

async function startedWorker(file: string, bindings: object = {}): Promise<Started> {
  const worker = new (miniflare().Miniflare)({
    modules: true,
    script: readFileSync(file, "utf8"),
    compatibilityDate: "2025-11-25",
    host: "127.0.0.1",
    port: 0,
    ...bindings,
  });
  const { origin } = await worker.ready;
  return { url: origin, stop: () => worker.dispose() };
}

type Command = [bin: string, args: string[], variables?: Record<string, string>];

async function started(commandAt: (port: string) => Command): Promise<Started> {
  const port = String(await freePort());
  const [bin, args, variables = {}] = commandAt(port);
  const env = { ...process.env, ...variables, DENO_NO_UPDATE_CHECK: "1" };
  const program = spawn(binary(bin), args, { env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(program, "exit");
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    program.kill();
    await ended;
  };
  while (!(await isServing(url))) {
    if (program.exitCode !== null) throw new Error(`${bin} ended before it listened`);
  }
  return { url, stop };
}

/** Returns the path of a runtime's program. */
export const binary = (name: string): string => join(folder, "node_modules/.bin", name);

/** Returns true if anything answers; otherwise, waits a moment and returns false. */
async function isServing(url: string): Promise<boolean> {
  try {
    await (await fetch(url)).text();
    return true;
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return false;
  }
}
