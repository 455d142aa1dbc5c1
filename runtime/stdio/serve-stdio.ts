import type { Readable, Writable } from "node:stream";
import type { Frame, Receiver, Transport } from "../wire/index.js";
import { type ChannelOptions, StdioChannel } from "./stdio-channel.js";
import { redirectConsole } from "./stdio-console.js";
import { reportOrphans } from "./stdio-orphans.js";

export interface StdioServerOptions extends ChannelOptions {
  /** Source of requests. Default: `process.stdin`. */
  readonly input?: Readable;
  /** Destination of answers. Default: `process.stdout`. */
  readonly output?: Writable;
}

/** A server's end of stdio: one message per line, in on standard input, out on standard output. */
export class StdioServerTransport implements Transport {
  readonly #channel: StdioChannel;

  constructor(options: StdioServerOptions = {}) {
    const { input = process.stdin, output = process.stdout } = options;
    this.#channel = new StdioChannel(input, output, { ...options, side: "server" });
  }

  start(receiver: Receiver): void {
    this.#channel.start(receiver);
  }

  send(frame: Frame): Promise<void> | undefined {
    return this.#channel.send(frame);
  }

  /** Takes no more requests; those under way can still be answered. */
  end(): void {
    this.#channel.endReading();
  }

  close(): Promise<void> {
    return this.#channel.close();
  }
}

export interface ServeStdioOptions extends StdioServerOptions {
  /** True to redirect `console.log` and the like to standard error while serving. Default: true. */
  readonly redirectConsole?: boolean;
  /** True to end the service in order on SIGTERM, SIGINT and SIGHUP. Default: true. */
  readonly handleSignals?: boolean;
  /**
   * Reaction to a failure that nothing handles, such as the rejection of a promise that a handler
   * left behind. `exit`: the platform's default, which ends the process with a code other than 0
   * and the reason on standard error. `report`: a line on standard error, and the service continues.
   * Default: `exit`.
   */
  readonly orphans?: "exit" | "report";
  /** True to exit the process when the service is over. Default: true. */
  readonly exit?: boolean;
}

/** Operations that {@link serveStdio} needs of a server; every generated server has them. */
export interface Servable {
  readonly closed: Promise<Error | undefined>;
  connect(transport: Transport): Promise<void>;
}

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Serves one client over this process's standard input and output. Resolves when the service has begun;
 * `server.closed` tells when it is over.
 *
 * At the end of the input, or on a signal, requests under way get `limits.drain` milliseconds to be answered;
 * then the process exits: with 0, or with 1 when the connection failed. A second signal ends it at once.
 *
 * @example
 * ```ts
 * const server = new McpServer({ name: "notes", version: "1.0.0" });
 * server.registerTool("ping", { description: "Answers" }, () => "pong");
 * await serveStdio(server); // console.log goes to standard error from here on
 * ```
 *
 * @param servable - a server, or what makes it
 */
export async function serveStdio(
  servable: Servable | (() => Servable | Promise<Servable>),
  options: ServeStdioOptions = {},
): Promise<void> {
  const { redirectConsole: redirects = true, handleSignals = true, exit = true } = options;
  const server = typeof servable === "function" ? await servable() : servable;
  const transport = new StdioServerTransport(options);
  const undo: (() => void)[] = [];
  if (redirects) undo.push(redirectConsole());
  if (handleSignals) undo.push(drainOnSignals(transport));
  if (options.orphans === "report") undo.push(reportOrphans());
  process.stderr.on("error", ignore);
  undo.push(() => process.stderr.off("error", ignore));

  const finish = (): void => {
    for (const one of undo) one();
  };
  try {
    await server.connect(transport);
  } catch (error) {
    finish();
    throw error;
  }
  void server.closed.then((error) => {
    if (error) console.error(`Serving failed: ${error.message}`);
    finish();
    if (exit) process.exit(error ? 1 : 0);
  });
}

function drainOnSignals(transport: StdioServerTransport): () => void {
  let isEnding = false;
  const end = (_name: NodeJS.Signals, number: number): void => {
    if (isEnding) process.exit(128 + number);
    isEnding = true;
    transport.end();
  };
  const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
  for (const name of names) process.on(name, end);
  return () => {
    for (const name of names) process.off(name, end);
  };
}

function ignore(): void {}
