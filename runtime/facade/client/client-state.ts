import { ClientBase, errorLog, rowOf } from "../../engine/index.js";
import {
  CapabilityError,
  type LogLevel,
  type Revision,
  RpcError,
  isObject,
} from "../../wire/index.js";
import { clientOfAnyKind } from "../../negotiation/index.js";
import { isStateless, topicsOf } from "../../stateless/index.js";
import type { RequestOptions } from "../../api/index.js";
import { ResponseCache } from "../cache/index.js";
import { answerFeatures } from "./answer-features.js";
import { extensionParts } from "./client-extension.js";
import type { ConnectOptions, Target } from "./client-options.js";
import type { Era, EraCache } from "./era-cache.js";
import { type Listener, Listeners } from "./listeners.js";
import { askForLog } from "./log-level.js";
import { news, type Sources, sourcesOf } from "./server-events.js";
import { openConnection } from "./open-connection.js";
import { PageVisits } from "./page-visits.js";
import { type ResourceListener, ResourceWatch } from "./resource-watch.js";
import { SessionWatch } from "./session-watch.js";
import { SubscriptionWatch } from "./subscription-watch.js";
import { locationOf } from "./targets.js";
import type { Watch } from "./watch.js";

type AnyMessages = Record<string, { readonly params?: unknown; readonly result: unknown }>;

const SUBSCRIBE = "server.resources.subscribe";
const NOBODY = { name: "mcp-client", version: "0.0.0" };

/** Milliseconds for each request that opens a connection, where the user may have to log in first. */
const LOGIN_TIME = 330_000;

/** ClientState of an `McpClient` with its server: the client below, the server's news, and their listeners. */
export class ClientState {
  readonly client: ClientBase<AnyMessages, AnyMessages, unknown, unknown>;
  readonly listeners: Listeners;
  readonly report: (error: Error) => void;
  /** Log level that you asked for; undefined before that. */
  logLevel: LogLevel | undefined;
  /** Called when lists that were fetched before may not be what there is now. */
  outdated: () => void = () => {};
  readonly #options: ConnectOptions;
  readonly #revisions: readonly Revision[];
  readonly #sources: Sources;
  readonly #cache: ResponseCache | undefined;
  #watch: Watch | undefined;
  #resources: ResourceWatch | undefined;

  constructor(options: ConnectOptions) {
    const { revisions = [], clientInfo = NOBODY, handlers = {}, features: own = [] } = options;
    this.#options = options;
    this.#revisions = revisions;
    this.#sources = sourcesOf(revisions);
    this.report = options.onerror ?? errorLog();
    this.listeners = new Listeners(this.report);
    this.#cache = cacheOf(options);
    const visits = new PageVisits(() => elicitation);
    const { elicitation, features } = answerFeatures(options, (id) => visits.heard(id));
    const { feature: extended, custom } = extensionParts(options.extensions ?? []);
    const level = (): LogLevel | undefined =>
      this.logLevel ?? (this.listeners.has("log") ? "info" : undefined);
    const handled = Object.assign({}, handlers, ...own.map((feature) => feature.handlers));
    const all = {
      ...options,
      onerror: this.report,
      custom: [...(options.custom ?? []), ...custom],
      features: [
        ...own,
        extended,
        ...features,
        { handlers: {}, sending: elicitation ? [visits.middleware] : [] },
        ...(this.#cache ? [this.#cache] : []),
        news(this.#sources, (...told) => this.#tell(...told), handled),
        { handlers: {}, sending: [askForLog(level)] },
      ],
    };
    this.client = new ClientBase(revisions, clientInfo, handlers, all, clientOfAnyKind);
  }

  /** Negotiated revision. */
  get revision(): Revision | undefined {
    return this.#revisions.find(({ id }) => id === this.client.revision);
  }

  get era(): Era | undefined {
    const { lifecycle } = this.revision?.traits ?? {};
    return lifecycle && (lifecycle === "initialize" ? "handshake" : "stateless");
  }

  /**
   * True when connecting probes the server for its kind; otherwise it is taken for the one that
   * this client speaks.
   */
  get #probes(): boolean {
    const { probeTimeout = Infinity } = this.#options;
    const kinds = new Set(this.#revisions.map(({ traits }) => traits.lifecycle));
    return probeTimeout > 0 && kinds.size > 1;
  }

  /** True for an error that only stateless servers have. */
  #isOfStateless(error: RpcError): boolean {
    return this.#revisions.some((revision) => isStateless(error, revision));
  }

  async open(target: Target, eras: EraCache | undefined): Promise<void> {
    const { auth, signal, timeout = auth && LOGIN_TIME, probeTimeout } = this.#options;
    const connecting = {
      connect: this.client.connect.bind(this.client),
      era: () => this.era,
      mayBeOfProbe: (error: unknown) =>
        this.#probes && error instanceof RpcError && !this.#isOfStateless(error),
    };
    const location = locationOf(target, this.#options);
    const steps = { signal, timeout, probeTimeout };
    const known = this.#probes ? eras : undefined;
    const hooks = { onrestart: () => void this.#renew(), ongap: () => this.#stale() };
    await openConnection(connecting, location, known, steps, hooks);
    this.#watch = this.#watchOf();
    this.#resources = new ResourceWatch(this.#watch, this.report);
    void this.client.closed.then((error) => {
      this.#watch?.close();
      this.listeners.tell("close", error);
    });
  }

  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    return this.client.request(method, params, options);
  }

  on(event: string, listener: Listener): void {
    const isFirst = !this.listeners.has(event);
    this.listeners.add(event, listener);
    const source = this.#sources.get(event);
    if (!isFirst || !source?.isList) return;
    const { method } = source;
    if (this.#declares(method)) this.#watch?.follow(this.#topicOf(method));
    else this.report(notDeclared(event, this.#capabilityOf(method) ?? method));
  }

  off(event: string, listener: Listener): void {
    this.listeners.delete(event, listener);
    const source = this.#sources.get(event);
    if (source?.isList && !this.listeners.has(event))
      this.#watch?.unfollow(this.#topicOf(source.method));
  }

  /** True unless the server is known not to answer a request, by its capabilities or its revision. */
  offers(method: string): boolean {
    const { capabilities } = this.client.server ?? {};
    if (!isObject(capabilities)) return true;
    const row = this.revision?.methods.get(method);
    const [, offer] = row?.capability?.split(".") ?? [];
    return row !== undefined && (offer === undefined || capabilities[offer] !== undefined);
  }

  async subscribe(uri: string, listener: ResourceListener | undefined): Promise<void> {
    if (!isDeclared(this.client.server?.capabilities, SUBSCRIBE)) {
      throw notDeclared(`changes of ${uri}`, SUBSCRIBE);
    }
    await this.#resources?.subscribe(uri, listener);
  }

  async unsubscribe(uri: string, listener: ResourceListener | undefined): Promise<void> {
    await this.#resources?.unsubscribe(uri, listener);
  }

  /** Sends a ping. */
  async ping(options: RequestOptions | undefined): Promise<void> {
    const revision = this.revision!;
    const row = rowOf(revision, "ping") ?? rowOf(revision, "discover")!;
    await this.request(row.method, undefined, options);
  }

  /** Another session has taken the place of the one before: the server knows nothing of this client. */
  async #renew(): Promise<void> {
    const { logLevel: level } = this;
    if (level) await this.request("logging/setLevel", { level }).catch(this.report);
    await this.#watch?.renew();
  }

  #stale(): void {
    this.#cache?.clear();
    this.outdated();
    this.listeners.tell("stale");
  }

  #watchOf(): Watch {
    const host = {
      request: this.request.bind(this),
      report: this.report,
      stale: () => this.#stale(),
    };
    return this.era === "handshake"
      ? new SessionWatch(host)
      : new SubscriptionWatch(host, this.#options.relisten);
  }

  #tell(event: string, told: readonly unknown[]): void {
    if (event === "toolsChanged") this.outdated();
    if (event === "resourceUpdated") this.#resources?.updated(told[0] as string);
    this.listeners.tell(event, ...told);
  }

  /** True when the revision has a notification, and the server has declared that it sends it. */
  #declares(method: string): boolean {
    const { capability } = this.revision?.methods.get(method) ?? {};
    return capability !== undefined && isDeclared(this.client.server?.capabilities, capability);
  }

  /** Name of a notification in the filter of subscriptions; its method in a session, which has none. */
  #topicOf(method: string): string {
    const { revision } = this;
    return (revision && topicsOf(revision)?.members.get(method)) ?? method;
  }

  /** Capability for a message, in the first revision that has the message. */
  #capabilityOf(method: string): string | undefined {
    return this.#revisions.find(({ methods }) => methods.has(method))?.methods.get(method)
      ?.capability;
  }
}

/** Headers that are made anew may speak for another account each time: then somebody has to say for which. */
function cacheOf({ cache, headers, http }: ConnectOptions): ResponseCache | undefined {
  const areFixed = typeof headers !== "function" && typeof http?.headers !== "function";
  if (cache === false || (cache === undefined && !areFixed)) return undefined;
  return new ResponseCache(typeof cache === "object" ? cache : {});
}

/** @param path - `server.tools.listChanged` */
function isDeclared(capabilities: unknown, path: string): boolean {
  let declared = capabilities;
  for (const name of path.split(".").slice(1)) {
    declared = isObject(declared) ? declared[name] : undefined;
  }
  return declared === true;
}

function notDeclared(what: string, path: string): CapabilityError {
  const capability = path.replace(/^server\./, "");
  const text = `Nothing will be heard of ${what}: the server does not declare ${capability}`;
  return new CapabilityError(text, path);
}
