import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import type { Diagnostics } from "../diagnostics.js";
import { readText } from "../load/read-bytes.js";
import { usageError } from "./explain-usage.js";
import { variable } from "./secrets.js";
import { suggest } from "./suggest.js";

/** A server from a host's configuration file, with its variables replaced. */
export type HostServer = (
  | { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
    }
) & {
  /** The environment variable values that were inserted into the entry; messages must mask them. */
  readonly secrets: readonly string[];
};

const USUAL_FILES = [".mcp.json", "mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"];

const EXAMPLE =
  'For example: { "mcpServers": { "notes": { "command": "node", "args": ["server.js"] } } }';

const MAX_BYTES = 1 << 20;

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
  if (isObject(entry) && entry["disabled"] === true) {
    const hint = "Remove `disabled` from its entry.";
    diagnostics.add(usageError(`${file}: ${name} is disabled.`, hint));
    return undefined;
  }
  if (isObject(entry)) {
    const server = serverOf(file, name, entry, diagnostics);
    return diagnostics.hasErrors ? undefined : server;
  }
  const names = Object.keys(servers);
  const known = names.length === 0 ? "It lists none." : `The servers are: ${names.join(", ")}.`;
  const hint = suggest(name, names) ?? known;
  diagnostics.add(usageError(`${file} has no server ${JSON.stringify(name)}.`, hint));
  return undefined;
}

/** Returns the names in the first of the usual files that exists. */
export function hostServerNames(diagnostics: Diagnostics): readonly string[] {
  const file = USUAL_FILES.find((usual) => existsSync(usual));
  return Object.keys((file && serversIn(file, diagnostics)) ?? {});
}

export function hostServers(
  file: string,
  diagnostics: Diagnostics,
): Readonly<Record<string, HostServer>> | undefined {
  const servers = serversIn(file, diagnostics);
  if (servers === undefined) return undefined;
  const all = Object.entries(servers).flatMap(([name, entry]) => {
    const members = isObject(entry) ? entry : {};
    if (members["disabled"] === true) return [];
    return [[name, serverOf(file, name, members, diagnostics)] as const];
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
    const content: unknown = JSON.parse(withoutComments(readText(file, MAX_BYTES)));
    const found = isObject(content) ? (content["mcpServers"] ?? content["servers"]) : undefined;
    if (isObject(found)) return found;
  } catch (error) {
    const isAbsent = !existsSync(file);
    problem = isAbsent ? "it does not exist" : "it cannot be read";
    hint = isAbsent ? `Create it, or name another file. ${EXAMPLE}` : "Check its rights.";
    if ((error as NodeJS.ErrnoException).code === "EISDIR")
      [problem, hint] = ["it is a folder", "Name a file in it."];
    if (error instanceof SyntaxError) [problem, hint] = ["it is not valid JSON", EXAMPLE];
  }
  diagnostics.add(usageError(`No servers found in ${file}: ${problem}.`, hint));
  return undefined;
}

/** Removes comments and trailing commas, which editors allow in JSON. */
function withoutComments(text: string): string {
  return text
    .replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\/\/.*|\/\*[^]*?\*\//g, (_, string = " ") => string)
    .replace(/("[^"\\]*(?:\\.[^"\\]*)*")|,(?=\s*[}\]])/g, (_, string = "") => string);
}

/** Entry members that concern only the host and are ignored here. */
const OF_HOST = new Set(
  "alwaysAllow alwaysLoad autoApprove description dev gallery icon name timeout trust version".split(
    " ",
  ),
);
const KNOWN = new Set("args command cwd disabled env envFile headers type url".split(" "));
const TYPES = ["stdio", "http", "sse", "streamable-http", "streamableHttp"];

interface Place {
  readonly name: string;
  /** The project folder, to which the entry's paths are relative. */
  readonly folder: string;
  readonly secrets: string[];
  readonly diagnostics: Diagnostics;
}

/** Reads an entry. Rejects unsupported members, because ignoring one might disable a protection. */
function serverOf(
  file: string,
  name: string,
  entry: Readonly<Record<string, unknown>>,
  diagnostics: Diagnostics,
): HostServer | undefined {
  const parent = dirname(resolve(file));
  const folder = /^\.(?:vscode|cursor)$/.test(basename(parent)) ? dirname(parent) : parent;
  const secrets: string[] = [];
  const place: Place = { name: `${file}: ${name}`, folder, secrets, diagnostics };
  const { url, command, args = [], env, headers, cwd, envFile, type, disabled = false } = entry;
  if (typeof url !== "string" && (typeof command !== "string" || !Array.isArray(args))) {
    const isProgram = typeof command === "string";
    refuse(
      place,
      isProgram ? "needs a list as `args`" : "has neither `url` nor `command`",
      EXAMPLE,
    );
    return undefined;
  }
  const names = Object.keys(entry).filter((one) => !KNOWN.has(one) && !OF_HOST.has(one));
  for (const one of names) refuse(place, `has \`${one}\`, which is not supported`, ADVICE);
  if (type !== undefined && !TYPES.includes(type as string))
    refuse(place, `has the type ${JSON.stringify(type)}, which is not supported`, ADVICE);
  if (typeof disabled !== "boolean")
    refuse(place, "has a `disabled` that is neither true nor false");
  if (typeof url === "string")
    return { url: textOf(place, "url", url), headers: textsOf(place, "headers", headers), secrets };
  return {
    command: textOf(place, "command", command),
    args: (args as readonly unknown[]).map((word) => textOf(place, "args", word)),
    env: { ...variablesIn(place, envFile), ...textsOf(place, "env", env) },
    cwd: cwd === undefined ? folder : resolve(folder, textOf(place, "cwd", cwd)),
    secrets,
  };
}

function refuse({ name, diagnostics }: Place, problem: string, hint?: string): void {
  diagnostics.add(usageError(`${name} ${problem}.`, hint));
}

function textsOf(place: Place, name: string, members: unknown = {}): Record<string, string> {
  if (!isObject(members)) {
    refuse(place, `has \`${name}\` that is not an object of strings`);
    return {};
  }
  return Object.fromEntries(
    Object.entries(members).map(([key, text]) => [key, textOf(place, `${name}.${key}`, text)]),
  );
}

function textOf(place: Place, name: string, value: unknown): string {
  if (!["string", "number", "boolean"].includes(typeof value))
    refuse(place, `has a value in \`${name}\` that is not a string`);
  return String(value).replace(
    /\$(?:\$|(\w+)|\{([^}]*)\})/g,
    (whole, plain?: string, braced?: string) =>
      whole === "$$" ? "$" : variableOf(place, plain ?? braced!, whole),
  );
}

/** Returns the value of a variable written in Claude Code, VS Code or Cursor notation. */
function variableOf(place: Place, words: string, whole: string): string {
  const { folder, diagnostics, secrets } = place;
  const own: Readonly<Record<string, string>> = {
    workspaceFolder: folder,
    workspaceFolderBasename: basename(folder),
    userHome: homedir(),
    pathSeparator: sep,
    "/": sep,
  };
  if (Object.hasOwn(own, words)) return own[words]!;
  const [, name, fallback] = /^(?:env:)?(\w+)(?::-(.*))?$/s.exec(words) ?? [];
  if (name !== undefined && fallback === undefined && !process.env[name]) {
    refuse(place, `has ${whole}: the environment variable ${name} is not set`, DOLLAR);
    return whole;
  }
  if (name !== undefined) return variable(name, diagnostics, secrets, fallback)!;
  refuse(place, `has ${whole}, which only a host can replace`, DOLLAR);
  return whole;
}

function variablesIn(place: Place, given: unknown): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  const file = textOf(place, "envFile", given);
  try {
    return parseEnv(readText(resolve(place.folder, file), MAX_BYTES)) as Record<string, string>;
  } catch {
    refuse(place, `has an \`envFile\` that cannot be read: ${file}`);
    return {};
  }
}

const DOLLAR = "Write ${NAME}, and set the variable NAME; write $$ for a dollar sign.";

const ADVICE = "Write an entry without it into a file of its own, or pass the server itself.";
