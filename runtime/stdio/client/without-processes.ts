import { ConnectionClosedError } from "../../wire/index.js";
import type { StdioClientOptions } from "./stdio-client.js";

/**
 * Replaces `@mcp-codegen/runtime/stdio/client` on platforms that cannot start processes, such as browsers and Workers.
 */

/**
 * Always fails, because this platform cannot start processes.
 *
 * @throws TypeError always
 */
export function StdioClientTransport({ command }: StdioClientOptions): never {
  throw new TypeError(`${command} was not started: this platform has no processes, use a URL`);
}

/** An error class for `instanceof` tests. It is never thrown on this platform. */
export class ServerExitError extends ConnectionClosedError {
  static override readonly errorName: string = "ServerExitError";
}

export const INHERITED_VARIABLES: readonly string[] = [];

export const inheritedEnvironment = (): Record<string, string> => ({});
