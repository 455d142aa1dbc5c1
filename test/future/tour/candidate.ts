import type { ConnectOptions, McpClient, McpServer } from "@mcp-codegen/universal";

/** The client's handlers for messages that only an invented revision has. */
export const handlers: NonNullable<ConnectOptions["handlers"]> = {};

/** Makes the server offer features that only an invented revision has. A candidate's module replaces this one. */
export function offer(_server: McpServer): void {}

/** Makes the client use these features at that revision. */
export async function use(_client: McpClient): Promise<unknown> {
  return undefined;
}
