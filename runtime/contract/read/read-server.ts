import type { ConnectOptions, StdioTarget } from "@mcp-codegen/runtime/facade/client";
import { type ContractList, LISTS } from "../families.js";
import type { Definition, ServerReading } from "../lock/lock-file.js";
import { LOCK_LIMITS } from "../lock/lock-limits.js";
import { connect, type McpClient, revisions } from "@mcp-codegen/universal";

/** Server to read, and how. */
export interface ServerAddress {
  readonly target: URL | StdioTarget;
  /** Id of the only revision to speak. */
  readonly revision?: string | undefined;
  /** Id of the revision to try before all of them together, so that what was read in it is read in it again. */
  readonly first?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: ConnectOptions["auth"];
  /** Milliseconds for all of it. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Reading, and what was left out of it. */
export interface ServerVisit {
  readonly reading: ServerReading;
  readonly problems: readonly string[];
}

/** Refusal of a server that says more than is read of one. */
export class TooMuchError extends Error {}

/**
 * Asks a server for all that it offers. Rejects with what `connect` and the lists reject with, and with a
 * `TooMuchError`.
 */
export async function readServer(address: ServerAddress): Promise<ServerVisit> {
  const { revision, first } = address;
  if (revision !== undefined || first === undefined) return readIn(revision, address);
  try {
    return await readIn(first, address);
  } catch (error) {
    if (error instanceof TooMuchError || address.signal.aborted) throw error;
    // It may no longer speak that revision; what is wrong otherwise is wrong again.
    return readIn(undefined, address);
  }
}

async function readIn(id: string | undefined, address: ServerAddress): Promise<ServerVisit> {
  const { target, headers, auth, timeout } = address;
  const chosen = id === undefined ? undefined : revisions.filter((revision) => revision.id === id);
  const problems: string[] = [];
  const signal = AbortSignal.any([address.signal, AbortSignal.timeout(timeout)]);
  const client = await connect(target, {
    clientInfo: { name: "mcp-codegen", version: "0.0.0" },
    ...(chosen && { revisions: chosen }),
    ...(headers && { headers }),
    ...(auth && { auth }),
    cache: false,
    eras: false,
    stdio: { stderr: "keep", restart: false },
    timeout,
    signal,
    onerror: (error) => problems.push(error.message),
  });
  try {
    const { info, capabilities, instructions } = client.server;
    const reading: ServerReading = {
      revision: client.revision,
      ...(info !== undefined && { server: info as unknown as Definition }),
      capabilities: (capabilities ?? {}) as Definition,
      ...(instructions !== undefined && { instructions }),
      ...(await readLists(client, signal)),
    };
    return { reading, problems };
  } finally {
    await client.close();
  }
}

async function readLists(
  client: McpClient,
  signal: AbortSignal,
): Promise<Record<ContractList, readonly Definition[]>> {
  const options = { signal, maxPages: LOCK_LIMITS.pages };
  const lists: [ContractList, readonly Definition[]][] = [];
  for (const list of LISTS) lists.push([list, await collect(list, client[list](options))]);
  return Object.fromEntries(lists) as Record<ContractList, readonly Definition[]>;
}

/** Items of a list, until there are too many of them or they are too long. */
async function collect(
  list: ContractList,
  items: AsyncIterable<object>,
): Promise<readonly Definition[]> {
  const found: Definition[] = [];
  let size = 0;
  for await (const item of items) {
    found.push(item as Definition);
    size += JSON.stringify(item).length;
    if (found.length > LOCK_LIMITS.entries) {
      throw new TooMuchError(`there are more than ${LOCK_LIMITS.entries} of its ${list}`);
    }
    if (size > LOCK_LIMITS.server) {
      throw new TooMuchError(`its ${list} have more than ${LOCK_LIMITS.server} characters`);
    }
  }
  return found;
}
