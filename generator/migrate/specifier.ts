/** Package that has the official SDK's public shapes. */
export const PACKAGE = "@mcp-codegen/sdk";

/** Packages of the official SDK, versions 1 and 2, that our package replaces. */
const SDK =
  /^@modelcontextprotocol\/(sdk|client|server|core|node|express|hono|fastify|server-legacy)(?:\/(.*))?$/;

/** True for a module of the official SDK. */
export function isSdkSpecifier(specifier: string): boolean {
  return SDK.test(specifier);
}

/** Package of a module: its first two parts. */
export function packageOf(specifier: string): string {
  return specifier.split("/", 2).join("/");
}

/**
 * Specifier in `@mcp-codegen/sdk` for one of the official SDK: paths of version 1 stay below the package, and the
 * packages of version 2 become its paths.
 *
 * @returns `undefined` if the specifier is not one of the SDK.
 */
export function migratedSpecifier(specifier: string): string | undefined {
  const [, name, path] = SDK.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  if (name === "sdk") return `${PACKAGE}/${version1Path(path ?? "")}`;
  if (name === "server-legacy")
    return `${PACKAGE}/server/${path === "sse" ? "sse.js" : (path ?? "")}`;
  return `${PACKAGE}/${path === undefined ? name : `${name}/${path}`}`;
}

/** Deep path with its extension, as version 1 publishes it. */
function version1Path(path: string): string {
  const plain = path.replace(/^dist\/(?:esm|cjs)\//, "");
  if (plain === "" || plain.endsWith(".js")) return plain;
  return FOLDERS.has(plain) ? `${plain}/index.js` : `${plain}.js`;
}

/** Paths of version 1 that are folders. */
const FOLDERS = new Set(["client", "server", "validation", "experimental", "experimental/tasks"]);
