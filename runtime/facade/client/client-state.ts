import { ClientBase, errorLog, rowOf } from "../../engine/index.js";
import {
  CapabilityError,
  type LogLevel,
  type Revision,
  extendedRevision,
  isObject,
} from "../../wire/index.js";
import { clientOfKindFound } from "../../negotiation/index.js";
import { topicsOf } from "../../stateless/index.js";
import { type AnySendMiddleware, type RequestOptions, limitsOf } from "../../api/index.js";
import { protocolOf } from "../extensions/extension-gate.js";
import { ResponseCache } from "../cache/index.js";
import { paramsCheck } from "../project/params-check.js";
import { PageVisits, answerFeatures } from "./answers.js";
import { extensionParts } from "./client-extension.js";
import type { ConnectOptions, Target } from "./client-options.js";
import type { Era, EraCache } from "./open-connection.js";
import {
  type Listener,
  Listeners,
  type Sources,
  withLogLevel,
  notificationEvents,
  sourcesOf,
} from "./events.js";
import { LostRequests } from "./requests.js";
import {
  type ResourceListener,
  ResourceWatch,
  SessionWatch,
  type SubscribeOptions,
  type Watch,
} from "./changes.js";
import { type PlainClient, ServerConnection } from "./server-connection.js";
import { SubscriptionWatch } from "./subscription-watch.js";

const SUBSCRIBE = "server.resources.subscribe";
const UNNAMED = { name: "mcp-client", version: "0.0.0" };

/** State of an `McpClient`: the client below it, its connection, the events of the server and their listeners. */
export class ClientState {
  readonly connection: ServerConnection;
  readonly listeners: Listeners;
  readonly report: (error: Error) => void;
  /** Log level that was set; undefined before that. */
  logLevel: LogLevel | undefined;
  /**
   * Called when lists that were fetched before may be out of date; `opened` is the description of a server that may not be
   * the one before. Messages to that server wait for the returned promise.
   */
  outdated: (opened?: { readonly instructions?: unknown }) => Promise<void> | undefined = () =>
    undefined;
  readonly #options: ConnectOptions;
  readonly #revisions: readonly Revision[];
  readonly #sources: Sources;
  readonly #cache: ResponseCache | undefined;
  readonly #lost: LostRequests | undefined;
  #watch: Watch | undefined;
  #resources: ResourceWatch | undefined;

  /** @param outermost - middleware around what is sent, outside of all features */
  constructor(options: ConnectOptions, outermost?: AnySendMiddleware) {
    const { clientInfo = UNNAMED, handlers = {}, features: own = [], extensions = [] } = options;
    const protocols = extensions.map(protocolOf);
    const revisions = (options.revisions ?? []).map((one) => extendedRevision(one, protocols));
    this.#options = options;
    this.#revisions = revisions;
    this.#sources = sourcesOf(revisions);
    this.report = options.onerror ?? errorLog();
    this.listeners = new Listeners(this.report);
    this.#cache = cacheOf(options);
    const { retryLost = "reads" } = options;
    this.#lost = retryLost
      ? new LostRequests(retryLost, (method) => this.revision?.methods.get(method))
      : undefined;
    const visits = new PageVisits(() => elicitation, {
      longest: options.pageTimeout,
      mostPages: limitsOf(options.limits).rounds,
    });
    const { elicitation, features } = answerFeatures(options, (id) => visits.heard(id));
    const { feature: extended, custom } = extensionParts(extensions);
    const level = (): LogLevel | undefined =>
      this.logLevel ?? (this.listeners.has("log") ? "info" : undefined);
    const handled = Object.assign({}, handlers, ...own.map((feature) => feature.handlers));
    const all = {
      ...options,
      onerror: this.report,
      custom: [...(options.custom ?? []), ...custom],
      features: [
        { handlers: {}, sending: outermost && [outermost] },
        ...own,
        extended,
        ...extensions.flatMap((extension) => extension.features ?? []),
        ...features,
        {
          handlers: {},
          sending: elicitation && options.pageTimeout !== 0 ? [visits.middleware] : [],
        },
        ...(this.#cache ? [this.#cache] : []),
        notificationEvents(this.#sources, (...event) => this.#emit(...event), handled),
        { handlers: {}, sending: [withLogLevel(level)] },
        paramsCheck(),
      ],
    };
    const client: PlainClient = new ClientBase(
      revisions,
      clientInfo,
      handlers,
      all,
      clientOfKindFound((evidence) => (this.connection.evidence = evidence)),
    );
    this.connection = new ServerConnection(client, options, revisions, {
      isNeeded: () => this.listeners.needServer || this.#resources?.isFollowing === true,
      reopened: () => void this.#restarted(),
      onrestart: (opened) => {
        const checked = this.outdated(opened);
        void this.#renew();
        return checked;
      },
      ongap: () => this.#stale(),
      report: this.report,
    });
  }

  get revision(): Revision | undefined {
    return this.connection.revision;
  }

  get era(): Era | undefined {
    return this.connection.era;
  }

  async open(target: Target, eras: EraCache | undefined): Promise<void> {
    await this.connection.open(target, eras);
    this.#watch = this.#watchOf();
    this.#resources = new ResourceWatch(this.#watch, this.report);
    void this.connection.closed.then((error) => {
      this.#watch?.close();
      this.listeners.emit("close", error);
    });
  }

  /** Sends a request: at once, or once the connection is open and the server has accepted the subscription. */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    const send = (): Promise<unknown> => {
      const before = this.connection.ready ?? this.#watch?.opening;
      return this.connection.request(method, params, options, before);
    };
    return this.#lost ? this.#lost.send(method, params, send) : send();
  }

  /**
   * @returns a promise that resolves when the server has accepted the subscription, or does not declare the event, and
   *   rejects when it has refused; the rejection need not be handled
   */
  on(event: string, listener: Listener): Promise<void> {
    const isFirst = !this.listeners.has(event);
    this.listeners.add(event, listener);
    const source = this.#sources.get(event);
    if (!source?.isList || this.#watch === undefined) return Promise.resolve();
    const { method } = source;
    if (this.#declares(method)) return this.#watch.follow(this.#topicOf(method));
    if (isFirst) this.report(notDeclared(event, this.#capabilityOf(method) ?? method));
    return Promise.resolve();
  }

  off(event: string, listener: Listener): void {
    this.listeners.delete(event, listener);
    const source = this.#sources.get(event);
    if (source?.isList && !this.listeners.has(event))
      this.#watch?.unfollow(this.#topicOf(source.method));
  }

  /** True unless its capabilities or its revision show that the server does not answer a request. */
  offers(method: string): boolean {
    const { capabilities } = this.connection.server ?? {};
    if (!isObject(capabilities)) return true;
    const row = this.revision?.methods.get(method);
    const [, offer] = row?.capability?.split(".") ?? [];
    return row !== undefined && (offer === undefined || capabilities[offer] !== undefined);
  }

  async subscribe(
    uri: string,
    listener: ResourceListener | undefined,
    options: SubscribeOptions,
  ): Promise<void> {
    if (!isDeclared(this.connection.server?.capabilities, SUBSCRIBE)) {
      throw notDeclared(`changes of ${uri}`, SUBSCRIBE);
    }
    const { ready } = this.connection;
    if (ready) await ready;
    await this.#resources?.subscribe(uri, listener, options);
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

  /** Handles a restarted process. Its watch opens the subscription again. */
  async #restarted(): Promise<void> {
    if (this.era !== "handshake") return this.#stale();
    this.#outdated(this.connection.server);
    await this.#renew();
  }

  /**
   * Handles a new session that replaces the previous one: the server has no state of this client.
   */
  async #renew(): Promise<void> {
    const { logLevel: level } = this;
    if (level) await this.request("logging/setLevel", { level }).catch(this.report);
    await this.#watch?.renew();
  }

  /** Plugins report their failures themselves. */
  #outdated(opened?: { readonly instructions?: unknown }): void {
    this.outdated(opened)?.catch(() => {});
  }

  #stale(): void {
    this.#cache?.clear();
    this.#outdated();
    this.listeners.emit("stale");
  }

  #watchOf(): Watch {
    const host = {
      request: (method: string, params: unknown, asked?: RequestOptions) =>
        this.connection.request(method, params, asked),
      report: this.report,
      stale: () => this.#stale(),
    };
    return this.era === "handshake"
      ? new SessionWatch(host)
      : new SubscriptionWatch(host, this.#options.relisten);
  }

  #emit(event: string, values: readonly unknown[]): void {
    if (this.#sources.get(event)?.isList) this.#outdated();
    if (event === "resourceUpdated") this.#resources?.updated(values[0] as string);
    this.listeners.emit(event, ...values);
  }

  /** True if the revision has a notification, and the server declares that it sends it. */
  #declares(method: string): boolean {
    const { capability } = this.revision?.methods.get(method) ?? {};
    return capability !== undefined && isDeclared(this.connection.server?.capabilities, capability);
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

/**
 * Creates the cache of a client. If headers are computed, each request may belong to another
 * account, so the option is required.
 */
function cacheOf({ cache, headers, http, auth }: ConnectOptions): ResponseCache | undefined {
  const areFixed = typeof headers !== "function" && typeof http?.headers !== "function";
  if (cache === false || (cache === undefined && !areFixed)) return undefined;
  const account = auth && { partition: () => auth.account() };
  return new ResponseCache({ ...account, ...(typeof cache === "object" && cache) });
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
  const text = `Notifications of ${what} will not arrive: the server does not declare ${capability}`;
  return new CapabilityError(text, path);
}
