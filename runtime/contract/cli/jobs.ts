import type { Diagnostics } from "mcp-codegen";
import { isObject } from "../json.js";
import {
  type Values,
  bundledRevision,
  readServerUrl,
  suggest,
  unknownRevision,
  usageError,
} from "mcp-codegen/cli";
import { type ContractList, LISTS } from "../families.js";
import {
  type Definition,
  type LockFile,
  type LockSource,
  isServerName,
  NAME_RULE,
} from "../lock/lock-file.js";

import type { ContractScope } from "../server-contract.js";

export interface LockJob {
  /** The name in the lock file, or undefined to use the server's own name. */
  readonly name: string | undefined;
  readonly label: string | undefined;
  readonly source: LockSource;
  /** The URL with its query, which may be secret and is not written to the lock file. */
  readonly url?: URL;
  /** The only revision to use. */
  readonly revision: string | undefined;
  /** The revision in which the server was last read. It is tried first. */
  readonly before?: string | undefined;
  readonly scope?: ContractScope | undefined;
}

export function readJobs(
  values: Values,
  lock: LockFile | undefined,
  diagnostics: Diagnostics,
): readonly LockJob[] | undefined {
  const refuse = (message: string, hint?: string): undefined => {
    diagnostics.add(usageError(message, hint));
    return undefined;
  };
  const words = values.list("names");
  const urls = words.filter((word) => /^[a-z][a-z0-9+.-]*:\/\//i.test(word));
  const names = words.filter((word) => !urls.includes(word));
  const command = values.words("command");
  const from = values.text("from");
  const places = [urls.length > 0, command !== undefined, from !== undefined];
  const revision = values.text("revision");
  const label = values.text("as");
  if (revision !== undefined && bundledRevision(revision) === undefined) {
    diagnostics.add(unknownRevision(revision));
    return undefined;
  }
  if (places.filter(Boolean).length > 1 || urls.length > 1) {
    return refuse("Pass one server at a time: a URL, a command after --, or --from.");
  }
  if (label !== undefined && !/^[\w-]+$/.test(label)) {
    return refuse("--as accepts letters, digits, dashes and underscores.");
  }
  const scope = readScope(values, diagnostics);
  if (scope === undefined) return undefined;
  if (!places.includes(true)) {
    return known(names, { lock, revision, label, scope }, values, diagnostics);
  }
  if (names.length > 1)
    return refuse(`The server has two names: ${names.join(" and ")}.`, MISSING_DASHES);
  const [name] = names;
  if (name !== undefined && !isServerName(name)) {
    return refuse(`${JSON.stringify(name)} cannot be the name of a server: ${NAME_RULE}.`);
  }
  if (label !== undefined && name?.includes("@")) return refuse("The name has a label already.");
  const url = urls[0] === undefined ? undefined : readServerUrl(urls[0], diagnostics);
  if (urls.length > 0 && url === undefined) return undefined;
  const source = sourceOf(values, { url, command, from }, diagnostics);
  return source && [{ name, label, source, revision, ...(url && { url }), ...scopeOf(scope) }];
}

function readScope(values: Values, diagnostics: Diagnostics): ContractScope | undefined {
  const before = diagnostics.items.length;
  const only = values.list("only").flatMap((names) => names.split(","));
  const ignore = values.list("ignore");
  for (const name of only.filter((one) => !LISTS.includes(one as ContractList))) {
    const hint = `The lists are ${LISTS.join(", ")}.`;
    diagnostics.add(usageError(`--only: there is no list ${JSON.stringify(name)}.`, hint));
  }
  for (const pointer of ignore.filter((one) => !one.startsWith("/"))) {
    const hint = "For example: --ignore /inputSchema/properties/from/default";
    diagnostics.add(
      usageError(`--ignore needs a JSON pointer, not ${JSON.stringify(pointer)}.`, hint),
    );
  }
  const declared = values.list("declare").map((text) => capabilityOf(text, diagnostics));
  if (diagnostics.items.length > before) return undefined;
  return {
    ...(only.length > 0 && { only: LISTS.filter((list) => only.includes(list)) }),
    ...(ignore.length > 0 && { ignore: [...new Set(ignore)].toSorted() }),
    ...(declared.length > 0 && { declares: declared.reduce(merged, {}) }),
  };
}

/** Parses a capability: `sampling.tools` becomes `{ "sampling": { "tools": {} } }`. A JSON object is also accepted. */
function capabilityOf(text: string, diagnostics: Diagnostics): Definition {
  if (/^[a-z]\w*(?:\.\w+)*$/i.test(text)) {
    return text.split(".").reduceRight<Definition>((inner, name) => ({ [name]: inner }), {});
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported below.
  }
  const hint = "For example: --declare elicitation --declare sampling.tools";
  diagnostics.add(usageError("--declare needs a capability, or capabilities as JSON.", hint));
  return {};
}

function merged(one: Definition, other: Definition): Definition {
  const members = Object.entries(other).map(([name, value]) => {
    const own = one[name];
    return [name, isObject(own) && isObject(value) ? merged(own, value) : value];
  });
  return { ...one, ...(Object.fromEntries(members) as Definition) };
}

function scopeOf(scope: ContractScope): { readonly scope?: ContractScope } {
  return Object.keys(scope).length > 0 ? { scope } : {};
}

const MISSING_DASHES = "A command follows two dashes: mcp-codegen lock files -- npx -y server";

/** Returns jobs for servers that the lock file already contains: the named ones, or all of them. */
function known(
  names: readonly string[],
  {
    lock,
    revision,
    label,
    scope,
  }: {
    readonly lock: LockFile | undefined;
    readonly revision: string | undefined;
    readonly label: string | undefined;
    readonly scope: ContractScope;
  },
  values: Values,
  diagnostics: Diagnostics,
): readonly LockJob[] | undefined {
  const refuse = (message: string, hint?: string): undefined => {
    diagnostics.add(usageError(message, hint));
    return undefined;
  };
  if (label !== undefined) return refuse("--as needs a URL, a command or --from.");
  const out = values.text("out");
  if (lock === undefined) {
    return refuse(
      `There is no ${out} yet: name the server to read.`,
      names.length > 0
        ? MISSING_DASHES
        : "For example: mcp-codegen lock github https://api.githubcopilot.com/mcp",
    );
  }
  const all = Object.keys(lock.servers);
  const unknown = names.filter((name) => !Object.hasOwn(lock.servers, name));
  for (const name of unknown) {
    const hint = suggest(name, all) ?? `The servers are: ${all.join(", ")}. ${MISSING_DASHES}`;
    diagnostics.add(usageError(`${out} has no server ${JSON.stringify(name)}.`, hint));
  }
  if (unknown.length > 0) return undefined;
  if (all.length === 0) return refuse(`${out} has no servers.`);
  return (names.length > 0 ? names : all).map((name) => {
    const { source, revision: before, scope: own } = lock.servers[name]!;
    const covered = scopeOf({ ...own, ...scope });
    return { name, label: undefined, source, revision, before, ...covered };
  });
}

function sourceOf(
  values: Values,
  target: {
    url: URL | undefined;
    command: readonly string[] | undefined;
    from: string | undefined;
  },
  diagnostics: Diagnostics,
): LockSource | undefined {
  const { url, command, from } = target;
  const headers = values
    .list("header")
    .map((header) => header.split(":", 1)[0]!.trim().toLowerCase());
  if (url !== undefined) {
    return {
      url: `${url.origin}${url.pathname}`,
      ...(headers.length > 0 && { headers: headers.toSorted() }),
    };
  }
  if (headers.length > 0) {
    diagnostics.add(
      usageError("--header applies to a URL only.", "Pass secrets to a command with --env NAME."),
    );
    return undefined;
  }
  if (from !== undefined) return { manifest: from };
  const [program, ...args] = command!;
  if (program === undefined) {
    diagnostics.add(usageError("There is no command after --.", MISSING_DASHES));
    return undefined;
  }
  const env = values.list("env");
  return { command: program, args, ...(env.length > 0 && { env: env.toSorted() }) };
}
