/** Our package with the public interface of the official SDK. */
export const PACKAGE = "@mcp-codegen/sdk";

/** Packages of the official SDK, versions 1 and 2, that our package replaces. */
const SDK =
  /^@modelcontextprotocol\/(sdk|client|server|core|node|express|hono|fastify|server-legacy)(?:\/(.*))?$/;

export function isSdkSpecifier(specifier: string): boolean {
  return SDK.test(specifier);
}

export function packageOf(specifier: string): string {
  return specifier.split("/", 2).join("/");
}

/**
 * Returns the specifier in `@mcp-codegen/sdk` that replaces one of the official SDK. Paths of version 1 are kept; the
 * packages of version 2 become paths.
 *
 * @returns undefined if the specifier is not one of the SDK
 */
export function migratedSpecifier(specifier: string): string | undefined {
  const [, name, path] = SDK.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  if (name === "sdk") return `${PACKAGE}/${version1Path(path ?? "")}`;
  if (name === "server-legacy")
    return `${PACKAGE}/server/${path === "sse" ? "sse.js" : (path ?? "")}`;
  return `${PACKAGE}/${path === undefined ? name : `${name}/${path}`}`;
}

/** Normalizes a path of version 1: without `dist`, and with its file extension. */
function version1Path(path: string): string {
  const plain = path.replace(/^dist\/(?:esm|cjs)\//, "");
  if (plain === "" || plain.endsWith(".js")) return plain;
  return FOLDERS.has(plain) ? `${plain}/index.js` : `${plain}.js`;
}

/** Paths of version 1 that are short for the `index.js` of a folder. */
const FOLDERS = new Set(["client", "server", "validation", "experimental", "experimental/tasks"]);
