import { dirname, join } from "node:path";
import { type McpServer, serveStdio } from "@mcp-codegen/universal/server";
import type { Diagnostic, Diagnostics } from "mcp-codegen";
import {
  bundledRevision,
  cannotReach,
  type Context,
  endAtSignals,
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
  const given = await readGiven(values, diagnostics);
  if (given === undefined || diagnostics.hasErrors) return undefined;
  progress.step(`Connecting to ${given.place}`);
  const log = values.text("log");
  const write = (line: string): void => console.error(withoutSecrets(line, given.secrets));
  // A server that cannot start is started twice, and the error already contains its output, so the output is held back.
  const output = laterOutput();
  const connect = { ...options.connect, stdio: { stderr: output.add, killAtExit: true } };
  const serving = endAtSignals();
  let server: McpServer;
  try {
    server = await bridge(given.upstream, {
      ...options,
      ...given.options,
      connect,
      onerror: log === "none" ? () => {} : ({ message }) => write(message),
      ...(log === "decisions" && { ondecision: logDecision }),
      onreach: (name, { info, revision }) => {
        const what = info === undefined ? "reached" : `${info.name} ${info.version}`;
        if (name !== "" && log !== "none") write(`${name}: ${what}, at ${revision}`);
      },
    });
    output.release();
  } catch (error) {
    if (!/it wrote:$/m.test(String(error))) output.release();
    diagnostics.add(describeFailure(error, given));
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
  await serveHttp(server, door, given.place, diagnostics);
  return undefined;
}

interface GivenUpstreams {
  readonly upstream: Upstream | Readonly<Record<string, Upstream>>;
  readonly place: string;
  /** Secret values that must not appear in messages. */
  readonly secrets: readonly string[];
  readonly options?: Pick<BridgeOptions, "info">;
}

async function readGiven(
  values: Values,
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
    const isEntry = text !== undefined && !text.includes("://");
    const place = isEntry ? text : server.place;
    return { upstream: await upstreamOf(server, values), place, secrets: server.secrets };
  }
  for (const name of ["header", "env"].filter((one) => values.list(one).length > 0)) {
    const hint = `Write it into ${file}; \${NAME} stands for an environment variable.`;
    diagnostics.add(usageError(`--${name} cannot be combined with --config.`, hint));
  }
  const servers = readServers(file, values, diagnostics);
  if (servers === undefined || diagnostics.hasErrors) return undefined;
  const all = Object.entries(servers);
  const upstreams = all.map(async ([name, one]) => [name, await upstreamOf(one, values)] as const);
  return {
    upstream: Object.fromEntries(await Promise.all(upstreams)),
    place: file,
    secrets: all.flatMap(([, { secrets }]) => secrets),
    options: { info: { name: all.map(([name]) => name).join("+"), version: packageVersion() } },
  };
}

async function upstreamOf({ target }: NamedServer, values: Values): Promise<Upstream> {
  if (!("url" in target)) return target;
  const hasOwn = Object.hasOwn(target.headers, "authorization");
  return { ...target, ...(!hasOwn && { auth: await storedLogin(values) }) };
}

function laterOutput(): { add(text: string): void; release(): void } {
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

function readOptions(values: Values, diagnostics: Diagnostics): BridgeOptions {
  const down = values.list("revisions").flatMap((ids) => ids.split(","));
  const up = values.text("upstream-revision");
  for (const id of [...down, ...(up === undefined ? [] : [up])]) {
    if (bundledRevision(id) === undefined) diagnostics.add(unknownRevision(id));
  }
  const policy = readPolicyFile(values.text("policy"), diagnostics);
  const separator = values.text("separator");
  if (separator !== undefined && values.text("config") === undefined) {
    diagnostics.add(usageError("--separator needs --config."));
  }
  const timeout = (values.number("timeout") ?? 60) * 1000;
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

/** Reads a policy file. `bridge` validates its rules. */
function readPolicyFile(
  file: string | undefined,
  diagnostics: Diagnostics,
): BridgeOptions["policy"] {
  if (file === undefined) return undefined;
  let problem = "It cannot be read";
  try {
    const text = readText(file, MAX_BYTES);
    problem = "It is not valid JSON";
    const policy = JSON.parse(text) as Record<string, PolicyRules>;
    return Object.fromEntries(
      Object.entries(policy).map(([server, rules]) => [server, withContract(rules, server, file)]),
    );
  } catch (error) {
    if (error instanceof ContractProblem) problem = error.message;
    diagnostics.add(usageError(`${file} is not a policy: ${problem}.`));
    return undefined;
  }
}

const MAX_BYTES = 1 << 20;
const MAX_LOCK_BYTES = 1 << 26;

class ContractProblem extends Error {}

/**
 * Replaces the lock file path in the rules with the server's contract from that file.
 *
 * @throws ContractProblem if the file has no contract for the server
 */
function withContract(rules: PolicyRules, server: string, file: string): PolicyRules {
  const place = (rules as { readonly contract?: unknown } | null)?.contract;
  if (typeof place !== "string") return rules;
  const name = server === "*" ? undefined : server;
  let contracts: readonly (readonly [string, object])[];
  try {
    const lock = JSON.parse(readText(join(dirname(file), place), MAX_LOCK_BYTES)) as {
      readonly servers: Readonly<Record<string, object>>;
    };
    contracts = Object.entries(lock.servers);
  } catch {
    throw new ContractProblem(`${place} is not a lock file`);
  }
  const found = contracts.filter(([key]) => name === undefined || key === name);
  if (found.length === 1) return { ...rules, contract: found[0]![1] };
  throw new ContractProblem(
    name === undefined
      ? `${place} has several servers, and * names none`
      : `${place} has no server ${JSON.stringify(name)}`,
  );
}

/** Prints one line for each decision, without the request's arguments. */
const logDecision: OnDecision = ({ principal, server, kind, name }, verdict) => {
  console.error(JSON.stringify({ principal, server, kind, name, verdict }));
};

function describeFailure(error: unknown, { place, secrets }: GivenUpstreams): Diagnostic {
  const { message = String(error), name, status } = error as Partial<Error> & { status?: number };
  if (error instanceof TypeError && error.cause === undefined) {
    return usageError(`${withoutSecrets(message, secrets)}.`.replace(/\.+$/, "."));
  }
  const hint =
    status === 401 || status === 403 || name === "OAuthError"
      ? `Log in first with mcp-codegen login ${place}, or send --header "Authorization: Bearer $TOKEN".`
      : "Check the address or the command. A command inherits no secrets: pass them with --env NAME.";
  return cannotReach(place, message, secrets, hint);
}
