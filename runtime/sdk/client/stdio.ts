import {
  INHERITED_VARIABLES,
  inheritedEnvironment,
  StdioClientTransport as NativeStdio,
} from "@mcp-codegen/runtime/stdio/client";
import { PassThrough, type Stream, Writable } from "node:stream";
import { NativeTransport } from "../shared/index.js";

/** The names of the environment variables that a server inherits by default. */
export const DEFAULT_INHERITED_ENV_VARS: string[] = /* @__PURE__ */ Array.from(INHERITED_VARIABLES);

/** Returns the environment variables that a server inherits by default. */
export function getDefaultEnvironment(): Record<string, string> {
  return inheritedEnvironment();
}

/** A server program, with its arguments and environment. */
export interface StdioServerParameters {
  command: string;
  args?: string[] | undefined;
  /** The environment variables to add to those inherited by default. */
  env?: Record<string, string> | undefined;
  /** The destination of standard error: `inherit`, `pipe` (the `stderr` property), `ignore`, or a stream. */
  stderr?:
    "inherit" | "pipe" | "overlapped" | "ignore" | "ipc" | Stream | number | null | undefined;
  cwd?: string | undefined;
}

/**
 * A client transport that starts a server as a child process and communicates with it over standard input and output.
 */
export class StdioClientTransport extends NativeTransport {
  private readonly _nativeStdio: NativeStdio;
  private readonly _stderr: PassThrough | null;

  constructor({ command, args, env, cwd, stderr = "inherit" }: StdioServerParameters) {
    const isPiped = stderr === "pipe" || stderr === "overlapped";
    const piped = isPiped ? new PassThrough() : null;
    const target = piped ?? (stderr instanceof Writable ? stderr : undefined);
    const mode = target ? (text: string) => void target.write(text) : undefined;
    const native = new NativeStdio({
      command,
      ...(args ? { args } : {}),
      ...(env ? { env } : {}),
      ...(cwd === undefined ? {} : { cwd }),
      stderr: mode ?? (stderr === "ignore" ? "ignore" : "forward"),
    });
    super(native);
    this._nativeStdio = native;
    this._stderr = piped;
  }

  /**
   * The server's standard error, if the `stderr` option is `pipe`. The stream can be read before the server starts, so
   * that no output is missed.
   */
  get stderr(): Stream | null {
    return this._stderr;
  }

  /** The server's process id; null before the server is started. */
  get pid(): number | null {
    return this._nativeStdio.pid ?? null;
  }
}
