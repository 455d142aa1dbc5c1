import { SideDefinition, clientEndpoint, errorLog, rowOf } from "../../engine/index.js";
import {
  CapabilityError,
  type LogLevel,
  type Revision,
  extendedRevision,
  isObject,
  valueAt,
} from "../../wire/index.js";
import { clientOfKindFound } from "../../negotiation/index.js";
import { topicsOf } from "../../stateless/index.js";
import type { Feature, RequestOptions } from "../../api/index.js";
import { paramsCheck } from "../project/params-check.js";
import {
  type ResourceListener,
  type ResourceWatch,
  type SubscribeOptions,
  type Watch,
  resourceWatch,
  sessionWatch,
} from "./changes.js";
import type { ConnectOptions, Target } from "./client-options.js";
import type { Era, EraCache } from "./eras.js";
import {
  type Listener,
  type Listeners,
  type Sources,
  addListener,
  callListener,
  logLevelSteps,
  notificationEvents,
  removeListener,
  sourcesOf,
} from "./events.js";
import { type ClientParts, type LateCache, lateCache, lateWatch } from "./late-parts.js";
import { readsOf, type SendAgain, sendingAgain } from "./requests.js";
import { ServerConnection } from "./server-connection.js";

const SUBSCRIBE = "server.resources.subscribe";
const UNNAMED = { name: "mcp-client", version: "0.0.0" };

/** The state of an `McpClient`: its underlying endpoint and connection, and the server's events and their listeners. */
export class ClientState {
  readonly connection: ServerConnection;
  readonly report: (error: Error) => void;
  logLevel: LogLevel | undefined;
  /**
   * Called when previously fetched lists may be out of date. `opened` describes a server that may have replaced the
   * previous one. Messages to that server wait for the returned promise.
   */
  outdated: (opened?: { readonly instructions?: unknown }) => Promise<void> | undefined = () =>
    undefined;
  readonly #options: ConnectOptions;
  readonly #revisions: readonly Revision[];
  readonly #sources: Sources;
  readonly #listeners: Listeners = new Map();
  readonly #cache: LateCache | undefined;
  readonly #sendAgain: SendAgain | undefined;
  /**
   * The list and read methods, which are the only requests that may be sent again. Undefined if any request may be sent
   * again.
   */
  readonly #reads: ReadonlySet<string> | undefined;
  #watch: Watch | undefined;
  #resources: ResourceWatch | undefined;

  /** @param outermost - the feature whose middleware encloses all other middleware */
  constructor(options: ConnectOptions, parts: ClientParts, outermost: Feature | undefined) {
    const { clientInfo = UNNAMED, handlers = {}, features: own = [] } = options;
    const { protocols = [], custom = [], features: extended = [] } = parts.extensions ?? {};
    const revisions = ((options.revisions ?? []) as readonly Revision[]).map((one) =>
      extendedRevision(one, protocols),
    );
    this.#options = options;
    this.#revisions = revisions;
    this.#sources = sourcesOf(revisions);
    this.report = options.onerror ?? errorLog();
    this.#cache = lateCache(options);
    const { retryLost = "reads" } = options;
    const reads = readsOf(revisions);
    if (retryLost === "reads") this.#reads = reads;
    this.#sendAgain = retryLost
      ? sendingAgain(retryLost, (method) => reads.has(method))
      : undefined;
    const level = (): LogLevel | undefined =>
      this.logLevel ?? (this.#listeners.has("log") ? "info" : undefined);
    const handled = Object.assign({}, handlers, ...own.map((feature) => feature.handlers));
    const features = [
      outermost,
      ...own,
      ...extended,
      ...(parts.answers ?? []),
      this.#cache?.feature,
      notificationEvents(this.#sources, (...event) => this.#emit(...event), handled),
      { handlers: {}, steps: logLevelSteps(level) },
      paramsCheck(),
    ];
    const definition = new SideDefinition("client", revisions, clientInfo, handlers, {
      ...options,
      onerror: this.report,
      custom: [...(options.custom ?? []), ...custom],
      features: features.filter((feature) => feature !== undefined),
    });
    const endpoint = clientEndpoint(
      definition,
      clientOfKindFound((evidence) => (this.connection.evidence = evidence)),
    );
    this.connection = new ServerConnection(endpoint, options, {
      agreed: ({ revision }) => this.#cache?.agreed(revision),
      isNeeded: () =>
        [...this.#listeners.keys()].some((event) => event !== "close") ||
        this.#resources?.isFollowing() === true,
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
    return this.connection.agreed?.revision;
  }

  get era(): Era | undefined {
    return this.connection.agreed?.era;
  }

  async open(target: Target, eras: EraCache | undefined): Promise<void> {
    if (typeof this.#options.cache === "object") await this.#cache?.load();
    await this.connection.open(target, eras);
    this.#watch = this.#watchOf();
    this.#resources = resourceWatch(this.#watch, this.report);
    void this.connection.closed.then((error) => {
      this.#watch?.close();
      this.#notify("close", error);
    });
  }

  /**
   * Sends a request: immediately, or once the connection is open and the server has accepted the subscription. If its
   * response is lost, sends it again if the `retryLost` option permits that.
   */
  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    const { connection } = this;
    const isFinal = this.#sendAgain === undefined || this.#reads?.has(method) === false;
    if (isFinal) return connection.request(method, params, options, this.#watch?.opening);
    return this.#sendAgain(method, params, () =>
      connection.request(method, params, options, this.#watch?.opening),
    );
  }

  /**
   * Adds a listener.
   *
   * @returns a promise that resolves when the server has accepted the subscription or does not declare the event, and
   *   rejects when it has refused the subscription; the rejection need not be handled
   */
  on(event: string, listener: Listener): Promise<void> {
    const isFirst = !this.#listeners.has(event);
    addListener(this.#listeners, event, listener);
    const source = this.#sources.get(event);
    if (!source?.isList || this.#watch === undefined) return Promise.resolve();
    const { method } = source;
    if (this.#declares(method)) return this.#watch.follow(this.#topicOf(method));
    if (isFirst) this.report(notDeclared(event, this.#capabilityOf(method) ?? method));
    return Promise.resolve();
  }

  off(event: string, listener: Listener): void {
    removeListener(this.#listeners, event, listener);
    const source = this.#sources.get(event);
    if (source?.isList && !this.#listeners.has(event))
      this.#watch?.unfollow(this.#topicOf(source.method));
  }

  /**
   * Returns false if the server's capabilities or revision show that it does not answer a request; otherwise returns
   * true.
   */
  offers(method: string): boolean {
    const { capabilities } = this.connection.agreed?.server ?? {};
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
    if (!isDeclared(this.connection.agreed?.server.capabilities, SUBSCRIBE)) {
      throw notDeclared(`changes of ${uri}`, SUBSCRIBE);
    }
    const { ready } = this.connection;
    if (ready) await ready;
    await this.#resources?.subscribe(uri, listener, options);
  }

  async unsubscribe(uri: string, listener: ResourceListener | undefined): Promise<void> {
    await this.#resources?.unsubscribe(uri, listener);
  }

  async ping(options: RequestOptions | undefined): Promise<void> {
    const revision = this.revision!;
    const row = rowOf(revision, "ping") ?? rowOf(revision, "discover")!;
    await this.request(row.method, undefined, options);
  }

  /**
   * Handles a restart of the server process. Only a session has to be set up again; without one, the watch reopens the
   * subscription.
   */
  async #restarted(): Promise<void> {
    if (this.era !== "session") return this.#stale();
    this.#outdated(this.connection.agreed?.server);
    await this.#renew();
  }

  /**
   * Restores the log level and the subscriptions in a new session, because the server knows nothing about this client
   * there.
   */
  async #renew(): Promise<void> {
    const { logLevel: level } = this;
    if (level) await this.request("logging/setLevel", { level }).catch(this.report);
    await this.#watch?.renew();
  }

  /** Notifies the plugins. Rejections are ignored, because plugins report their failures themselves. */
  #outdated(opened?: { readonly instructions?: unknown }): void {
    this.outdated(opened)?.catch(() => {});
  }

  #stale(): void {
    this.#cache?.clear();
    this.#outdated();
    this.#notify("stale");
  }

  #notify(event: string, ...values: readonly unknown[]): void {
    for (const listener of this.#listeners.get(event) ?? []) {
      const call = listener as (...given: readonly unknown[]) => unknown;
      callListener(event, () => call(...values), this.report);
    }
  }

  #watchOf(): Watch {
    const host = {
      request: (method: string, params: unknown, requestOptions?: RequestOptions) =>
        this.connection.request(method, params, requestOptions),
      report: this.report,
      stale: () => this.#stale(),
    };
    if (this.era === "session") return sessionWatch(host);
    return lateWatch(async () => {
      const { SubscriptionWatch } = await import("./subscription-watch.js");
      return new SubscriptionWatch(host, this.#options.relisten);
    });
  }

  #emit(event: string, values: readonly unknown[]): void {
    if (this.#sources.get(event)?.isList) this.#outdated();
    if (event === "resourceUpdated") this.#resources?.updated(values[0] as string);
    this.#notify(event, ...values);
  }

  #declares(method: string): boolean {
    const { capability } = this.revision?.methods.get(method) ?? {};
    return (
      capability !== undefined &&
      isDeclared(this.connection.agreed?.server.capabilities, capability)
    );
  }

  /**
   * Returns a notification's name in the subscription filter. In a session, which has no filter, returns its method.
   */
  #topicOf(method: string): string {
    const { revision } = this;
    return (revision && topicsOf(revision)?.members.get(method)) ?? method;
  }

  #capabilityOf(method: string): string | undefined {
    return this.#revisions.find(({ methods }) => methods.has(method))?.methods.get(method)
      ?.capability;
  }
}

function isDeclared(capabilities: unknown, path: string): boolean {
  return valueAt(capabilities, path.split(".").slice(1)) === true;
}

function notDeclared(what: string, path: string): CapabilityError {
  const capability = path.replace(/^server\./, "");
  const text = `Notifications of ${what} will not arrive: the server does not declare ${capability}`;
  return new CapabilityError(text, path);
}
