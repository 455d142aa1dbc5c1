import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { isWithin } from "../../ground/index.js";
import {
  ConnectionClosedError,
  type Frame,
  type Malformed,
  type Receiver,
  type Transport,
  UsedTransportError,
  quote,
} from "../../wire/index.js";
import { type ChannelOptions, StdioChannel } from "../stdio-channel.js";

type StderrMode = "keep" | "forward" | "ignore" | ((text: string) => void);

export interface StdioClientOptions extends ChannelOptions {
  /**
   * The program, which is started without a shell. On Windows, it may also be a script such as `npx`, which is a `.cmd`
   * file there.
   */
  readonly command: string;
  readonly args?: readonly string[];
  /** The working directory. Default: this process's working directory. */
  readonly cwd?: string;
  /** Environment variables for the server, in addition to those of {@link inheritedEnvironment}. Default: none. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The destination of the server's standard error. `forward`: this process's standard error; `keep` and `ignore`:
   * nowhere; a function: called with the text. Except with `ignore`, the last lines are kept for error messages.
   * Default: `forward`.
   */
  readonly stderr?: StderrMode;
  /** The time that closing waits before SIGTERM, and again before SIGKILL, in milliseconds. Default: 2000. */
  readonly closeGrace?: number;
  /**
   * True to kill the server if this process exits without having closed the transport. A server that exits when its
   * input ends does not need this. Default: false.
   */
  readonly killAtExit?: boolean;
}

/** Servers to kill when this process exits. */
const mortal = new Set<ChildProcess>();

function killAll(): void {
  for (const child of mortal) child.kill("SIGKILL");
}

function killAtExit(child: ChildProcess): void {
  if (mortal.size === 0) process.on("exit", killAll);
  mortal.add(child);
  child.once("exit", () => {
    mortal.delete(child);
    if (mortal.size === 0) process.off("exit", killAll);
  });
}

/** The error for a server process that has exited. The `message` contains the last lines of its standard error. */
export class ServerExitError extends ConnectionClosedError {
  static override readonly errorName: string = "ServerExitError";
  /** The process's exit code, or null if it was ended by a signal. */
  readonly exitCode: number | null;
  readonly exitSignal: NodeJS.Signals | null;
  /** The last lines of the process's standard error, if they were kept. */
  readonly stderr: string;

  constructor(
    command: string,
    exitCode: number | null,
    exitSignal: NodeJS.Signals | null,
    stderr: string,
  ) {
    const how = exitSignal === null ? `exited with code ${exitCode}` : `was ended by ${exitSignal}`;
    super(`The server ${command} ${how}${stderr === "" ? "" : `; it wrote:\n${stderr}`}`);
    this.exitCode = exitCode;
    this.exitSignal = exitSignal;
    this.stderr = stderr;
  }
}

/**
 * The time to wait for more output after a process has exited, or for the process to exit after its output has ended,
 * in milliseconds.
 */
const EXIT_GRACE = 250;

/** The default of `maxLineBytes`. It must be large, because a document or an image arrives in one line. */
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * Client transport for stdio: starts the server as a child process. Closing ends its input, then sends SIGTERM,
 * then SIGKILL, and resolves when the process has exited.
 *
 * @example
 * ```ts
 * const transport = new StdioClientTransport({
 *   command: "npx",
 *   args: ["-y", "some-server"],
 *   env: { API_KEY: "…" },
 *   stderr: "keep",
 * });
 * const client = await connect(transport);
 * ```
 */
export class StdioClientTransport implements Transport {
  readonly #options: StdioClientOptions;
  readonly #tail: StderrTail;
  #starting: Promise<ChildProcess> | undefined;
  #closing: Promise<void> | undefined;
  #child: ChildProcess | undefined;
  #channel: StdioChannel | undefined;
  #exited: Promise<void> = Promise.resolve();
  #outputEnded: Promise<void> = Promise.resolve();

  /** @throws TypeError if there is no `command` */
  constructor(options: StdioClientOptions) {
    if (!options?.command) throw new TypeError("A stdio client needs { command, args }");
    this.#options = options;
    this.#tail = stderrTail(options.stderr ?? "forward");
  }

  /** The server's process id, once it has started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /**
   * Starts the server. Resolves when its process has been created.
   *
   * @throws ConnectionClosedError if the program cannot be started
   */
  async start(receiver: Receiver): Promise<void> {
    if (this.#starting || this.#closing) throw new UsedTransportError();
    this.#starting = spawned(this.#options, this.#options.stderr !== "ignore");
    const child = await this.#starting;
    this.#child = child;
    if (child.stderr) this.#tail.read(child.stderr);
    this.#exited = new Promise((resolve) => {
      child.once("exit", () => resolve());
    });
    this.#outputEnded = new Promise((resolve) => {
      this.#open(receiver, child, resolve);
    });
    void this.#exited.then(() => this.#reportExit(receiver, child));
  }

  send(frame: Frame): Promise<void> | undefined {
    return this.#channel?.send(frame);
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const child = await this.#starting?.catch(() => undefined);
    if (child === undefined) return;
    const { closeGrace = 2000 } = this.#options;
    await this.#channel?.close();
    child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      if (await isWithin(closeGrace, this.#exited)) break;
      child.kill(signal);
    }
    await this.#exited;
    release(child);
  }

  #open(receiver: Receiver, { stdin, stdout }: ChildProcess, onended: () => void): void {
    const { maxLineBytes = LONGEST_LINE } = this.#options;
    this.#channel = new StdioChannel(stdout!, stdin!, {
      ...this.#options,
      maxLineBytes,
      side: "client",
    });
    this.#channel.start({
      message: (value) => receiver.message(value),
      malformed: (malformed) => receiver.malformed(strayOutput(malformed)),
      failed: (id, error) => receiver.failed(id, error),
      closed: (error) => receiver.closed(error),
      ended: () => {
        onended();
        void this.#reportEnd(receiver);
      },
    });
  }

  /**
   * Reports that the output has ended, unless the server exits soon, because the report of its exit contains more
   * details.
   */
  async #reportEnd(receiver: Receiver): Promise<void> {
    if (!(await isWithin(EXIT_GRACE, this.#exited))) receiver.ended();
  }

  /**
   * Reports that the server has exited. Its last output may still arrive after it exits, and a process started by the
   * server may keep the pipe open.
   */
  async #reportExit(receiver: Receiver, child: ChildProcess): Promise<void> {
    if (this.#closing) return;
    await isWithin(EXIT_GRACE, this.#outputEnded);
    release(child);
    const { exitCode, signalCode } = child;
    receiver.closed(
      new ServerExitError(this.#options.command, exitCode, signalCode, this.#tail.text()),
    );
  }
}

async function spawned(options: StdioClientOptions, withStderr: boolean): Promise<ChildProcess> {
  const { command, args = [], cwd, env } = options;
  // Windows starts scripts only through a shell; cross-spawn finds and quotes them.
  const start = process.platform === "win32" ? (await import("cross-spawn")).default : spawn;
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => {
      const advice = /\s/.test(command) ? "; arguments belong in args" : "";
      reject(
        new ConnectionClosedError(`Cannot start ${command}: ${cause.message}${advice}`, { cause }),
      );
    };
    try {
      const child = start(command, args, {
        cwd,
        env: { ...inheritedEnvironment(), ...env },
        stdio: ["pipe", "pipe", withStderr ? "pipe" : "ignore"],
        windowsHide: true,
      });
      child.on("error", fail);
      child.once("spawn", () => {
        if (options.killAtExit) killAtExit(child);
        resolve(child);
      });
    } catch (error) {
      fail(error as Error);
    }
  });
}

/**
 * Closes the pipes. A process started by the server may otherwise keep them open, which would keep this process alive.
 */
function release({ stdin, stdout, stderr }: ChildProcess): void {
  for (const stream of [stdin, stdout, stderr]) stream?.destroy();
}

/** Adds advice to the error for output that is not a message, which is the most common mistake in servers. */
function strayOutput(malformed: Malformed): Malformed {
  const { text } = malformed;
  if (text === undefined) return malformed;
  const advice = "only messages belong there, all else on standard error";
  const problem = `the server wrote ${quote(text)} to its standard output: ${advice}`;
  return { ...malformed, problem };
}

const KEPT_CHARACTERS = 8192;
const KEPT_LINES = 20;

/** The last part of a child's standard error. It is always read, so that the child never blocks. */
interface StderrTail {
  text(): string;
  read(stream: Readable): void;
}

function stderrTail(mode: StderrMode): StderrTail {
  const decoder = new TextDecoder();
  let kept = "";
  return {
    text: () => kept.trimEnd().split("\n").slice(-KEPT_LINES).join("\n"),
    read(stream) {
      stream.on("error", () => {});
      stream.on("data", (chunk: Uint8Array) => {
        const text = decoder.decode(chunk, { stream: true });
        kept = (kept + text).slice(-KEPT_CHARACTERS);
        if (mode === "forward") process.stderr.write(chunk);
        else if (typeof mode === "function") mode(text);
      });
    },
  };
}

/** The names of the variables that a child process needs to find its programs, home directory and locale. */
export const INHERITED_VARIABLES: readonly string[] =
  process.platform === "win32"
    ? [
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
      ]
    : ["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"];

/**
 * Returns this process's variables that every server process inherits. They contain no secrets and no shell functions.
 */
export function inheritedEnvironment(): Record<string, string> {
  const inherited = INHERITED_VARIABLES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined || value.startsWith("()") ? [] : [[name, value] as const];
  });
  return Object.fromEntries(inherited);
}
