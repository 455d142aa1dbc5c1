import type { Readable, Writable } from "node:stream";
import { assertKnownNames } from "../ground/index.js";
import { type Transport, describeThrown } from "../wire/index.js";
import { type ChannelOptions, StdioChannel } from "./stdio-channel.js";

export interface StdioServerOptions extends ChannelOptions {
  /** The source of requests. Default: `process.stdin`. */
  readonly input?: Readable;
  /** The destination of responses. Default: `process.stdout`. */
  readonly output?: Writable;
}

/** The server transport for stdio: one message per line, received on standard input and sent on standard output. */
export class StdioServerTransport extends StdioChannel implements Transport {
  constructor(options: StdioServerOptions = {}) {
    const { input = process.stdin, output = process.stdout } = options;
    super(input, output, { ...options, side: "server" });
  }
}

export interface ServeStdioOptions extends StdioServerOptions {
  /** True to redirect `console.log` and the like to standard error while serving. Default: true. */
  readonly redirectConsole?: boolean;
  /** True to answer requests in flight before exiting on SIGTERM, SIGINT or SIGHUP. Default: true. */
  readonly handleSignals?: boolean;
  /**
   * The reaction to a failure that no code handles, such as the rejection of a promise that a handler did not await.
   * `exit`: the platform's default, which writes the reason to standard error and ends the process with a nonzero exit
   * code. `report`: writes a line to standard error and continues to serve. Default: `exit`.
   */
  readonly orphans?: "exit" | "report";
  /** True to exit the process when the server has stopped serving. Default: true. */
  readonly exit?: boolean;
}

/** A server that {@link serveStdio} can serve. Every generated server qualifies. */
export interface Servable {
  readonly closed: Promise<Error | undefined>;
  connect(transport: Transport): Promise<void>;
}

const OPTIONS: readonly string[] =
  /* @__PURE__ */ `duplicateKeys exit handleSignals input maxLineBytes maxWaitingBytes orphans output redirectConsole`.split(
    /\s+/,
  );

const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Serves one client over this process's standard input and output. Resolves when the service has started;
 * `server.closed` resolves when it has ended.
 *
 * At the end of the input or on a signal, requests in flight have `limits.drain` milliseconds to be answered. By
 * default, the process then exits: with 0, or with 1 if the connection failed. A second signal ends it at once.
 *
 * @example
 * ```ts
 * const server = new McpServer({ name: "notes", version: "1.0.0" });
 * server.registerTool("ping", { description: "Answers" }, () => "pong");
 * await serveStdio(server); // console.log goes to standard error from here on
 * ```
 *
 * @param servable - a server, or a function that creates one
 * @throws TypeError if there is no server or an option is unknown
 */
export async function serveStdio(
  servable: Servable | (() => Servable | Promise<Servable>),
  options: ServeStdioOptions = {},
): Promise<void> {
  assertKnownNames(options, OPTIONS, "serveStdio");
  const { redirectConsole: redirects = true, handleSignals = true, exit = true } = options;
  const server = typeof servable === "function" ? await servable() : servable;
  if (typeof server?.connect !== "function") throw new TypeError("serveStdio needs a server");
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

const TO_STDOUT = [
  "log",
  "info",
  "debug",
  "dir",
  "dirxml",
  "table",
  "group",
  "groupCollapsed",
  "count",
  "timeEnd",
  "timeLog",
] as const;

/**
 * Redirects `console` to standard error, because standard output carries only protocol messages (MCP: stdio). Returns a
 * function that reverts this. It imports no Node modules, so that bundles for other platforms may contain it.
 */
function redirectConsole(): () => void {
  const { Console } = console as Partial<typeof console>;
  let redirected: Partial<typeof console> | undefined;
  const originals = TO_STDOUT.map((name) => [name, console[name]] as const);
  for (const name of TO_STDOUT) {
    console[name] = (...values: unknown[]) => {
      redirected ??= Console ? { ...new Console(process.stderr, process.stderr) } : {};
      const write: (...values: unknown[]) => void = redirected[name] ?? console.error;
      write(...values);
    };
  }
  return () => {
    for (const [name, original] of originals) console[name] = original;
  };
}

/**
 * Keeps the process running after unhandled rejections and uncaught exceptions, which it writes to standard error.
 * Returns a function that reverts this.
 */
function reportOrphans(): () => void {
  process.on("unhandledRejection", report);
  process.on("uncaughtException", report);
  return () => {
    process.off("unhandledRejection", report);
    process.off("uncaughtException", report);
  };
}

function report(thrown: unknown): void {
  console.error(`Not caught: ${shown(thrown)}`);
}

function shown(thrown: unknown): string {
  try {
    return (thrown instanceof Error && thrown.stack) || describeThrown(thrown);
  } catch {
    return describeThrown(thrown);
  }
}
