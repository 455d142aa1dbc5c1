import type { Diagnostics } from "mcp-codegen";
import {
  type HostServer,
  hostServer,
  hostServers,
  readHeaders,
  readServerCommand,
  readServerUrl,
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
    const message = `${problem}: pass a URL, a name in .mcp.json, a command after --, or --config <file>.`;
    diagnostics.add(usageError(message, hint));
    return undefined;
  }
  if (url !== undefined) {
    const isUrl = /^[a-z][a-z\d+.-]*:\/\//i.test(url);
    return isUrl ? remote(url, values, diagnostics) : named(url, values, diagnostics);
  }
  if (file !== undefined) return configured(file, values, diagnostics);
  const upstream = readServerCommand(command!, values, diagnostics);
  return upstream && { upstream, place: upstream.command, secrets: Object.values(upstream.env) };
}

/** Server of a host's file, by its name. */
function named(name: string, values: Values, diagnostics: Diagnostics): GivenUpstreams | undefined {
  refuseSecrets("the file of the host", "with the name of a server", values, diagnostics);
  const upstream = hostServer(name, undefined, diagnostics);
  if (upstream === undefined || diagnostics.hasErrors) return undefined;
  return { upstream, place: name, secrets: secretsOf(upstream) };
}

/** Reports `--header` and `--env`, which belong in a file. */
function refuseSecrets(file: string, what: string, values: Values, diagnostics: Diagnostics): void {
  for (const name of ["header", "env"] as const) {
    if (values.list(name).length === 0) continue;
    const hint = `Write it into ${file}; $NAME stands for an environment variable.`;
    diagnostics.add(usageError(`--${name} cannot be combined ${what}.`, hint));
  }
}

async function remote(
  text: string,
  values: Values,
  diagnostics: Diagnostics,
): Promise<GivenUpstreams | undefined> {
  if (values.list("env").length > 0) {
    const hint = "Send secrets to a URL with --header.";
    diagnostics.add(usageError("--env applies to a command only.", hint));
  }
  const url = readServerUrl(text, diagnostics);
  const headers = readHeaders(values, diagnostics);
  if (url === undefined || headers === undefined || diagnostics.hasErrors) return undefined;
  const hasOwn = Object.hasOwn(headers, "authorization");
  const auth = hasOwn ? undefined : await storedLogin(values);
  const place = `${url.origin}${url.pathname}`;
  return { upstream: { url, headers, auth }, place, secrets: Object.values(headers) };
}

function configured(
  file: string,
  values: Values,
  diagnostics: Diagnostics,
): GivenUpstreams | undefined {
  refuseSecrets(file, "with --config", values, diagnostics);
  const upstream = hostServers(file, diagnostics);
  if (upstream === undefined || diagnostics.hasErrors) return undefined;
  return { upstream, place: file, secrets: Object.values(upstream).flatMap(secretsOf) };
}

function secretsOf(server: HostServer): string[] {
  return Object.values("url" in server ? server.headers : server.env);
}
