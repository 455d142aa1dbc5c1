import { Cursors } from "@mcp-codegen/runtime/features";
import type { ConnectOptions } from "@mcp-codegen/universal/client";
import type { McpServer } from "@mcp-codegen/universal/server";
import { BridgeServer, type BridgeServerOptions, type Lists } from "./bridge-server.js";
import { type Caller, unref } from "./callers.js";
import { Catalogue } from "./catalogue.js";
import { Conversation, type ConversationEvents } from "./conversation.js";
import { Conversations, type ConversationsOptions } from "./conversations.js";
import { HeldCalls, type HeldCallsOptions } from "./held-calls.js";
import { itemsOf } from "./listed-tools.js";
import { type Gateway, Middle } from "./middle.js";
import { guarded } from "./pins.js";
import { Access, type OnDecision, type Policy } from "./policy.js";
import { capabilityOf, CHANGING, OFFERED } from "./protocol.js";
import { readUpstreams, type Upstream } from "./upstream.js";

/** Options for {@link bridge}. */
export interface BridgeOptions extends BridgeServerOptions {
  /** The string between a server's name and the name of its tool or prompt, if the servers have names. Default: `_`. */
  readonly separator?: string | undefined;
  /** Options for all connections to the servers, such as `auth`, `headers` and `revisions`. */
  readonly connect?: ConnectOptions | undefined;
  /** Limits on the conversations with each server. */
  readonly conversations?: ConversationsOptions | undefined;
  /** Limits on calls that are waiting for a stateless client's answer to a question. */
  readonly held?: HeldCallsOptions | undefined;
  /**
   * Rules for what clients may use, keyed by server name or `*`, or a function that decides. Default: clients may use
   * everything.
   */
  readonly policy?: Policy | undefined;
  /** Called for each decision that the policy makes. Default: none. */
  readonly ondecision?: OnDecision | undefined;
  /**
   * Controls which tools clients see: `all` of them or, with `search`, only two: one that finds tools and one that
   * calls them. Default: `all`.
   */
  readonly catalog?: "all" | "search" | undefined;
  /**
   * The time that the bridge waits for one of several servers, in milliseconds: for its connection at the start, and
   * for each page of a list. After that, the bridge continues without that server. Default: 10,000.
   */
  readonly listTimeout?: number | undefined;
  /** Called for each server that was reached at the start, with its name and description. Default: none. */
  readonly onreach?: ((name: string, server: ReachedServer) => void) | undefined;
  /** Called with errors that do not reach any caller. Default: prints the message with `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** A server behind a bridge, as it was when the bridge started. */
export interface ReachedServer {
  /** The name and version, or undefined if the server does not provide them. */
  readonly info: { readonly name: string; readonly version: string } | undefined;
  /** The id of the revision that the bridge uses with this server. */
  readonly revision: string;
}

/** Holds the server that clients see. It is empty until the servers behind the bridge are connected. */
interface Front {
  server?: McpServer;
}

/**
 * Connects to a server, or to several by name, and returns a server that forwards requests to them. Clients of every
 * revision can use it like any other `McpServer`. If a server behind the bridge keeps sessions, each caller that can
 * be identified has conversations of its own with that server.
 *
 * @example
 * ```ts
 * const server = await bridge("https://example.com/mcp");
 * await serveStdio(server);
 * ```
 *
 * @throws TypeError if the servers or options are invalid; the connection error if no server can be reached
 */
export async function bridge(
  upstream: Upstream | Readonly<Record<string, Upstream>>,
  options: BridgeOptions = {},
): Promise<McpServer> {
  const front: Front = {};
  const gateway = await gatewayOf(upstream, options, front);
  const end = async (): Promise<void> => {
    gateway.held.close();
    await Promise.all([...gateway.servers.values()].map((one) => one.close()));
  };
  try {
    const reached = await reach(gateway);
    for (const {
      upstream: { name },
      client,
    } of reached)
      options.onreach?.(name, { info: client.server.info, revision: client.revision });
    const middle = new Middle(gateway);
    const lists = await listsOf(middle, options);
    front.server = new BridgeServer(gateway, reached, { middle, lists }, options, end);
    return front.server;
  } catch (error) {
    await end();
    throw error;
  }
}

async function gatewayOf(
  given: Upstream | Readonly<Record<string, Upstream>>,
  options: BridgeOptions,
  front: Front,
): Promise<Gateway> {
  const { separator = "_", connect = {}, conversations = {}, held, listTimeout = 10_000 } = options;
  const { onerror: report = (error: Error): void => console.error(error.message) } = options;
  const read = readUpstreams(given, separator, connect);
  const names = read.map(({ name }) => name);
  const { cursors = new Cursors() } = options.server ?? {};
  const reportOnce = withoutRepeats(report);
  const access = new Access(options.policy, names, options.ondecision, reportOnce);
  const changed = (): void => announce(front);
  const upstreams = await guarded(read, access, reportOnce, changed);
  const events: ConversationEvents = {
    report,
    changed: (list, caller) => announce(front, list, caller),
    elicited: (id) => front.server?.elicitationCompleted(id),
  };
  const check = whenQuiet((server) => checkNames(gateway, server));
  const open = upstreams.map((one) => {
    const followed: typeof events.changed = (list, caller) => {
      events.changed(list, caller);
      if (caller === undefined && (one.name !== "" || access.hasUnused(""))) check(one.name);
    };
    return [
      one.name,
      new Conversations(one, { ...events, changed: followed }, conversations),
    ] as const;
  });
  const gateway: Gateway = {
    servers: new Map(open),
    catalogue: new Catalogue(names, { separator, cursors, report: reportOnce }),
    held: new HeldCalls(held),
    access,
    listTimeout,
    report,
    reportOnce,
  };
  return gateway;
}

/** The minimum pause between checks of a server's names, in milliseconds. */
const CHECK_PAUSE = 1000;

/**
 * Wraps a function so that it runs at most once per pause for each value: immediately, and again after the pause if it
 * was called in the meantime.
 */
function whenQuiet(act: (value: string) => Promise<void>): (value: string) => void {
  const isDue = new Map<string, boolean>();
  const start = (value: string): void => {
    if (isDue.has(value)) return void isDue.set(value, true);
    isDue.set(value, false);
    const ended = (): void => {
      const again = isDue.get(value);
      isDue.delete(value);
      if (again) start(value);
    };
    const pause = (): unknown => unref(setTimeout(ended, CHECK_PAUSE));
    act(value).then(pause, pause);
  };
  return start;
}

/**
 * Lists a server's tools and prompts, to report names that clients cannot use and patterns of the policy that match
 * nothing.
 */
async function checkNames({ servers, catalogue, access }: Gateway, name: string): Promise<void> {
  const shared = await servers.get(name)!.shared();
  const names: string[] = [];
  let isWhole = true;
  for (const family of OFFERED.filter(({ key }) => key === "name")) {
    if (!shared.offers(capabilityOf(family))) continue;
    let nextCursor: string | undefined;
    await itemsOf(family, async (page) => {
      const result = await shared.client.request(family.list as "tools/list", page);
      if (!catalogue.isPlain) catalogue.items(family, { name, result });
      const { [family.name as "tools"]: items } = result;
      names.push(...items.map((item) => item.name));
      ({ nextCursor } = result);
      return { nextCursor };
    });
    isWhole &&= nextCursor === undefined;
  }
  if (isWhole) access.checkUnused(name, names, catalogue.sharedName(name, ""));
}

/**
 * Wraps a function so that it reports each message only once, and no more than 1000 messages in total, because servers
 * choose their text.
 */
function withoutRepeats(report: (error: Error) => void): (error: Error) => void {
  const reported = new Set<string>();
  return (error) => {
    if (reported.has(error.message) || reported.size >= 1000) return;
    reported.add(error.message);
    report(error);
  };
}

/**
 * Notifies clients that a list may have changed: only the caller if the conversation belongs to a caller with a
 * session, and otherwise all clients.
 */
function announce({ server }: Front, list?: string, caller?: Caller): void {
  for (const { name, changed } of CHANGING) {
    if (list !== undefined && name !== list) continue;
    if (caller?.session) void caller.session.notify(changed!).catch(() => {});
    else server?.notify[`${name}Changed` as keyof McpServer["notify"]]();
  }
}

/**
 * Connects to all servers and returns the conversations with those that it reached in time. Clients are notified when a
 * late server's lists become available.
 *
 * @throws the error of the first server that failed, if none can be reached
 */
async function reach(gateway: Gateway): Promise<readonly Conversation[]> {
  const { servers, catalogue, listTimeout, report } = gateway;
  const late = catalogue.isPlain ? undefined : AbortSignal.timeout(listTimeout);
  const failed: unknown[] = [];
  const opening = [...servers].map(async ([name, one]) => {
    try {
      return [await (late ? one.promptly("connect", late, () => one.shared()) : one.shared())];
    } catch (error) {
      failed.push(error);
      const problem = `${name} cannot be reached: ${(error as Error).message}`;
      if (!catalogue.isPlain) report(new Error(problem, { cause: error }));
      return [];
    }
  });
  const reached = (await Promise.all(opening)).flat();
  if (reached.length === 0) throw failed[0];
  return reached;
}

async function listsOf(middle: Middle, { catalog = "all" }: BridgeOptions): Promise<Lists> {
  if (catalog === "all") return middle;
  if (catalog !== "search") throw new TypeError("catalog must be all or search");
  const { SearchCatalogue } = await import("./search.js");
  return new SearchCatalogue(middle);
}
