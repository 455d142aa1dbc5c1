import type { ConnectOptions, StdioTarget } from "@mcp-codegen/runtime/facade/client";
import { type Method, RpcError } from "@mcp-codegen/runtime";
import { type ContractList, LISTS } from "../families.js";
import { type ContractScope, coveredLists } from "../server-contract.js";
import { type Definition, type ServerReading, LOCK_LIMITS } from "../lock/lock-file.js";
import { connect, type McpClient, revisions } from "@mcp-codegen/universal";

export interface ServerAddress {
  readonly target: URL | StdioTarget;
  readonly revision?: string | undefined;
  /**
   * The id of the revision to try first, so that a server is read in the same revision each time. If that fails, all
   * revisions are tried.
   */
  readonly first?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly auth?: ConnectOptions["auth"];
  readonly scope?: ContractScope | undefined;
  readonly onpage?: ((progress: ListProgress) => void) | undefined;
  /** The maximum time for reading the whole server, in milliseconds. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

export interface ListProgress {
  readonly list: ContractList;
  page: number;
  entries: number;
}

export interface ServerVisit {
  readonly reading: ServerReading;
  readonly problems: readonly string[];
  readonly failed: ReadonlyMap<ContractList, string>;
}

/** Thrown if a server lists more than the limits allow. */
export class TooMuchError extends Error {}

/**
 * Reads everything that a server offers. If the server returns an error for a list, the other lists are still read.
 * Rejects with the errors of `connect`, with a `TooMuchError`, or with a list's error if no list can be read.
 */
export async function readServer(address: ServerAddress): Promise<ServerVisit> {
  const { revision, first } = address;
  if (revision !== undefined || first === undefined) return readIn(revision, address);
  try {
    return await readIn(first, address);
  } catch (error) {
    if (error instanceof TooMuchError || address.signal.aborted) throw error;
    // The server may no longer support that revision. If the failure has another cause, it occurs again.
    return readIn(undefined, address);
  }
}

async function readIn(id: string | undefined, address: ServerAddress): Promise<ServerVisit> {
  const { target, headers, auth, timeout, scope } = address;
  const chosen = id === undefined ? undefined : revisions.filter((revision) => revision.id === id);
  const problems: string[] = [];
  const signal = AbortSignal.any([address.signal, AbortSignal.timeout(timeout)]);
  let progress: ListProgress | undefined;
  const counter = async (_message: unknown, send: () => unknown): Promise<unknown> => {
    if (progress) {
      progress.page += 1;
      address.onpage?.(progress);
    }
    return send();
  };
  const client = await connect(target, {
    clientInfo: { name: "mcp-codegen", version: "0.0.0" },
    ...(chosen && { revisions: chosen }),
    ...(headers && { headers }),
    ...(auth && { auth }),
    ...(scope?.declares && { capabilities: scope.declares }),
    sending: [Object.assign(counter, { concerns: isPage })],
    cache: false,
    eras: false,
    stdio: { stderr: "keep", restart: false },
    timeout,
    signal,
    onerror: (error) => problems.push(error.message),
  });
  try {
    const { info, capabilities, instructions } = client.server;
    const { lists, failed } = await readLists(client, scope, signal, (list) => {
      return (progress = { list, page: 0, entries: 0 });
    });
    const reading: ServerReading = {
      revision: client.revision,
      ...(info !== undefined && { server: info as unknown as Definition }),
      capabilities: (capabilities ?? {}) as Definition,
      ...(instructions !== undefined && { instructions }),
      ...(scope !== undefined && { scope }),
      ...lists,
    };
    return { reading, problems, failed };
  } finally {
    await client.close();
  }
}

function isPage({ paginated }: Method): boolean {
  return paginated === true;
}

interface ReadLists {
  readonly lists: Record<ContractList, readonly Definition[]>;
  readonly failed: ReadonlyMap<ContractList, string>;
}

async function readLists(
  client: McpClient,
  scope: ContractScope | undefined,
  signal: AbortSignal,
  begin: (list: ContractList) => ListProgress,
): Promise<ReadLists> {
  const covered = coveredLists({ ...(scope && { scope }) });
  const failed = new Map<ContractList, string>();
  const lists: [ContractList, readonly Definition[]][] = [];
  for (const list of covered) {
    const items = client[list](undefined, { signal, maxPages: LOCK_LIMITS.pages });
    try {
      lists.push([list, await collect(items, begin(list))]);
    } catch (error) {
      // An RPC error concerns this list only; any other error concerns the connection.
      if (!(error instanceof RpcError) || failed.size + 1 === covered.length) throw error;
      failed.set(list, error.message);
    }
  }
  const all = [...LISTS.map((list) => [list, []] as const), ...lists];
  return { lists: Object.fromEntries(all) as unknown as ReadLists["lists"], failed };
}

async function collect(
  items: AsyncIterable<object>,
  progress: ListProgress,
): Promise<readonly Definition[]> {
  const { list } = progress;
  const found: Definition[] = [];
  let size = 0;
  for await (const item of items) {
    found.push(item as Definition);
    progress.entries = found.length;
    size += JSON.stringify(item).length;
    if (found.length > LOCK_LIMITS.entries) {
      throw new TooMuchError(`it has more than ${LOCK_LIMITS.entries} ${list}`);
    }
    if (size > LOCK_LIMITS.server) {
      throw new TooMuchError(`its ${list} have more than ${LOCK_LIMITS.server} characters`);
    }
  }
  return found;
}
