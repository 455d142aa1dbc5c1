import type { ConnectOptions, McpClient, McpServer } from "@mcp-codegen/universal";

/** Handlers of the client for messages that only an invented revision has. */
export const handlers: NonNullable<ConnectOptions["handlers"]> = {};

/**
 * Features that only an invented revision has, offered by the server; the module of a candidate
 * replaces this one.
 */
export function offer(_server: McpServer): void {}

/** The same, used by the client at that revision. */
export async function use(_client: McpClient): Promise<unknown> {
  return undefined;
}
