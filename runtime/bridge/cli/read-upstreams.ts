import type { Diagnostics } from "mcp-codegen";
import {
  expand,
  type HostServer,
  hostServers,
  readHeaders,
  readVariables,
  storedLogin,
  usageError,
  type Values,
} from "mcp-codegen/cli";
import type { Upstream } from "../upstream.js";

/** Servers of a command line. */
export interface GivenUpstreams {
  readonly upstream: Upstream | Readonly<Record<string, Upstream>>;
  /** Name of the server or of the file, for messages. */
  readonly place: string;
  /** Values that no message may contain. */
  readonly secrets: readonly string[];
}

/** Reads the servers of a command line: a URL, a command, or a file; undefined if they are invalid. */
export async function readGiven(
  values: Values,
  diagnostics: Diagnostics,
): Promise<GivenUpstreams | undefined> {
  const [url, command, file] = [values.text("url"), values.words("command"), values.text("config")];
  const count = [url, command, file].filter((one) => one !== undefined).length;
  if (count !== 1) {
    const hint = "For example: mcp-codegen bridge https://example.com/mcp";
    const problem = count === 0 ? "There is no server" : "There is more than one server";
    const message = `${problem}: pass a URL, a command after --, or --config <file>.`;
    diagnostics.add(usageError(message, hint));
    return undefined;
  }
  if (file !== undefined) return configured(file, values, diagnostics);
  return url === undefined
    ? started(command!, values, diagnostics)
    : remote(url, values, diagnostics);
}

async function remote(
  url: string,
  values: Values,
  diagnostics: Diagnostics,
): Promise<GivenUpstreams | undefined> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password) {
    const message = "The address of the server must be an http: or https: URL without credentials.";
    diagnostics.add(usageError(message, "Send them with --header, or use mcp-codegen login."));
    return undefined;
  }
  if (values.list("env").length > 0) {
    diagnostics.add(
      usageError("--env applies to a command only.", "Send secrets to a URL with --header."),
    );
  }
  const headers = readHeaders(values, diagnostics);
  if (headers === undefined || diagnostics.hasErrors) return undefined;
  const hasOwn = Object.hasOwn(headers, "authorization");
  const auth = hasOwn ? undefined : await storedLogin(values);
  return {
    upstream: { url: parsed, headers, ...(auth && { auth }) },
    place: `${parsed.origin}${parsed.pathname}`,
    secrets: Object.values(headers),
  };
}

function started(
  [command = "", ...args]: readonly string[],
  values: Values,
  diagnostics: Diagnostics,
): GivenUpstreams | undefined {
  if (command === "") {
    const hint = "For example: mcp-codegen bridge -- npx -y some-server";
    diagnostics.add(usageError("There is no command after --.", hint));
  }
  if (values.list("header").length > 0) {
    const hint = "Pass secrets to a command with --env NAME.";
    diagnostics.add(usageError("--header applies to a URL only.", hint));
  }
  const env = readVariables(values.list("env"), diagnostics);
  const words = args.map((word) => expand(word, diagnostics));
  if (env === undefined || diagnostics.hasErrors) return undefined;
  return {
    upstream: { command, args: words, env },
    place: command,
    secrets: Object.values(env),
  };
}

function configured(
  file: string,
  values: Values,
  diagnostics: Diagnostics,
): GivenUpstreams | undefined {
  for (const name of ["header", "env"] as const) {
    if (values.list(name).length === 0) continue;
    const hint = `Write it into ${file}; $NAME stands for an environment variable.`;
    diagnostics.add(usageError(`--${name} cannot be combined with --config.`, hint));
  }
  const servers = hostServers(file, diagnostics);
  if (servers === undefined || diagnostics.hasErrors) return undefined;
  return { upstream: servers, place: file, secrets: Object.values(servers).flatMap(secretsOf) };
}

function secretsOf(server: HostServer): string[] {
  return Object.values("url" in server ? server.headers : server.env);
}
