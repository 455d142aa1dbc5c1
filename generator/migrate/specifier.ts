/** Our package, which has the public interface of the official SDK. */
export const PACKAGE = "@mcp-codegen/sdk";

/** Matches the packages of the official SDK, versions 1 and 2, that our package replaces. */
const SDK =
  /^@modelcontextprotocol\/(sdk|client|server|core|node|express|hono|fastify|server-legacy)(?:\/(.*))?$/;

export function isSdkSpecifier(specifier: string): boolean {
  return SDK.test(specifier);
}

export function packageOf(specifier: string): string {
  return specifier.split("/", 2).join("/");
}

/**
 * Returns the specifier in `@mcp-codegen/sdk` that replaces one from the official SDK. Version 1 paths are kept;
 * version 2 packages become paths.
 *
 * @returns undefined if the specifier does not belong to the SDK
 */
export function migratedSpecifier(specifier: string): string | undefined {
  const [, name, path] = SDK.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  if (name === "sdk") return `${PACKAGE}/${version1Path(path ?? "")}`;
  if (name === "server-legacy")
    return `${PACKAGE}/server/${path === "sse" ? "sse.js" : (path ?? "")}`;
  return `${PACKAGE}/${path === undefined ? name : `${name}/${path}`}`;
}

/** Normalizes a version 1 path: removes `dist`, and adds the file extension. */
function version1Path(path: string): string {
  const plain = path.replace(/^dist\/(?:esm|cjs)\//, "");
  if (plain === "" || plain.endsWith(".js")) return plain;
  return FOLDERS.has(plain) ? `${plain}/index.js` : `${plain}.js`;
}

/** Version 1 paths that are short for a folder's `index.js`. */
const FOLDERS = new Set(["client", "server", "validation", "experimental", "experimental/tasks"]);
