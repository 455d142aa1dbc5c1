import { readManifest } from "../read/read-manifest.js";
import {
  type ListProgress,
  readServer,
  type ServerAddress,
  type ServerVisit,
} from "../read/read-server.js";
import type { Diagnostics } from "mcp-codegen";
import {
  type Context,
  type Values,
  expand,
  readHeaders,
  readVariables,
  secretsIn,
  storedLogin,
  withInterruption,
} from "mcp-codegen/cli";
import type { LockJob } from "./jobs.js";
import { describeOutage, type KnownAddress } from "./outage.js";

export async function visitServer(
  job: LockJob,
  values: Values,
  diagnostics: Diagnostics,
  progress?: Context["progress"],
): Promise<ServerVisit | undefined> {
  const { scope } = job;
  if ("manifest" in job.source) {
    const reading = readManifest(job.source.manifest, diagnostics);
    if (reading === undefined) return undefined;
    return { reading: { ...reading, ...(scope && { scope }) }, problems: [], failed: new Map() };
  }
  const found = await addressOf(job, values, diagnostics);
  if (found === undefined) return undefined;
  const onpage = ({ list, page, entries }: ListProgress): void =>
    progress?.step(`Reading ${job.name ?? "the server"}: ${list}, page ${page}, ${entries} so far`);
  const address = { ...found, onpage };
  const interrupted = "Interrupted while reading; nothing was written.";
  return attempt(job, address, interrupted, diagnostics, readServer);
}

/**
 * Runs a function that uses a server. Ctrl+C aborts the function. If it fails, the report does not contain any secrets
 * from the command line.
 */
export async function attempt<Result>(
  job: Parameters<typeof describeOutage>[1],
  address: KnownAddress,
  interrupted: string,
  diagnostics: Diagnostics,
  work: (address: ServerAddress) => Promise<Result>,
): Promise<Result | undefined> {
  let result: Result | undefined;
  try {
    await withInterruption(interrupted, async (signal) => {
      result = await work({ ...address, signal });
    });
    return result;
  } catch (error) {
    diagnostics.add(describeOutage(error, job, address));
    return undefined;
  }
}

async function addressOf(
  job: Pick<LockJob, "source" | "url" | "revision" | "before" | "scope">,
  values: Values,
  diagnostics: Diagnostics,
): Promise<KnownAddress | undefined> {
  const { source, revision, before, scope } = job;
  // `new` has no option for it.
  const timeout = (values.number("timeout") ?? 60) * 1000;
  const common = { timeout, revision, first: before, scope };
  if ("url" in source) {
    const headers = readHeaders(values, diagnostics);
    if (headers === undefined) return undefined;
    const hasOwn = Object.hasOwn(headers, "authorization");
    const auth = hasOwn ? undefined : await storedLogin(values);
    const target = job.url ?? new URL(source.url);
    const secrets = [...Object.values(headers), ...secretsIn(target)];
    return { ...common, target, headers, secrets, ...(auth && { auth }) };
  }
  if (!("command" in source)) return undefined;
  const names = values.list("env");
  const env = readVariables(names.length > 0 ? names : (source.env ?? []), diagnostics);
  const found: string[] = [];
  const args = source.args.map((word) => expand(word, diagnostics, found));
  if (env === undefined || diagnostics.hasErrors) return undefined;
  const secrets = [...Object.values(env), ...found];
  return { ...common, target: { command: source.command, args, env }, secrets };
}
