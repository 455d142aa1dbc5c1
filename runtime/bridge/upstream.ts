import type { ConnectOptions, StdioTarget } from "@mcp-codegen/universal/client";
import type { Transport } from "@mcp-codegen/runtime";

/** An HTTP server, described as in a host's configuration file. */
export interface RemoteUpstream {
  readonly url: string | URL;
  /** Headers to include in every request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The authorization for a server that requires it, such as `oauth({ … })` from `@mcp-codegen/auth/client`. */
  readonly auth?: ConnectOptions["auth"];
}

/** An upstream server: a URL, a command, or a function that creates a transport for each conversation. */
export type Upstream =
  string | URL | RemoteUpstream | StdioTarget | (() => Transport | Promise<Transport>);

export interface NamedUpstream {
  /** The server's name; empty for a single unnamed server. */
  readonly name: string;
  readonly target: string | URL | StdioTarget | (() => Transport | Promise<Transport>);
  readonly options: ConnectOptions;
}

/** The maximum length of a tool or prompt name, in characters (MCP: tools, names). */
export const LONGEST_NAME = 128;

const NAME = /^[A-Za-z0-9_.-]{1,64}$/;

export function readUpstreams(
  given: Upstream | Readonly<Record<string, Upstream>>,
  separator: string,
  common: ConnectOptions,
): readonly NamedUpstream[] {
  if (isUpstream(given)) return [read("", given, common)];
  const entries = typeof given === "object" && given !== null ? Object.entries(given) : [];
  if (entries.length === 0) {
    throw new TypeError("bridge() needs a server, or servers by name: { github: url, … }");
  }
  if (!/^[A-Za-z0-9_.-]+$/.test(separator)) {
    throw new TypeError("separator: one or more letters, digits, `_`, `-` or `.`");
  }
  const names = entries.map(([name]) => name);
  for (const name of names) {
    if (!NAME.test(name)) {
      const rule = "1 to 64 letters, digits, `_`, `-` or `.`";
      throw new TypeError(`${JSON.stringify(name)} is not a name for a server: use ${rule}`);
    }
    const longer = names.find((one) => one !== name && one.startsWith(`${name}${separator}`));
    if (longer !== undefined) {
      const why = `their tools cannot be distinguished with the separator ${JSON.stringify(separator)}`;
      throw new TypeError(`The names ${name} and ${longer} collide: ${why}`);
    }
  }
  return entries.map(([name, upstream]) => {
    if (isUpstream(upstream)) return read(name, upstream, common);
    throw new TypeError(`${name}: expected a URL, { url } or { command }`);
  });
}

function isUpstream(given: unknown): given is Upstream {
  if (typeof given === "string" || typeof given === "function" || given instanceof URL) return true;
  if (typeof given !== "object" || given === null) return false;
  const { command, url } = given as { readonly command?: unknown; readonly url?: unknown };
  return typeof command === "string" || typeof url === "string" || url instanceof URL;
}

function read(name: string, given: Upstream, common: ConnectOptions): NamedUpstream {
  if (typeof given === "object" && "url" in given) {
    const { url, headers, auth } = given;
    const own = { ...(headers && { headers }), ...(auth && { auth }) };
    return { name, target: urlOf(url), options: { ...common, ...own } };
  }
  const target = typeof given === "string" ? urlOf(given) : given;
  return { name, target, options: common };
}

/**
 * Reads a server's URL.
 *
 * @throws TypeError if it is not an HTTP URL; the message omits the URL, which may contain a secret
 */
function urlOf(given: string | URL): URL {
  const url = typeof given === "string" && URL.canParse(given) ? new URL(given) : given;
  if (url instanceof URL && /^https?:$/.test(url.protocol)) return url;
  throw new TypeError("A server is an http: or https: URL, or { command, args }");
}
