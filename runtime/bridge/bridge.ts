import { customNotification, customRequest, type MethodFamily } from "@mcp-codegen/runtime";
import type { ConnectOptions } from "@mcp-codegen/universal/client";
import {
  type AskingContext,
  HeldCalls,
  type HeldCallsOptions,
  McpServer,
  type McpServerOptions,
} from "@mcp-codegen/universal/server";
import type { Caller } from "./callers.js";
import { Catalogue } from "./catalogue.js";
import { type Conversation, type ConversationEvents, noteLevel } from "./conversation.js";
import { Conversations, type ConversationsOptions } from "./conversations.js";
import { Middle, OFFERED, type Params } from "./middle.js";
import { Access, type OnDecision, type Policy } from "./policy.js";
import { ResourceWatch } from "./resource-watch.js";
import { passedTasks, TASKS } from "./tasks.js";
import { type NamedUpstream, readUpstreams, type Upstream } from "./upstream.js";

/** Options of {@link bridge}. */
export interface BridgeOptions {
  /** Text between the name of a server and that of its tool or prompt. Default: `_`. */
  readonly separator?: string | undefined;
  /** Options of all connections to the servers, such as `auth`, `headers` and `revisions`. */
  readonly connect?: ConnectOptions | undefined;
  /** Options of the server that clients see, such as `revisions`, `middleware` and `limits`. */
  readonly server?: McpServerOptions | undefined;
  /** Name and version that clients see. Default: those of the only server; `mcp-bridge` before several. */
  readonly info?: { readonly name: string; readonly version: string } | undefined;
  /** Limits of the conversations with each server. */
  readonly conversations?: ConversationsOptions | undefined;
  /** Limits of the calls that wait for the answer of a stateless client. */
  readonly held?: HeldCallsOptions | undefined;
  /** Rules for what clients may use, by the name of the server or `*`; or a function. Default: everything. */
  readonly policy?: Policy | undefined;
  /** Called with each decision of the policy. Default: none. */
  readonly ondecision?: OnDecision | undefined;
  /**
   * `search`: in place of all tools, clients see two that find and call them. `all`: clients see all tools. Default:
   * `all`.
   */
  readonly catalog?: "all" | "search" | undefined;
  /** Milliseconds that one of several servers may take for a page of a list. Default: 10 000. */
  readonly listTimeout?: number | undefined;
  /** Called with errors that no caller receives. Default: prints one line with `console.error`. */
  readonly onerror?: ((error: Error) => void) | undefined;
}

/** Lists as clients see them. */
type Lists = Pick<Middle, "list" | "use">;

/** Families of the lists that can change. */
const CHANGING = OFFERED.filter(({ changed, templatesOf }) => changed && !templatesOf);

/**
 * Connects to a server, or to several by name, and returns a server that forwards requests to them: clients of every
 * revision use it like any other `McpServer`. Each caller has its own conversation with a server that keeps sessions.
 *
 * @example
 * ```ts
 * const server = await bridge("https://example.com/mcp");
 * await serveStdio(server);
 * ```
 *
 * @throws TypeError for invalid servers or options; the error of connecting if none of the servers can be reached
 */
export async function bridge(
  upstream: Upstream | Readonly<Record<string, Upstream>>,
  options: BridgeOptions = {},
): Promise<McpServer> {
  const parts = await partsOf(upstream, options);
  try {
    const reached = await reach(parts);
    const { listTimeout = 10_000 } = options;
    const middle = new Middle({ ...parts, listTimeout });
    const lists = await listsOf(middle, options);
    return new BridgeServer(parts, reached, { middle, lists }, options);
  } catch (error) {
    await close(parts);
    throw error;
  }
}

/** Parts of a bridge. */
interface Parts {
  readonly servers: ReadonlyMap<string, Conversations>;
  readonly catalogue: Catalogue;
  readonly held: HeldCalls;
  readonly access: Access;
  readonly isDefined: (method: string) => boolean;
  readonly report: (error: Error) => void;
  /** Server that clients see; absent until it is created, because it depends on the other parts. */
  server?: McpServer;
}

/** The lists that clients see. @throws TypeError for an unknown kind of catalogue */
async function listsOf(middle: Middle, { catalog = "all" }: BridgeOptions): Promise<Lists> {
  if (catalog === "all") return middle;
  if (catalog !== "search") throw new TypeError("catalog must be all or search");
  const { SearchCatalogue } = await import("./search.js");
  return new SearchCatalogue(middle);
}

/** Guards the servers that the policy has contracts for. @throws TypeError if contracts cannot be compared */
async function guarded(
  upstreams: readonly NamedUpstream[],
  access: Access,
  report: (error: Error) => void,
  changed: () => void,
): Promise<readonly NamedUpstream[]> {
  if (upstreams.every(({ name }) => access.rulesFor(name).contract === undefined)) return upstreams;
  const { Pins } = await import("./pins.js");
  const pins = new Pins(report, changed);
  access.pins = pins;
  return Promise.all(upstreams.map((one) => pins.guarded(one, access.rulesFor(one.name))));
}

async function partsOf(
  given: Upstream | Readonly<Record<string, Upstream>>,
  options: BridgeOptions,
): Promise<Parts> {
  const { separator = "_", connect = {}, onerror, held, conversations = {} } = options;
  const report = onerror ?? ((error: Error): void => console.error(error.message));
  const read = readUpstreams(given, separator, connect);
  const names = read.map(({ name }) => name);
  const access = new Access(options.policy, names, options.ondecision);
  const upstreams = await guarded(read, access, report, () => announce(parts.server));
  const { revisions } = new McpServer({ name: "newest", version: "0.0.0" });
  const questions = [...revisions[0]!.methods.values()].filter(
    ({ from, kind, role }) => from === "server" && kind === "request" && role === undefined,
  );
  const lists = CHANGING.map(({ name }) => name);
  const events: ConversationEvents = {
    revisions,
    questions,
    report,
    changed: (list, caller) => announce(parts.server, list, caller),
    elicited: (id) => parts.server?.elicitationCompleted(id),
  };
  const parts: Parts = {
    servers: new Map(
      upstreams.map((one) => [one.name, new Conversations(one, events, lists, conversations)]),
    ),
    catalogue: new Catalogue(names, separator, report),
    held: new HeldCalls(held),
    access,
    isDefined: (method) => revisions.some(({ methods }) => methods.has(method)),
    report,
  };
  return parts;
}

/** Notifies clients that a list may have changed: the caller whose conversation it is, or all. */
function announce(server: McpServer | undefined, list?: string, caller?: Caller): void {
  const changed = CHANGING.filter(({ name }) => list === undefined || name === list);
  for (const { name, changed: method } of changed) {
    if (caller?.session) void caller.session.notify(method!).catch(() => {});
    else server?.notify[`${name}Changed` as keyof McpServer["notify"]]();
  }
}

/** Connects to all servers. @throws the error of the first one if none can be reached */
async function reach({ servers, report }: Parts): Promise<readonly Conversation[]> {
  const names = [...servers.keys()];
  const opened = await Promise.allSettled([...servers.values()].map((one) => one.shared()));
  const failed = opened.flatMap((one, index) =>
    one.status === "rejected" ? [[names[index]!, one.reason as Error] as const] : [],
  );
  if (failed.length === names.length) throw failed[0]![1];
  for (const [name, cause] of failed) {
    report(new Error(`${name} cannot be reached: ${cause.message}`, { cause }));
  }
  return opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
}

async function close({ held, servers }: Parts): Promise<void> {
  held.close();
  await Promise.all([...servers.values()].map((one) => one.close()));
}

/** Server that also ends the conversations with other servers when it is closed. */
class BridgeServer extends McpServer {
  readonly #parts: Parts;
  #closed: Promise<Error | undefined> | undefined;

  constructor(
    parts: Parts,
    reached: readonly Conversation[],
    { middle, lists }: { readonly middle: Middle; readonly lists: Lists },
    options: BridgeOptions,
  ) {
    const { servers, catalogue, report } = parts;
    const isWhole = reached.length === servers.size;
    const offers = (path: string): boolean =>
      !isWhole ||
      reached.some((one) => (path === "completions" ? one.completes : one.offers(path)));
    const watch = new ResourceWatch(servers, catalogue, (uri) => this.resourceUpdated(uri), report);
    const subscriptions = offers("resources.subscribe") && watch.options;
    const info = catalogue.isPlain ? reached[0]!.client.server.info : undefined;
    const tasks = passedTasks(reached);
    super(options.info ?? info ?? { name: "mcp-bridge", version: "0.0.0" }, {
      instructions: instructionsOf(reached),
      ...options.server,
      checkContent: false,
      capabilities: {
        ...capabilitiesOf(offers),
        ...ownOf(parts, reached),
        ...options.server?.capabilities,
      },
      extensions: [...(tasks?.extensions ?? []), ...(options.server?.extensions ?? [])],
      features: [...(tasks?.features ?? []), ...(options.server?.features ?? [])],
      logging: offers("logging"),
      subscriptions,
      onerror: report,
    });
    this.#parts = parts;
    parts.server = this;
    serve(this, { middle, lists }, servers, offers);
    for (const method of tasks?.methods ?? [])
      setterOf(this)(method, (params, ctx) => middle.task(method, params, ctx));
    if (subscriptions) {
      const set = setterOf(this);
      set("resources/subscribe", async (params, ctx, next) => {
        await watch.subscribe(String(params["uri"]), ctx);
        return next();
      });
      set("resources/unsubscribe", (params, ctx, next) => {
        watch.unsubscribe(String(params["uri"]), ctx);
        return next();
      });
    }
  }

  override get closed(): Promise<Error | undefined> {
    this.#closed ??= super.closed.then(async (error) => {
      await close(this.#parts);
      return error;
    });
    return this.#closed;
  }

  override async close(): Promise<void> {
    await super.close();
    await close(this.#parts);
  }
}

/** Capabilities that the server declares: those of the servers behind it. */
function capabilitiesOf(offers: (path: string) => boolean): object {
  const lists = CHANGING.map(({ name }) => name).filter(offers);
  return {
    ...Object.fromEntries(lists.map((name) => [name, { listChanged: true }])),
    ...(offers("completions") && { completions: {} }),
  };
}

/** Capabilities of the only server that no revision defines: its extensions, whose messages are forwarded. */
function ownOf({ catalogue }: Parts, [one]: readonly Conversation[]): object {
  if (!catalogue.isPlain || one === undefined) return {};
  const { experimental, extensions } = one.client.server.capabilities;
  const { [TASKS]: _, ...others } = extensions ?? {};
  return {
    ...(experimental && { experimental }),
    ...(Object.keys(others).length > 0 && { extensions: others }),
  };
}

function instructionsOf(reached: readonly Conversation[]): string | undefined {
  const all = reached.flatMap(({ upstream: { name }, client }) => {
    const { instructions } = client.server;
    return instructions === undefined
      ? []
      : [name === "" ? instructions : `# ${name}\n\n${instructions}`];
  });
  return all.length > 0 ? all.join("\n\n") : undefined;
}

type SetHandler = (
  method: string,
  handler: (params: Params, ctx: AskingContext, next: () => Promise<unknown>) => unknown,
) => void;

/** Function that sets a handler, unless no served revision (see the option `revisions`) has its method. */
function setterOf(server: McpServer): SetHandler {
  const set = server.setHandler.bind(server) as unknown as SetHandler;
  return (method, handler) => {
    if (server.revisions.some(({ methods }) => methods.has(method))) set(method, handler);
  };
}

/** Capability of a server that offers a list: `tools`. */
function capabilityOf({ capability }: MethodFamily): string {
  return capability!.split(".")[1]!;
}

/** Sets the handlers of the server that clients see. */
function serve(
  server: McpServer,
  { middle, lists }: { readonly middle: Middle; readonly lists: Lists },
  servers: ReadonlyMap<string, Conversations>,
  offers: (path: string) => boolean,
): void {
  const set = setterOf(server);
  for (const family of OFFERED.filter((one) => offers(capabilityOf(one)))) {
    set(family.list, (params, ctx) => lists.list(family, params, ctx));
    const { use } = family;
    if (use === undefined || family.templatesOf !== undefined) continue;
    set(use, (params, ctx) => lists.use(family, params, ctx));
  }
  if (offers("completions")) {
    set("completion/complete", (params, ctx) => middle.complete(params, ctx));
  }
  server.onCustom(customRequest<Params, unknown>("*"), (params, ctx) => middle.other(params, ctx));
  server.onCustom(customNotification<unknown>("*"), (params, ctx) => middle.note(params, ctx));
  set("notifications/roots/list_changed", async (_params, { session }) => {
    for (const one of servers.values()) {
      for await (const { client } of one.ofSession(session)) {
        await client.notify("notifications/roots/list_changed");
      }
    }
  });
  if (offers("logging")) {
    set("logging/setLevel", (params, ctx, next) => {
      noteLevel(ctx, params["level"] as never);
      return next();
    });
  }
}
