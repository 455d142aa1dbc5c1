import type { FramingOptions } from "../../wire/framing/index.js";

/**
 * Schedule for restarting a server that has ended. Times are in milliseconds; each failure doubles
 * the wait.
 */
export interface Restart {
  /** Maximum number of consecutive restarts of a server that keeps ending. Default: 5. */
  readonly retries?: number | undefined;
  /** Wait before the second consecutive restart; the first one is immediate. Default: 500. */
  readonly initialDelay?: number | undefined;
  /** Longest wait. Default: 10 000. */
  readonly maxDelay?: number | undefined;
}

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
   * True to kill the server if this process exits without closing the client. A server that ends with its input does not
   * need that. Default: false.
   */
  readonly killAtExit?: boolean;
  /**
   * Restarts of a process that has ended unexpectedly: when the next message is sent, or immediately if there are
   * listeners. Requests in progress reject with a `ServerExitError`. False: the connection ends with the process.
   * Default: at most 5 consecutive restarts.
   */
  readonly restart?: boolean | Restart;
  /**
   * Maximum number of bytes that may wait for a server that does not read; above it, the connection fails. Default:
   * 64 MiB.
   */
  readonly maxWaitingBytes?: number;
}
