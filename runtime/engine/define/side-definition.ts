import {
  type AnySendMiddleware,
  type Bus,
  type BusEvent,
  type CustomMessage,
  DEFAULT_RATE_LIMITS,
  type Feature,
  type FeatureHost,
  type LastingMethods,
  type Limits,
  MemoryBus,
  type ServerOptions,
  type Session,
  type SomeMiddleware,
  type StepSource,
  limitsOf,
} from "../../api/index.js";
import { type Deadlines, deadlines } from "../../ground/index.js";
import {
  InvalidMessageError,
  LifecycleError,
  LocalError,
  type Method,
  type Revision,
  type Side,
  isObject,
} from "../../wire/index.js";
import {
  type Binding,
  type SideHandlers,
  bind,
  capabilitiesIn,
  isForEngine,
  joinedTopics,
} from "./binding.js";
import { assertArguments, sideHandlers } from "./handlers.js";
import {
  DEFAULT_TIMES,
  type RequestRate,
  type RequestTimes,
  requestRates,
  timesOf,
} from "./limits.js";
import { type RequestLog, reporter, requestLog } from "./logs.js";

/**
 * Passes a notification to the subscriptions of stateless clients. If a connection is given, only the subscriptions on
 * it are notified.
 *
 * @returns true if clients can subscribe to the notification
 */
export type SubscriptionListener = (event: BusEvent, connection?: object) => boolean;

export interface OpenConnection {
  readonly agreement: object | undefined;
  readonly session: Session;
  readonly finished: Promise<Error | undefined>;
  notify(
    method: string | CustomMessage,
    params: unknown,
    during?: undefined,
    once?: string,
  ): Promise<void>;
}

/**
 * The definition of a client or server, independent of its connections. It is created once and shared by all of them.
 */
export class SideDefinition implements FeatureHost {
  readonly side: Side;
  readonly revisions: readonly Revision[];
  readonly info: unknown;
  readonly options: ServerOptions<object, SomeMiddleware>;
  readonly features: readonly Feature[];
  readonly limits: Limits;
  readonly times: RequestTimes;
  /** The rate limits for received requests, by method; used by servers only. */
  readonly rates: ReadonlyMap<string, RequestRate> | undefined;
  readonly report: (error: Error) => void;
  readonly log: RequestLog | undefined;
  readonly deadlines: Deadlines = deadlines();
  readonly sending: readonly AnySendMiddleware[];
  readonly listeners: Set<SubscriptionListener> = new Set();
  readonly #open = new Set<OpenConnection>();
  /** The number of connections, plus the number of servers that handle stateless requests without a connection. */
  #users = 0;
  readonly #bus: Bus;
  #unfollow: (() => void) | undefined;
  readonly #handlers: SideHandlers;
  readonly #bindings = new Map<Revision, Binding>();
  /** The extension notifications that reach only subscriptions, not sessions. */
  readonly #subscribed: ReadonlySet<string>;

  /** Creates the definition, and attaches the features to it. */
  constructor(
    side: Side,
    revisions: readonly Revision[],
    info: unknown,
    handlers: object,
    options: ServerOptions<object, SomeMiddleware>,
  ) {
    assertArguments(side, revisions, info, handlers, options);
    const { features = [] } = options;
    this.side = side;
    this.revisions = revisions;
    this.info = info;
    this.options = options;
    this.features = features;
    this.limits = limitsOf(options.limits);
    this.times = timesOf(options, DEFAULT_TIMES);
    this.report = reporter(options.onerror);
    this.log = options.onrequestend && requestLog(options.onrequestend, this.report);
    const { rateLimits = DEFAULT_RATE_LIMITS } = options;
    this.rates = side === "server" && rateLimits ? requestRates(rateLimits) : undefined;
    this.sending = [
      ...(options.sending ?? []),
      ...features.flatMap((feature) => feature.sending ?? []),
    ];
    this.#bus = options.bus ?? new MemoryBus();
    this.#subscribed = new Set(
      revisions.flatMap((revision) =>
        Object.values(joinedTopics(revision)).map(({ notification }) => notification),
      ),
    );
    this.#follow();
    this.#handlers = sideHandlers(side, revisions, handlers, options);
    for (const feature of features) feature.attach?.(this);
  }

  get lasting(): LastingMethods {
    return Object.assign({}, ...this.features.map(({ lasting }) => lasting)) as LastingMethods;
  }

  get checksContent(): boolean {
    return this.options.checkContent ?? true;
  }

  get sessions(): Iterable<Session> {
    return [...this.#open].filter(({ agreement }) => agreement).map(({ session }) => session);
  }

  opened(connection: OpenConnection): void {
    const leave = this.join();
    this.#open.add(connection);
    void connection.finished.then(() => {
      this.#open.delete(connection);
      leave();
    });
  }

  /**
   * Adds a user of the bus, and subscribes to the bus for the first one. The returned function removes the user.
   * Removing the last user ends the subscription, because the bus can outlive this definition.
   */
  join(): () => void {
    this.#follow();
    this.#users += 1;
    return () => {
      this.#users -= 1;
      if (this.#users > 0) return;
      this.#unfollow?.();
      this.#unfollow = undefined;
    };
  }

  #follow(): void {
    this.#unfollow ??= this.#bus.subscribe(
      (event) => this.#deliver(event),
      () => this.#announceAll(),
    );
  }

  async catchUp(connection: OpenConnection, age: number): Promise<void> {
    for (const event of (await this.#bus.recent?.(age)) ?? []) {
      if (isBroadcast(event, this.side, this.revisions)) this.#deliverTo(event, connection);
    }
  }

  /**
   * Broadcasts every notification about something that may have changed, because it is unknown which events were
   * missed.
   */
  #announceAll(): void {
    const missed = this.features.flatMap((feature) => feature.missed?.() ?? []);
    for (const event of [...announcements(this.side, this.revisions), ...missed])
      this.#deliver(event);
  }

  /**
   * Binds this side's handlers to a revision. Later calls return the same binding, whatever their sources.
   * @throws LifecycleError if the revision has not been loaded
   */
  bind(revision: Revision, sources: readonly StepSource[]): Binding {
    let binding = this.#bindings.get(revision);
    if (binding === undefined) {
      if (revision.load) throw new LifecycleError(`MCP ${revision.id} has not been loaded`);
      binding = bind(revision, this.#handlers, sources);
      this.#bindings.set(revision, binding);
    }
    return binding;
  }

  capabilitiesIn(revision: Revision): Readonly<Record<string, unknown>> {
    return capabilitiesIn(revision, this.#handlers);
  }

  broadcast(method: string | CustomMessage, params?: unknown): void {
    if (typeof method !== "string") {
      for (const connection of this.#open)
        this.#ignoreUnreachable(connection.notify(method, params));
      return;
    }
    const event: BusEvent = params === undefined ? { method } : { method, params };
    try {
      const publishing = this.#bus.publish(event);
      if (publishing) publishing.catch((error: Error) => this.report(error));
    } catch (error) {
      this.report(error as Error);
    }
  }

  #deliverTo({ method, params, id }: BusEvent, connection: OpenConnection): void {
    const audience = this.#audienceOf(method);
    const isReceiver = audience
      ? [...audience(params)].includes(connection.session)
      : !this.#subscribed.has(method);
    if (isReceiver) this.#ignoreUnreachable(connection.notify(method, params, undefined, id));
  }

  #audienceOf(method: string): ((params: unknown) => Iterable<Session>) | undefined {
    return this.features.find(({ audiences }) => audiences?.[method])?.audiences?.[method];
  }

  /** Delivers a bus event if it is valid; the bus may be shared with other programs. */
  #deliver(event: unknown): void {
    if (!isBroadcast(event, this.side, this.revisions)) {
      const problem = "The bus has delivered a value that is not a broadcast notification";
      return this.report(new InvalidMessageError(problem));
    }
    const { method, params, id } = event;
    const audience = this.#audienceOf(method);
    if (audience)
      for (const session of audience(params))
        this.#ignoreUnreachable(session.notify(method, params, id));
    else if (!this.#subscribed.has(method))
      for (const connection of this.#open)
        this.#ignoreUnreachable(connection.notify(method, params, undefined, id));
    for (const listener of this.listeners) listener(event);
  }

  /** Ignores local errors, which only mean that the notification cannot reach the peer, and reports all others. */
  #ignoreUnreachable(sending: Promise<void>): void {
    sending.catch((error: Error) => {
      if (!(error instanceof LocalError)) this.report(error);
    });
  }
}

/** Returns true if a value is a notification that a side may send to all sessions under any of its revisions. */
function isBroadcast(
  event: unknown,
  side: Side,
  revisions: readonly Revision[],
): event is BusEvent {
  if (!isObject(event)) return false;
  const { method, params } = event;
  if (params !== undefined && !isObject(params)) return false;
  return revisions.some(({ methods }) => isAnnounced(methods.get(method as string), side));
}

/** Returns a side's broadcasts that need no parameters: they only announce that something has changed. */
function announcements(side: Side, revisions: readonly Revision[]): readonly BusEvent[] {
  const rows = revisions.flatMap(({ methods }) => [...methods.values()]);
  const announced = rows.filter((row) => row.paramsOptional && isAnnounced(row, side));
  return [...new Set(announced.map(({ method }) => method))].map((method) => ({ method }));
}

function isAnnounced(row: Method | undefined, side: Side): boolean {
  if (row?.kind !== "notification" || isForEngine(row)) return false;
  return row.from === side || row.from === "both";
}
