/** Package with the public interface of the official SDK. */
export const PACKAGE = "@mcp-codegen/sdk";

/** Packages of the official SDK, versions 1 and 2, that our package replaces. */
const SDK =
  /^@modelcontextprotocol\/(sdk|client|server|core|node|express|hono|fastify|server-legacy)(?:\/(.*))?$/;

/** True for a module of the official SDK. */
export function isSdkSpecifier(specifier: string): boolean {
  return SDK.test(specifier);
}

/** Returns the package of a module: the first two parts of its specifier. */
export function packageOf(specifier: string): string {
  return specifier.split("/", 2).join("/");
}

/**
 * Returns the specifier in `@mcp-codegen/sdk` for one of the official SDK. Paths of version 1 are kept below the
 * package; the packages of version 2 become paths of it.
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

/** Returns a path of version 1 with its file extension, as that version exports it. */
function version1Path(path: string): string {
  const plain = path.replace(/^dist\/(?:esm|cjs)\//, "");
  if (plain === "" || plain.endsWith(".js")) return plain;
  return FOLDERS.has(plain) ? `${plain}/index.js` : `${plain}.js`;
}

/** Paths of version 1 that stand for a folder, that is, for its `index.js`. */
const FOLDERS = new Set(["client", "server", "validation", "experimental", "experimental/tasks"]);
