import { ClientBase, errorLog, rowOf } from "../../engine/index.js";
import { CapabilityError, type LogLevel, type Revision, isObject } from "../../wire/index.js";
import { clientOfAnyKind } from "../../negotiation/index.js";
import type { RequestOptions } from "../../api/index.js";
import { ResponseCache } from "../cache/index.js";
import { answerFeatures } from "./answer-features.js";
import { extensionParts } from "./client-extension.js";
import type { ClientEvent, ClientEvents, ClientListener } from "./client-events.js";
import type { ConnectOptions, Target } from "./client-options.js";
import type { Era, EraCache } from "./era-cache.js";
import { Listeners } from "./listeners.js";
import { askForLog } from "./log-level.js";
import { news, EVENT_SOURCES } from "./server-events.js";
import { openConnection } from "./open-connection.js";
import { PageVisits } from "./page-visits.js";
import { type ResourceListener, ResourceWatch } from "./resource-watch.js";
import { SessionWatch } from "./session-watch.js";
import { SubscriptionWatch } from "./subscription-watch.js";
import { locationOf } from "./targets.js";
import type { Watch } from "./watch.js";

type AnyMessages = Record<string, { readonly params?: unknown; readonly result: unknown }>;

const NOBODY = { name: "mcp-client", version: "0.0.0" };

/**
 * State behind an `McpClient`: the underlying client, the events of the server, and their
 * listeners.
 */
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
  readonly #cache: ResponseCache | undefined;
  #watch: Watch | undefined;
  #resources: ResourceWatch | undefined;

  constructor(options: ConnectOptions) {
    const { revisions = [], clientInfo = NOBODY, handlers = {}, features: own = [] } = options;
    this.#options = options;
    this.#revisions = revisions;
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
        news((...told) => this.#tell(...told), handled),
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
    const isStateless = this.#revisions.map(({ traits }) => traits.lifecycle !== "initialize");
    return probeTimeout > 0 && isStateless.includes(true) && isStateless.includes(false);
  }

  async open(target: Target, eras: EraCache | undefined): Promise<void> {
    const { signal, timeout, probeTimeout } = this.#options;
    const connecting = {
      connect: this.client.connect.bind(this.client),
      era: () => this.era,
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

  on<Event extends ClientEvent>(event: Event, listener: ClientListener<Event>): void {
    const isFirst = !this.listeners.has(event);
    this.listeners.add(event, listener);
    const { member, capability } = sourceOf(event);
    if (!isFirst || member === undefined) return;
    if (this.#declares(capability!)) this.#watch?.follow(member);
    else this.report(notDeclared(event, capability!.join(".")));
  }

  off<Event extends ClientEvent>(event: Event, listener: ClientListener<Event>): void {
    this.listeners.delete(event, listener);
    const { member } = sourceOf(event);
    if (member !== undefined && !this.listeners.has(event)) this.#watch?.unfollow(member);
  }

  async subscribe(uri: string, listener: ResourceListener | undefined): Promise<void> {
    if (!this.#declares(["resources", "subscribe"])) {
      throw notDeclared(`changes of ${uri}`, "resources.subscribe");
    }
    await this.#resources?.subscribe(uri, listener);
  }

  async unsubscribe(uri: string, listener: ResourceListener | undefined): Promise<void> {
    await this.#resources?.unsubscribe(uri, listener);
  }

  /** Asks for a sign of life. */
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

  #tell(event: ClientEvent, told: ClientEvents[ClientEvent]): void {
    if (event === "toolsChanged") this.outdated();
    if (event === "resourceUpdated") this.#resources?.updated(told[0] as string);
    this.listeners.tell(event, ...(told as never));
  }

  #declares([feature, member]: readonly [string, string]): boolean {
    const { capabilities } = this.client.server ?? {};
    const declared = isObject(capabilities) ? capabilities[feature] : undefined;
    return isObject(declared) && declared[member] === true;
  }
}

/** Headers that are made anew may speak for another account each time: then somebody has to say for which. */
function cacheOf({ cache, headers, http }: ConnectOptions): ResponseCache | undefined {
  const areFixed = typeof headers !== "function" && typeof http?.headers !== "function";
  if (cache === false || (cache === undefined && !areFixed)) return undefined;
  return new ResponseCache(typeof cache === "object" ? cache : {});
}

function sourceOf(event: ClientEvent): {
  readonly member?: string;
  readonly capability?: readonly [string, string];
} {
  return event === "stale" || event === "close" ? {} : EVENT_SOURCES[event];
}

function notDeclared(what: string, capability: string): CapabilityError {
  const text = `Nothing will be heard of ${what}: the server does not declare ${capability}`;
  return new CapabilityError(text, `server.${capability}`);
}
