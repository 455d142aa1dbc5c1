import type { Diagnostic, Diagnostics } from "../diagnostics.js";
import type { Values } from "./command.js";
import { usageError } from "./explain-usage.js";
import { type HostServer, hostServer, hostServers } from "./host-servers.js";
import { expand, readHeaders, readVariables, withoutSecrets } from "./secrets.js";

export interface NamedServer {
  readonly target: UrlTarget | CommandTarget;
  /** The URL or program name to show in messages. */
  readonly place: string;
  /** The values that must not appear in messages. */
  readonly secrets: readonly string[];
}

interface UrlTarget {
  readonly url: URL;
  /** The header values, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

interface CommandTarget {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface ServerWords {
  /** A URL, or the name of an entry in a host's file. */
  readonly text?: string | undefined;
  readonly command?: readonly string[] | undefined;
  /** The path of the host's file. Default: the first of the usual files that exists. */
  readonly file?: string | undefined;
}

export function readServer(
  { text, command, file }: ServerWords,
  values: Values,
  diagnostics: Diagnostics,
  hint?: string,
): NamedServer | undefined {
  const before = diagnostics.items.length;
  let server: NamedServer | undefined;
  if (text === undefined) server = readServerCommand(command ?? [], values, diagnostics);
  else if (/^[a-z][a-z\d+.-]*:\/\//i.test(text))
    server = atUrl({ url: text, headers: {}, secrets: [] }, values, diagnostics, hint);
  else if (/^[\w.-]+:\d+(?:\/|$)/.test(text)) {
    const message = `${JSON.stringify(text)} is not a URL.`;
    diagnostics.add(usageError(message, `Did you mean http://${text}?`));
  } else {
    const entry = hostServer(text, file, diagnostics);
    server = entry && readEntry(entry, values, diagnostics);
  }
  return diagnostics.items.length > before ? undefined : server;
}

export function readServers(
  file: string,
  values: Values,
  diagnostics: Diagnostics,
): Readonly<Record<string, NamedServer>> | undefined {
  const entries = hostServers(file, diagnostics);
  if (entries === undefined) return undefined;
  const servers = Object.entries(entries).map(
    ([name, entry]) => [name, readEntry(entry, values, diagnostics)] as const,
  );
  return diagnostics.hasErrors
    ? undefined
    : (Object.fromEntries(servers) as Record<string, NamedServer>);
}

/** Combines an entry with the headers and variables from the command line, which take precedence. */
function readEntry(
  entry: HostServer,
  values: Values,
  diagnostics: Diagnostics,
): NamedServer | undefined {
  if ("url" in entry) return atUrl(entry, values, diagnostics);
  const { secrets, ...target } = entry;
  return started(target, secrets, values, diagnostics);
}

function readServerCommand(
  words: readonly string[],
  values: Values,
  diagnostics: Diagnostics,
): (NamedServer & { readonly target: CommandTarget }) | undefined {
  const found: string[] = [];
  const [command = "", ...args] = words.map((word) => expand(word, diagnostics, found));
  if (command === "") {
    const hint = "For example: -- npx -y some-server";
    diagnostics.add(usageError("There is no command after --.", hint));
  }
  return started({ command, args, env: {} }, found, values, diagnostics);
}

function started(
  target: CommandTarget,
  found: readonly string[],
  values: Values,
  diagnostics: Diagnostics,
): (NamedServer & { readonly target: CommandTarget }) | undefined {
  if (values.list("header").length > 0) {
    const hint = "Pass secrets to a command with --env NAME.";
    diagnostics.add(usageError("--header applies to a URL only.", hint));
  }
  const own = readVariables(values.list("env"), diagnostics);
  if (own === undefined || diagnostics.hasErrors) return undefined;
  const env = { ...target.env, ...own };
  const secrets = [...Object.values(env), ...found];
  return { target: { ...target, env }, place: withoutSecrets(target.command, found), secrets };
}

function atUrl(
  entry: Extract<HostServer, { readonly url: string }>,
  values: Values,
  diagnostics: Diagnostics,
  hint?: string,
): NamedServer | undefined {
  if (values.list("env").length > 0) {
    const advice = "Send secrets to a URL with --header.";
    diagnostics.add(usageError("--env applies to a command only.", advice));
  }
  const url = readServerUrl(entry.url, diagnostics, hint);
  const own = readHeaders(values, diagnostics);
  if (url === undefined || own === undefined) return undefined;
  const given = Object.entries(entry.headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  const headers = { ...Object.fromEntries(given), ...own };
  const found = [...entry.secrets, ...secretsIn(url)];
  const place = withoutSecrets(`${url.origin}${url.pathname}`, found);
  return { target: { url, headers }, place, secrets: [...Object.values(headers), ...found] };
}

/** Returns the values in a URL's query, both decoded and as written, because they may be secrets. */
export function secretsIn(url: URL): readonly string[] {
  const written = url.search.split(/[?&]/).map((pair) => pair.slice(pair.indexOf("=") + 1));
  return [...url.searchParams.values(), ...written].filter((value) => value !== "");
}

/** Reads a server's URL. The diagnostic does not repeat an invalid URL, which may contain credentials. */
export function readServerUrl(
  text: string,
  diagnostics: Diagnostics,
  hint = "Send credentials with --header, or log in with mcp-codegen login.",
): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
  const problem =
    "The address of the server must be an http: or https: URL without a user or password.";
  diagnostics.add(usageError(problem, hint));
  return undefined;
}

export function cannotReach(
  place: string,
  reason: string,
  secrets: readonly string[],
  hint: string,
): Diagnostic {
  const isPlain = /^EPROTO$|:wrong version number:/.test(reason);
  const line = isPlain
    ? "the port answers http, not https"
    : lineIn(withoutSecrets(reason, secrets));
  const message = `${place} cannot be reached: ${line}.`.replace(/\.+$/, ".");
  return { code: "MCG9101", severity: "error", message, hint };
}

/**
 * Returns the first line of a message. If it is followed by a server's output, adds the output line that names the
 * error or, failing that, the last line.
 */
function lineIn(message: string): string {
  const [first = "", ...others] = message.split("\n");
  if (!first.endsWith("it wrote:")) return first;
  const written = others.map((line) => line.trim()).filter((line) => line !== "");
  const named = written.find((line) => /^\w*(?:Error|Exception)\b.*: /.test(line));
  return `${first} ${named ?? written.at(-1) ?? "nothing"}`;
}
