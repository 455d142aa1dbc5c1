import type { FramingOptions } from "../../wire/index.js";

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
   * What happens to the server's standard error. Its last lines are kept for error messages, and all of it goes to
   * this process's (`forward`), nowhere (`keep`), or to a function; `ignore` throws it away. Default: `forward`.
   */
  readonly stderr?: "keep" | "forward" | "ignore" | ((text: string) => void);
  /** How long closing waits before each harsher step, in milliseconds. Default: 2000. */
  readonly closeGrace?: number;
  /** Most bytes that may wait for a server that does not read, before the connection fails. Default: 64 MiB. */
  readonly maxWaitingBytes?: number;
}
