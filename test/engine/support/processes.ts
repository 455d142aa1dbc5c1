import { afterAll, afterEach, beforeAll } from "vitest";
import {
  type StdioClientOptions,
  StdioClientTransport,
} from "../../../runtime/stdio/client/stdio-client.js";
import type { Answer } from "../fixtures/scripted.js";
import { BuiltFixtures } from "./build-fixtures.js";
import { Child } from "./child.js";
import { TinyClient } from "./tiny-endpoints.js";

type Overrides = Partial<StdioClientOptions>;

/** Runs the programs under `fixtures/` as processes, for the tests of one file. No process outlives its test. */
export class Processes {
  readonly #children: Child[] = [];
  readonly #clients: TinyClient[] = [];
  #fixtures: BuiltFixtures | undefined;

  build(): void {
    this.#fixtures = new BuiltFixtures();
  }

  /** Returns the path of a program that `node` can run. */
  path(name: string): string {
    return this.#fixtures!.path(name);
  }

  /** Starts a process that communicates line by line. */
  run(program: string, args: readonly string[]): Child {
    const child = new Child(program, args);
    this.#children.push(child);
    return child;
  }

  /** Starts a server process that no client has initialized. */
  started(settings: object = {}): Child {
    return this.run(this.path("tiny-server"), [JSON.stringify(settings)]);
  }

  async initialized(settings: object = {}): Promise<Child> {
    const child = this.started(settings);
    await child.initialize();
    return child;
  }

  transportTo(name: string, args: readonly string[], options: Overrides): StdioClientTransport {
    return new StdioClientTransport({
      command: process.execPath,
      stderr: "keep",
      args: [this.path(name), ...args],
      closeGrace: 100,
      ...options,
    });
  }

  async connected(options: Overrides = {}) {
    const transport = this.transportTo("tiny-server", ["{}"], { closeGrace: 5000, ...options });
    const client = this.#client();
    await client.connect(transport);
    return { client, transport, pid: transport.pid! };
  }

  /** Connects to a process that will not answer. */
  misbehaving(manner: string, options: Overrides = {}, timeout = 60_000) {
    const transport = this.transportTo("misbehave", [manner], options);
    const client = this.#client({ timeout });
    const connecting = client.connect(transport);
    connecting.catch(() => {});
    return { client, transport, connecting };
  }

  /** Connects to a process that answers each method with the given result. */
  scripted(script: Readonly<Record<string, readonly Answer[]>>, options: Overrides = {}) {
    const transport = this.transportTo("scripted", [JSON.stringify(script)], options);
    const client = this.#client();
    const connecting = client.connect(transport);
    connecting.catch(() => {});
    return { client, transport, connecting };
  }

  async end(): Promise<void> {
    for (const child of this.#children.splice(0)) child.process.kill("SIGKILL");
    await Promise.all(this.#clients.splice(0).map((client) => client.close()));
  }

  remove(): void {
    this.#fixtures?.remove();
  }

  #client(options: object = {}): TinyClient {
    const client = new TinyClient({}, options);
    this.#clients.push(client);
    return client;
  }
}

export function useProcesses(): Processes {
  const processes = new Processes();
  beforeAll(() => processes.build(), 60_000);
  afterEach(() => processes.end());
  afterAll(() => processes.remove());
  return processes;
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Creates a `text/work` request for a deed. */
export const work = (deed: string) => ["text/work", { do: deed }] as const;
