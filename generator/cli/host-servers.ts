import { existsSync } from "node:fs";
import type { Diagnostics } from "../diagnostics.js";
import { readText } from "../load/read-bytes.js";
import { usageError } from "./explain-usage.js";
import { expand } from "./secrets.js";
import { suggest } from "./suggest.js";

/** A server, as the configuration file of a host describes it. */
export type HostServer =
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

/** Files that hosts read for the servers of a project. */
const USUAL_FILES = [".mcp.json", "mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"];

const EXAMPLE =
  'For example: { "mcpServers": { "notes": { "command": "node", "args": ["server.js"] } } }';

const MAX_BYTES = 1 << 20;

/** Reads one entry of such a file, and replaces the environment variables in it; undefined if there is none. */
export function hostServer(
  name: string,
  path: string | undefined,
  diagnostics: Diagnostics,
): HostServer | undefined {
  const file = path ?? USUAL_FILES.find((usual) => existsSync(usual));
  if (file === undefined) {
    const message = `${JSON.stringify(name)} is not a URL, and there is no ${USUAL_FILES.join(", ")}.`;
    const hint = "Pass a URL or a command after --, or write such a file.";
    diagnostics.add(usageError(message, hint));
    return undefined;
  }
  const servers = serversIn(file, diagnostics);
  if (servers === undefined) return undefined;
  const entry = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (isObject(entry)) return serverOf(entry, `${file}: ${name}`, diagnostics);
  const names = Object.keys(servers);
  const hint = suggest(name, names) ?? `The servers are: ${names.join(", ")}.`;
  diagnostics.add(usageError(`${file} has no server ${JSON.stringify(name)}.`, hint));
  return undefined;
}

/** Reads all entries of such a file; undefined if one is invalid, which the diagnostics report. */
export function hostServers(
  file: string,
  diagnostics: Diagnostics,
): Readonly<Record<string, HostServer>> | undefined {
  const servers = serversIn(file, diagnostics);
  if (servers === undefined) return undefined;
  const all = Object.entries(servers).map(([name, entry]) => {
    const place = `${file}: ${name}`;
    return [name, serverOf(isObject(entry) ? entry : {}, place, diagnostics)] as const;
  });
  if (all.length === 0) diagnostics.add(usageError(`${file} lists no servers.`, EXAMPLE));
  if (diagnostics.hasErrors) return undefined;
  return Object.fromEntries(all) as Record<string, HostServer>;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function serversIn(
  file: string,
  diagnostics: Diagnostics,
): Readonly<Record<string, unknown>> | undefined {
  let [problem, hint] = ["it has neither `mcpServers` nor `servers`", EXAMPLE];
  try {
    const content: unknown = JSON.parse(readText(file, MAX_BYTES));
    const found = isObject(content) ? (content["mcpServers"] ?? content["servers"]) : undefined;
    if (isObject(found)) return found;
  } catch (error) {
    const isAbsent = !existsSync(file);
    problem = isAbsent ? "it does not exist" : "it cannot be read";
    hint = isAbsent ? `Create it, or name another file. ${EXAMPLE}` : "Check its rights.";
    if (error instanceof SyntaxError) [problem, hint] = ["it is not valid JSON", EXAMPLE];
  }
  diagnostics.add(usageError(`No servers found in ${file}: ${problem}.`, hint));
  return undefined;
}

function serverOf(
  entry: Readonly<Record<string, unknown>>,
  place: string,
  diagnostics: Diagnostics,
): HostServer | undefined {
  const { url, command, args = [] } = entry;
  const texts = (value: unknown): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(isObject(value) ? value : {}).map(([key, text]) => [
        key,
        expand(String(text), diagnostics),
      ]),
    );
  if (typeof url === "string") return { url, headers: texts(entry["headers"]) };
  if (typeof command === "string" && Array.isArray(args)) {
    const words = args.map((word) => expand(String(word), diagnostics));
    return { command, args: words, env: texts(entry["env"]) };
  }
  diagnostics.add(usageError(`${place} has neither \`url\` nor \`command\`.`, EXAMPLE));
  return undefined;
}
