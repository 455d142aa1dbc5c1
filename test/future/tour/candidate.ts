import type { ConnectOptions, McpClient, McpServer } from "@mcp-codegen/universal";

/** Handlers of the client for messages that only an invented revision has. */
export const handlers: NonNullable<ConnectOptions["handlers"]> = {};

/** Things that only an invented revision has, offered by the server; in place of this module stands that of a candidate. */
export function offer(_server: McpServer): void {}

/** The same, used by the client at that revision. */
export async function use(_client: McpClient): Promise<unknown> {
  return undefined;
}
