/** Package that has the official SDK's public shapes. */
export const PACKAGE = "@mcp-codegen/sdk";

/** Packages of version 2 whose paths are below one of ours. */
const VERSION_2 = "client|server|core|node|express|hono|fastify";

/**
 * Specifier in `@mcp-codegen/sdk` for one of the official SDK, version 1 or 2.
 *
 * @returns `undefined` where the specifier is none of the SDK's.
 */
export function migratedSpecifier(specifier: string): string | undefined {
  const [, version1] = /^@modelcontextprotocol\/sdk(?:\/(.*))?$/.exec(specifier) ?? [];
  if (version1 !== undefined) return `${PACKAGE}/${version1Path(version1)}`;
  if (specifier === "@modelcontextprotocol/server-legacy/sse") return `${PACKAGE}/server/sse.js`;
  const [, path] =
    new RegExp(`^@modelcontextprotocol/((?:${VERSION_2})(?:/.*)?)$`).exec(specifier) ?? [];
  return path && `${PACKAGE}/${path}`;
}

/** Deep path with its extension, as version 1 publishes it. */
function version1Path(path: string): string {
  const plain = path.replace(/^dist\/(?:esm|cjs)\//, "");
  if (plain.endsWith(".js")) return plain;
  return /^(?:client|server)$/.test(plain) ? `${plain}/index.js` : `${plain}.js`;
}
