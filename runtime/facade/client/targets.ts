import type { FramingOptions } from "../../wire/framing/index.js";

/**
 * The schedule for restarting a server that has ended. Times are in milliseconds, and each failure doubles the wait.
 */
export interface Restart {
  /** The maximum number of consecutive restarts of a server that keeps ending. Default: 5. */
  readonly retries?: number | undefined;
  /** The wait before the second consecutive restart; the first is immediate. Default: 500. */
  readonly initialDelay?: number | undefined;
  /** The longest wait. Default: 10,000. */
  readonly maxDelay?: number | undefined;
}

/** A server program and how to start it: the options of `StdioClientTransport`, without Node's types. */
export interface StdioTarget extends FramingOptions {
  /**
   * The program, which is started without a shell. On Windows, it may also be a script such as `npx`, which has a
   * different extension there.
   */
  readonly command: string;
  readonly args?: readonly string[];
  /** The working directory. Default: that of this process. */
  readonly cwd?: string;
  /** Environment variables in addition to those that every process needs. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The destination of the server's standard error. Its last lines are kept for error messages. All of it is also
   * written to this process's standard error (`forward`), written nowhere (`keep`), or passed to a function. `ignore`
   * discards it all. Default: `forward`.
   */
  readonly stderr?: "keep" | "forward" | "ignore" | ((text: string) => void);
  /** The time before each harsher step of closing, in milliseconds. Default: 2000. */
  readonly closeGrace?: number;
  /**
   * True to kill the server if this process exits without closing the client. A server that ends when its input ends
   * does not need that. Default: false.
   */
  readonly killAtExit?: boolean;
  /**
   * Controls restarts of a process that has ended unexpectedly. It is restarted when the next message is sent, or
   * immediately if there are listeners. Requests in progress reject with a `ServerExitError`. With false, the
   * connection ends with the process. Default: at most 5 consecutive restarts.
   */
  readonly restart?: boolean | Restart;
  /**
   * The maximum number of bytes that may wait for a server that does not read. If it is exceeded, the connection fails.
   * Default: 64 MiB.
   */
  readonly maxWaitingBytes?: number;
}
