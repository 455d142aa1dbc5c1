import type { FramingOptions, Transport } from "../../wire/index.js";
import type { Restart, RestartSchedule } from "./live-connection.js";

/** Server program, and how to start it: options of `StdioClientTransport`, without Node's types. */
export interface StdioTarget extends FramingOptions {
  /**
   * Program, started without a shell. On Windows it may also be a script such as `npx`, which has
   * another extension there.
   */
  readonly command: string;
  readonly args?: readonly string[];
  /** Working directory. Default: that of this process. */
  readonly cwd?: string;
  /** Variables in addition to those that every process needs. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Destination of the server's standard error. Its last lines are kept for error messages;
   * everything goes to this process's standard error (`forward`), nowhere (`keep`), or to a
   * function. `ignore` discards it all. Default: `forward`.
   */
  readonly stderr?: "keep" | "forward" | "ignore" | ((text: string) => void);
  /** Time before each harsher step of closing, in milliseconds. Default: 2000. */
  readonly closeGrace?: number;
  /**
   * Restarts of a process that has ended unexpectedly: when the next message is sent, or at once if
   * there are listeners. Requests in progress reject with its `ServerExitError`. False: the
   * connection ends with the process. Default: at most 5 in a row.
   */
  readonly restart?: boolean | Restart;
  /**
   * Maximum number of bytes that may wait for a server that does not read; then the connection
   * fails. Default: 64 MiB.
   */
  readonly maxWaitingBytes?: number;
}

/** Server to connect to, and the transport to it. */
export interface ServerLocation {
  /** Identifies the server; undefined if nothing is known about it. */
  readonly name: string | undefined;
  /** True if a second connection to it is possible. */
  readonly canRepeat: boolean;
  /** Schedule for restarting it; absent if it is not restarted. */
  readonly restart?: RestartSchedule | undefined;
  connection(hooks: ConnectionHooks): Transport | Promise<Transport>;
}

/** Observers of a connection while it lasts. */
export interface ConnectionHooks {
  /** Called when the server has ended a session, and another one was opened. */
  readonly onrestart: (opened: Readonly<Record<string, unknown>>) => void | Promise<void>;
  /** Called when change notifications may have been missed. */
  readonly ongap: () => void;
}

/**
 * True if each request has its own exchange, so that silence does not show the kind of the server.
 */
export function isHttp(transport: Transport): boolean {
  return transport.hooks?.stateless !== undefined;
}
