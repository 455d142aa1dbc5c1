import type { FramingOptions } from "../../wire/index.js";
import type { Restart } from "./restart-schedule.js";

/** A program that is a server, and how to start it: options of `StdioClientTransport`, without Node's types. */
export interface StdioTarget extends FramingOptions {
  /** The program, started without a shell; on Windows also a script such as `npx`, which has its own extension there. */
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
  /** Time that closing waits before each harsher step, in milliseconds. Default: 2000. */
  readonly closeGrace?: number;
  /**
   * Restarts of a process that has ended unexpectedly: when something is sent again, or at once while somebody waits for
   * news. Requests that were under way reject with its `ServerExitError`. False: the connection ends with the process.
   * Default: 5 in a row at most.
   */
  readonly restart?: boolean | Restart;
  /** Most bytes that may wait for a server that does not read, before the connection fails. Default: 64 MiB. */
  readonly maxWaitingBytes?: number;
}
