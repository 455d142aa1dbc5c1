import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type McpServer, serveStdio } from "@mcp-codegen/universal/server";
import type { Diagnostic, Diagnostics } from "mcp-codegen";
import {
  bundledRevision,
  cannotReach,
  type Context,
  endAtSignals,
  hostServerNames,
  type NamedServer,
  type Outcome,
  packageVersion,
  readServer,
  readServers,
  readText,
  storedLogin,
  unknownRevision,
  usageError,
  type Values,
  withoutSecrets,
} from "mcp-codegen/cli";
import { bridge, type BridgeOptions } from "../bridge.js";
import type { OnDecision, PolicyRules } from "../policy.js";
import type { Upstream } from "../upstream.js";
import { readDoor, serveHttp } from "./door.js";

/** Runs the bridge described by the command line until its client disconnects or a signal arrives. */
export async function runBridge(values: Values, context: Context): Promise<Outcome | undefined> {
  const { diagnostics, progress } = context;
  const door = readDoor(values, diagnostics);
  const options = readOptions(values, diagnostics);
  // A server that cannot start is started twice, and the error already contains its output, so the output is held back.
  const output = laterOutput();
  const given = await readGiven(values, output, diagnostics);
  if (given === undefined || diagnostics.hasErrors) return undefined;
  progress.step(`Connecting to ${given.place}`);
  const log = values.text("log");
  const write = (line: string): void => console.error(withoutSecrets(line, given.secrets));
  const report = oncePerMinute(write);
  const connect = { ...options.connect, stdio: { stderr: output.add, killAtExit: true } };
  const serving = endAtSignals();
  let server: McpServer;
  try {
    server = await bridge(given.upstream, {
      ...options,
      ...given.options,
      connect,
      onerror: log === "none" ? () => {} : ({ message }) => report(message),
      ...(log === "decisions" && { ondecision: logDecision }),
      onreach: (name, { info, revision }) => {
        const what = info === undefined ? "reached" : `${info.name} ${info.version}`;
        if (name !== "" && log !== "none") write(`${name}: ${what}, at ${revision}`);
      },
    });
    output.release();
  } catch (error) {
    if (!/it wrote:$/m.test(String(error))) output.release();
    diagnostics.add(describeFailure(error, given, options.connect.timeout));
    return undefined;
  } finally {
    serving();
  }
  progress.end();
  if (door === undefined) {
    await serveStdio(server);
    await server.closed;
    return undefined;
  }
  await serveHttp(server, door, given.shown ?? given.place, diagnostics);
  return undefined;
}

interface GivenUpstreams {
  readonly upstream: Upstream | Readonly<Record<string, Upstream>>;
  readonly place: string;
  /** The command line, if there is one. */
  readonly shown?: string | undefined;
  /** Secret values that must not appear in messages. */
  readonly secrets: readonly string[];
  readonly options?: Pick<BridgeOptions, "info">;
}

async function readGiven(
  values: Values,
  output: Output,
  diagnostics: Diagnostics,
): Promise<GivenUpstreams | undefined> {
  const [text, command, file] = [
    values.text("url"),
    values.words("command"),
    values.text("config"),
  ];
  const count = [text, command, file].filter((one) => one !== undefined).length;
  if (count !== 1) {
    const hint = "For example: mcp-codegen bridge https://example.com/mcp";
    const problem = count === 0 ? "There is no server" : "There is more than one server";
    const message = `${problem}: pass a URL, a name in .mcp.json, a command after --, or --config <file>.`;
    diagnostics.add(usageError(message, hint));
    return undefined;
  }
  if (file === undefined) {
    const server = readServer({ text, command }, values, diagnostics);
    if (server === undefined) return undefined;
    const place = entryOf(values) ?? server.place;
    const shown = command && `\`${command.join(" ")}\``;
    const upstream = await upstreamOf(server, values);
    return { upstream, place, shown, secrets: server.secrets };
  }
  for (const name of ["header", "env"].filter((one) => values.list(one).length > 0)) {
    const hint = `Write it into ${file}; \${NAME} stands for an environment variable.`;
    diagnostics.add(usageError(`--${name} cannot be combined with --config.`, hint));
  }
  const servers = readServers(file, values, diagnostics);
  if (servers === undefined || diagnostics.hasErrors) return undefined;
  const all = Object.entries(servers);
  const upstreams = all.map(async ([name, one]) => {
    const add = (words: string): void => output.add(words.replace(/^(?=.)/gm, `${name}: `));
    const addTrace = oncePerMinute(add);
    const stderr = (words: string): void => (/\n./.test(words) ? addTrace : add)(words);
    return [name, { ...(await upstreamOf(one, values)), stderr }] as const;
  });
  return {
    upstream: Object.fromEntries(await Promise.all(upstreams)),
    place: file,
    secrets: all.flatMap(([, { secrets }]) => secrets),
    options: { info: { name: all.map(([name]) => name).join("+"), version: packageVersion() } },
  };
}

async function upstreamOf(
  { target }: NamedServer,
  values: Values,
): Promise<Extract<Upstream, { command: string } | { url: string | URL }>> {
  if (!("url" in target)) return target;
  const hasOwn = Object.hasOwn(target.headers, "authorization");
  return { ...target, ...(!hasOwn && { auth: await storedLogin(values) }) };
}

interface Output {
  add(text: string): void;
  release(): void;
}

function laterOutput(): Output {
  let held: string[] | undefined = [];
  return {
    add(text) {
      if (held === undefined) process.stderr.write(text);
      else held.push(text);
    },
    release() {
      const texts = held ?? [];
      held = undefined;
      texts.forEach((text) => process.stderr.write(text));
    },
  };
}

/** The time in which a text is written once, in milliseconds. */
const REPEATS = 60_000;

/** Wraps a function so that an error, or the stack trace of a server that keeps crashing, is written once a minute. */
function oncePerMinute(write: (text: string) => void): (text: string) => void {
  const written = new Map<string, number>();
  return (text) => {
    const now = performance.now();
    if (now - (written.get(text) ?? -Infinity) < REPEATS) return;
    if (written.size >= 100) written.clear();
    written.set(text, now);
    write(text);
  };
}

function readOptions(
  values: Values,
  diagnostics: Diagnostics,
): BridgeOptions & { readonly connect: { readonly timeout: number } } {
  const down = values.list("revisions").flatMap((ids) => ids.split(","));
  const up = values.text("upstream-revision");
  for (const id of [...down, ...(up === undefined ? [] : [up])]) {
    if (bundledRevision(id) === undefined) diagnostics.add(unknownRevision(id));
  }
  const policy = readPolicyFile(values.text("policy"), entryOf(values), diagnostics);
  const separator = values.text("separator");
  if (separator !== undefined && values.text("config") === undefined) {
    diagnostics.add(usageError("--separator needs --config."));
  }
  const timeout = values.number("timeout")! * 1000;
  const catalog = values.text("catalog") ?? "all";
  if (catalog !== "all" && catalog !== "search") {
    diagnostics.add(usageError("--catalog must be all or search."));
  }
  return {
    catalog: catalog === "search" ? catalog : "all",
    ...(separator !== undefined && { separator }),
    ...(policy !== undefined && { policy }),
    connect: {
      timeout,
      ...(up !== undefined && { revisions: [up] }),
    },
    ...(down.length > 0 && { server: { revisions: down } }),
  };
}

/** Returns the argument that names an entry of a host's file. */
function entryOf(values: Values): string | undefined {
  const text = values.text("url");
  return text?.includes("://") ? undefined : text;
}

/** Reads a policy file. `bridge` validates its rules. */
function readPolicyFile(
  file: string | undefined,
  entry: string | undefined,
  diagnostics: Diagnostics,
): BridgeOptions["policy"] {
  if (file === undefined) return undefined;
  let problem = existsSync(file) ? "It cannot be read" : "It does not exist";
  try {
    const text = readText(file, MAX_BYTES);
    problem = "It is not valid JSON";
    const given = JSON.parse(text) as Record<string, PolicyRules>;
    problem = "It needs rules by server, in an object";
    if (Array.isArray(given)) throw new PolicyProblem(problem);
    const policy = Object.fromEntries(
      Object.entries(given).map(([server, rules]) => [server, withContract(rules, server, file)]),
    );
    return entry === undefined ? policy : policyOf(entry, policy, diagnostics);
  } catch (error) {
    if (error instanceof PolicyProblem) problem = error.message;
    diagnostics.add(usageError(`${file} is not a policy: ${problem}.`));
    return undefined;
  }
}

/** Returns the rules for one entry, from a policy that may have rules for all servers of the host's file. */
function policyOf(
  entry: string,
  policy: Readonly<Record<string, PolicyRules>>,
  diagnostics: Diagnostics,
): BridgeOptions["policy"] {
  const known = ["*", ...hostServerNames(diagnostics)];
  const unknown = Object.keys(policy).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new PolicyProblem(
      `It names a server ${JSON.stringify(unknown)}: use ${known.join(", ")}`,
    );
  const rules = Object.hasOwn(policy, entry) ? policy[entry] : policy["*"];
  return rules && { "*": rules };
}

const MAX_BYTES = 1 << 20;
const MAX_LOCK_BYTES = 1 << 26;

class PolicyProblem extends Error {}

/**
 * Replaces the lock file path in the rules with the server's contract from that file.
 *
 * @throws PolicyProblem if the file has no contract for the server
 */
function withContract(rules: PolicyRules, server: string, file: string): PolicyRules {
  const place = (rules as { readonly contract?: unknown } | null)?.contract;
  if (typeof place !== "string") return rules;
  const name = server === "*" ? undefined : server;
  const path = join(dirname(file), place);
  let contracts: readonly (readonly [string, object])[];
  try {
    const lock = JSON.parse(readText(path, MAX_LOCK_BYTES)) as {
      readonly servers: Readonly<Record<string, object>>;
    };
    contracts = Object.entries(lock.servers);
  } catch {
    throw new PolicyProblem(
      `${place} ${existsSync(path) ? "is not a lock file" : "does not exist"}`,
    );
  }
  const found = contracts.filter(([key]) => name === undefined || key === name);
  if (found.length === 1) return { ...rules, contract: found[0]![1] };
  throw new PolicyProblem(
    name === undefined
      ? `${place} has several servers, and * names none`
      : `${place} has no server ${JSON.stringify(name)}`,
  );
}

/** Prints one line for each decision, without the request's arguments. */
const logDecision: OnDecision = ({ principal, server, kind, name }, verdict) => {
  console.error(JSON.stringify({ principal, server, kind, name, verdict }));
};

function describeFailure(
  error: unknown,
  { place, secrets }: GivenUpstreams,
  timeout: number,
): Diagnostic {
  const { message = String(error), name, status } = error as Partial<Error> & { status?: number };
  if (error instanceof TypeError && error.cause === undefined) {
    return usageError(`${withoutSecrets(message, secrets)}.`.replace(/\.+$/, "."));
  }
  const hint =
    status === 401 || status === 403 || name === "OAuthError"
      ? `Log in first with mcp-codegen login ${place}, or send --header "Authorization: Bearer $TOKEN".`
      : "Check the address or the command. A command inherits no secrets: pass them with --env NAME.";
  const isLate = name === "RequestTimeoutError";
  const reason = isLate ? `it did not answer within ${timeout / 1000} s (--timeout)` : message;
  return cannotReach(place, reason, secrets, hint);
}
