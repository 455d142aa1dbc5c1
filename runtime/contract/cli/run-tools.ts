import type { Diagnostics } from "mcp-codegen";
import { isObject } from "../json.js";
import {
  bundledRevision,
  type Context,
  count,
  type NamedServer,
  type Outcome,
  paint,
  suggest,
  type Text,
  unknownRevision,
  usageError,
  type Values,
  readServer,
  storedLogin,
} from "mcp-codegen/cli";
import { connect, type CallToolResult, revisions, type Tool } from "@mcp-codegen/universal";
import { LISTS } from "../families.js";
import type { LockSource } from "../lock/lock-file.js";

import {
  readServer as visitServer,
  type ServerAddress,
  type ServerVisit,
} from "../read/read-server.js";
import { describeRefusal, type KnownAddress } from "./outage.js";
import { attempt } from "./visit.js";

interface Found {
  readonly source: LockSource;
  readonly address: KnownAddress;
  /** The command-line arguments that follow the ones identifying the server. */
  readonly rest: readonly string[];
}

export async function runTools(values: Values, context: Context): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  const found = await findServer(values, diagnostics);
  if (found === undefined) return undefined;
  const [extra] = found.rest;
  if (extra !== undefined) {
    const hint = "To call a tool, use mcp-codegen call.";
    diagnostics.add(usageError(`Unexpected argument ${JSON.stringify(extra)}.`, hint));
    return undefined;
  }
  progress.step("Reading the server");
  const visit = await withServer(found, values, diagnostics, (address) => visitServer(address));
  return visit && offered(visit);
}

export async function runCall(values: Values, context: Context): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  const found = await findServer(values, diagnostics);
  if (found === undefined) return undefined;
  const [name, ...words] = found.rest;
  if (name === undefined) {
    const hint = "mcp-codegen tools lists them: mcp-codegen call <target> greet name=Ada";
    diagnostics.add(usageError("call needs the name of a tool.", hint));
    return undefined;
  }
  const args = readArguments(words, values.text("args"), diagnostics);
  if (args === undefined) return undefined;
  progress.step(`Calling ${name}`);
  const called = await withServer(found, values, diagnostics, (address) =>
    callTool(address, name, args, diagnostics),
  );
  return called && resultOf(name, called);
}

function withServer<Result>(
  { source, address }: Found,
  values: Values,
  diagnostics: Diagnostics,
  work: (address: ServerAddress) => Promise<Result>,
): Promise<Result | undefined> {
  const job = { name: undefined, label: undefined, source, revision: values.text("revision") };
  return attempt(job, address, "The command was interrupted.", diagnostics, work);
}

/** Resolves a target: a URL, a command after `--`, or an entry's name in a host's configuration file. */
async function findServer(values: Values, diagnostics: Diagnostics): Promise<Found | undefined> {
  const revision = values.text("revision");
  if (revision !== undefined && bundledRevision(revision) === undefined) {
    diagnostics.add(unknownRevision(revision));
    return undefined;
  }
  const words = values.words("words") ?? [];
  const command = values.words("command");
  const [target, ...others] = words;
  const rest = command === undefined ? others : words;
  if (command === undefined && target === undefined) {
    const hint =
      "Pass a URL, a name in .mcp.json, or a command: mcp-codegen tools -- node server.js";
    diagnostics.add(usageError("No server is named.", hint));
    return undefined;
  }
  const server = readServer(
    command === undefined ? { text: target, file: values.text("servers") } : { command },
    values,
    diagnostics,
  );
  return server && { ...(await addressOf(server, values)), rest };
}

async function addressOf(
  { target, place, secrets }: NamedServer,
  values: Values,
): Promise<Omit<Found, "rest">> {
  const common = {
    timeout: values.number("timeout")! * 1000,
    revision: values.text("revision"),
    secrets,
  };
  if (!("url" in target)) {
    return { source: { command: place, args: target.args }, address: { ...common, target } };
  }
  const { url, headers } = target;
  const auth = Object.hasOwn(headers, "authorization") ? undefined : await storedLogin(values);
  return {
    source: { url: place },
    address: { ...common, target: url, headers, ...(auth && { auth }) },
  };
}

type Arguments = readonly (readonly [name: string, text: string])[] | Record<string, unknown>;

/** Reads a tool's arguments, either as `name=value` words or as JSON from `--args`. */
function readArguments(
  words: readonly string[],
  json: string | undefined,
  diagnostics: Diagnostics,
): Arguments | undefined {
  const refuse = (message: string, hint: string): undefined => {
    diagnostics.add(usageError(message, hint));
    return undefined;
  };
  if (json !== undefined) {
    if (words.length > 0)
      return refuse("--args cannot be combined with name=value.", "Use one of them.");
    try {
      const value: unknown = JSON.parse(json);
      if (isObject(value)) return value;
    } catch {
      // Reported below.
    }
    return refuse("--args needs a JSON object.", `--args '{"name": "Ada"}'`);
  }
  const pairs: [string, string][] = [];
  for (const word of words) {
    const at = word.indexOf("=");
    if (at < 1) return refuse(`${JSON.stringify(word)} is not an argument.`, "Write name=value.");
    pairs.push([word.slice(0, at), word.slice(at + 1)]);
  }
  return pairs;
}

interface Called {
  readonly revision: string;
  readonly result: CallToolResult;
}

async function callTool(
  address: ServerAddress,
  name: string,
  input: Arguments,
  diagnostics: Diagnostics,
): Promise<Called | undefined> {
  const { target, headers, auth, timeout, revision } = address;
  const signal = AbortSignal.any([address.signal, AbortSignal.timeout(timeout)]);
  const client = await connect(target, {
    clientInfo: { name: "mcp-codegen", version: "0.0.0" },
    ...(revision !== undefined && { revisions: revisions.filter(({ id }) => id === revision) }),
    ...(headers && { headers }),
    ...(auth && { auth }),
    eras: false,
    stdio: { stderr: "keep", restart: false },
    timeout,
    signal,
    onerror: () => {},
    onElicit: () => ({ action: "decline" }),
  });
  try {
    const tools: Tool[] = [];
    for await (const tool of client.tools(undefined, { signal })) tools.push(tool);
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) {
      const names = tools.map((one) => one.name);
      const hint = suggest(name, names) ?? `Its tools are: ${names.join(", ") || "none"}.`;
      diagnostics.add(usageError(`The server has no tool ${JSON.stringify(name)}.`, hint));
      return undefined;
    }
    const args = Array.isArray(input) ? typed(input, tool) : (input as Record<string, unknown>);
    const result = await client.callTool(name, args, { signal }).catch((error: unknown) => {
      diagnostics.add(describeRefusal(error, name));
      return undefined;
    });
    return result && { revision: client.revision, result };
  } finally {
    await client.close();
  }
}

/**
 * Converts `name=value` arguments according to the tool's schema. A value stays a string if the schema requires one;
 * otherwise, it is parsed if it is valid JSON. A repeated name yields an array.
 */
function typed(
  pairs: readonly (readonly [string, string])[],
  { inputSchema }: Tool,
): Record<string, unknown> {
  const { properties } = inputSchema as { properties?: Readonly<Record<string, unknown>> };
  const values = new Map<string, unknown[]>();
  for (const [name, text] of pairs) {
    const schema = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isText = isObject(schema) && schema["type"] === "string";
    values.set(name, [...(values.get(name) ?? []), isText ? text : jsonOr(text)]);
  }
  return Object.fromEntries(
    [...values].map(([name, all]) => [name, all.length > 1 ? all : all[0]]),
  );
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function offered({ reading, problems, failed }: ServerVisit): Outcome {
  const { server, revision, instructions } = reading;
  const lists = LISTS.filter((list) => reading[list].length > 0);
  const lines = lists.flatMap((list): Text[] => [
    "",
    paint("bold", titleOf(list)),
    ...reading[list].flatMap((definition) => entryLines(definition)),
  ]);
  const refused = [...failed].map(
    ([list, reason]): Text => `${list} could not be listed: ${reason}`,
  );
  return {
    data: {
      server,
      revision,
      ...(instructions !== undefined && { instructions }),
      ...Object.fromEntries(LISTS.map((list) => [list, reading[list]])),
      problems: [...problems, ...[...failed].map(([list, reason]) => `${list}: ${reason}`)],
    },
    lines: [
      [
        paint("bold", String(server?.["name"] ?? "server")),
        `  ${String(server?.["version"] ?? "")}  ${revision}`,
      ],
      ...(lists.length === 0 ? ["It offers nothing."] : lines),
      ...refused,
    ],
    summary: lists.map((list) => count(reading[list].length, nounOf(list))).join(", "),
  };
}

function titleOf(list: string): string {
  const words = list.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `${words[0]!.toUpperCase()}${words.slice(1)}`;
}

function nounOf(list: string): string {
  return titleOf(list).toLowerCase().replace(/s$/, "");
}

function entryLines(definition: Readonly<Record<string, unknown>>): Text[] {
  const { name, uri, uriTemplate, description } = definition;
  const address = uri ?? uriTemplate;
  const head = [paint("bold", String(name ?? address)), signature(definition)];
  const where = address === undefined || name === undefined ? "" : `  ${String(address)}`;
  const [first = ""] = String(description ?? "").split("\n");
  return [["  ", ...head, where], ...(first === "" ? [] : [`      ${first}`])];
}

/** Formats the arguments of a tool or prompt as usage text: ` name=<string> [days=<integer>]`. */
function signature(definition: Readonly<Record<string, unknown>>): string {
  const schema = definition["inputSchema"];
  if (Array.isArray(definition["arguments"])) {
    const all = definition["arguments"].filter(isObject);
    return all
      .map((one) => ` ${optional(`${String(one["name"])}=<text>`, one["required"] === true)}`)
      .join("");
  }
  if (!isObject(schema) || !isObject(schema["properties"])) return "";
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return Object.entries(schema["properties"])
    .map(([name, type]) => {
      const kind = isObject(type) && typeof type["type"] === "string" ? type["type"] : "json";
      return ` ${optional(`${name}=<${kind}>`, required.includes(name))}`;
    })
    .join("");
}

function optional(text: string, isRequired: boolean): string {
  return isRequired ? text : `[${text}]`;
}

function resultOf(name: string, { revision, result }: Called): Outcome {
  const { content, structuredContent, isError = false } = result;
  const blocks = content.map((block): Text => {
    if (block.type === "text") return block.text;
    const { data: _, ...shown } = block as { data?: unknown };
    return JSON.stringify(shown);
  });
  const isShown = content.some(({ type }) => type === "text");
  const structured =
    structuredContent === undefined || isShown
      ? []
      : [JSON.stringify(structuredContent, undefined, 2)];
  return {
    data: { tool: name, revision, result },
    lines: [...blocks, ...structured],
    ...(isError && { summary: `${name} failed.`, drift: true }),
  };
}
