/** Members of `_meta` that the protocol defines (MCP: `_meta`). */
export const META = {
  revision: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscription: "io.modelcontextprotocol/subscriptionId",
  relatedTask: "io.modelcontextprotocol/related-task",
} as const;

/**
 * Removes `serverInfo` from metadata that was received from another server, so that forwarded
 * results do not claim its identity.
 */
export function withoutServerInfo(meta: Record<string, unknown>): Record<string, unknown> {
  if (!Object.hasOwn(meta, META.serverInfo)) return meta;
  const { [META.serverInfo]: _, ...others } = meta;
  return others;
}
