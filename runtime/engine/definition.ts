import { bind, type Binding, type CustomRow, type Own } from "./binding.js";
import { AbortWatch, Deadlines, quiet } from "../ground/index.js";
import {
  type AnyMiddleware,
  type AnySendMiddleware,
  type Bus,
  type BusEvent,
  type CustomMessage,
  type Feature,
  type FeatureHost,
  type Limits,
  MemoryBus,
  type ServerOptions,
  type Session,
  type SomeMiddleware,
  assertIsCustom,
  limitsOf,
} from "../api/index.js";
import {
  InvalidMessageError,
  LocalError,
  type Revision,
  type Side,
  isObject,
  mergeCapabilities,
} from "../wire/index.js";
import { collectHandlers } from "./collect-handlers.js";
import { errorLog } from "./error-log.js";
import { isBroadcast } from "./is-broadcast.js";
import { offered } from "./choose-lifecycle.js";
import type { Lifecycle, LifecycleFactory, LifecycleStrategy, Start } from "./lifecycle.js";
import type { Peer } from "./peer.js";

/**
 * Passes a notification on to subscriptions that are no sessions, to those of one connection where one is given.
 * @returns whether there can be subscriptions to it
 */
export type Listener = (event: BusEvent, connection?: Session) => boolean;

/** What a client or server is, whatever it is connected to: made once, shared by all its connections. */
export class Definition implements FeatureHost {
  readonly side: Side;
  readonly revisions: readonly Revision[];
  readonly info: unknown;
  readonly options: ServerOptions<object, SomeMiddleware>;
  readonly limits: Limits;
  readonly deadlines: Deadlines = new Deadlines();
  readonly aborts: AbortWatch = new AbortWatch();
  /** The connections that are open. */
  readonly open: Set<Peer> = new Set();
  /** Stands around what is sent. */
  readonly sending: readonly AnySendMiddleware[];
  /** Who else hears what is broadcast: subscriptions that are no sessions. */
  readonly listeners: Set<Listener> = new Set();
  readonly #bus: Bus;
  #unfollow: (() => void) | undefined;
  readonly #lifecycle: LifecycleFactory;
  readonly #own: Own;
  readonly #onerror: (error: Error) => void;
  readonly #bindings = new Map<Revision, Binding>();

  /**
   * @param strategy - how this side opens conversations of these revisions
   * @throws TypeError for a handler that no message of these revisions could reach, for two of a kind, and for a
   *   feature of the other side
   */
  constructor(
    side: Side,
    revisions: readonly Revision[],
    info: unknown,
    handlers: object,
    options: ServerOptions<object, SomeMiddleware>,
    strategy: LifecycleStrategy,
  ) {
    if (revisions.length === 0) throw new TypeError("At least one revision is needed");
    if (!revisions.every((one) => isObject(one)))
      throw new TypeError("A revision is what is imported, not its id");
    assertArguments(side, info, handlers, options);
    const { features = [], custom = [], middleware = [], keepAlive } = options;
    if (keepAlive && !(keepAlive.interval > 0)) {
      throw new TypeError("keepAlive.interval is a number of milliseconds above 0");
    }
    this.side = side;
    this.revisions = revisions;
    this.info = info;
    this.options = options;
    this.limits = limitsOf(options.limits);
    this.#onerror = options.onerror ?? errorLog();
    this.sending = [
      ...(options.sending ?? []),
      ...features.flatMap((feature) => feature.sending ?? []),
    ];
    this.#bus = options.bus ?? new MemoryBus();
    this.#follow();
    this.#own = {
      side,
      handlers: collectHandlers(side, revisions, handlers, features),
      custom: customRows(custom, revisions),
      middleware: [
        ...(middleware as readonly AnyMiddleware[]),
        ...features.flatMap((feature) => feature.middleware ?? []),
      ],
      notified: features.flatMap((feature) => feature.notified?.bind(feature) ?? []),
      capabilitiesIn: (revision) =>
        [...features, options].reduce<Record<string, unknown>>(
          (merged, { capabilities = {} }) =>
            mergeCapabilities(
              merged,
              typeof capabilities === "function" ? capabilities(revision) : capabilities,
            ),
          {},
        ),
    };
    this.#lifecycle = strategy({
      side,
      revisions,
      info,
      instructions: options.instructions,
      definition: this,
      bind: (revision) => this.bind(revision),
    });
    for (const feature of features) feature.attach?.(this);
  }

  /** The revision that a client asks for. */
  get preferred(): Revision {
    return offered(this.revisions)[0]!;
  }

  get features(): readonly Feature[] {
    return this.options.features ?? [];
  }

  get sessions(): Iterable<Session> {
    return [...this.open].filter(({ agreement }) => agreement).map(({ session }) => session);
  }

  /** Takes note of one more connection. Without any, nothing is heard of the bus, so that it can outlive this. */
  opened(peer: Peer): void {
    this.#follow();
    this.open.add(peer);
    void peer.finished.then(() => {
      this.open.delete(peer);
      if (this.open.size > 0) return;
      this.#unfollow?.();
      this.#unfollow = undefined;
    });
  }

  #follow(): void {
    this.#unfollow ??= this.#bus.subscribe((event) => this.#hear(event));
  }

  /** Begins the conversation of one more connection. */
  lifecycle(start: Start): Lifecycle {
    return this.#lifecycle(start);
  }

  /** What this side does under a revision. */
  bind(revision: Revision): Binding {
    let binding = this.#bindings.get(revision);
    if (binding === undefined) {
      binding = bind(revision, this.#own);
      this.#bindings.set(revision, binding);
    }
    return binding;
  }

  broadcast(method: string | CustomMessage, params?: unknown): void {
    if (typeof method !== "string") {
      for (const peer of this.open) this.#tell(peer.notify(method, params));
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

  /** A bus may be shared with others: what it delivers need not be an event. */
  #hear(event: unknown): void {
    if (!isBroadcast(event, this.side, this.revisions)) {
      const problem = "The bus has delivered what is no notification to all";
      return this.report(new InvalidMessageError(problem));
    }
    const { method, params } = event;
    const audience = this.features.find(({ audiences }) => audiences?.[method])?.audiences?.[
      method
    ];
    if (audience)
      for (const session of audience(params)) this.#tell(session.notify(method, params));
    else for (const peer of this.open) this.#tell(peer.notify(method, params));
    for (const listener of this.listeners) listener(event);
  }

  /** Who may not hear it is passed over. */
  #tell(telling: Promise<void>): void {
    telling.catch((error: Error) => {
      if (!(error instanceof LocalError)) this.report(error);
    });
  }

  report(error: Error): void {
    try {
      const result: unknown = this.#onerror(error);
      if (result instanceof Promise) void quiet(result);
    } catch {
      // There is nobody left to tell.
    }
  }
}

/** What callers without a compiler get wrong. */
function assertArguments(
  side: Side,
  info: unknown,
  handlers: unknown,
  options: ServerOptions<object, SomeMiddleware>,
): void {
  if (!isObject(info)) throw new TypeError(`A ${side} needs its info first: { name, version }`);
  if (!isObject(handlers) || !isObject(options)) {
    throw new TypeError("Handlers and options are objects: new Server(info, {}, { features })");
  }
  for (const name of ["features", "custom", "middleware", "sending"] as const) {
    if (!Array.isArray(options[name] ?? []))
      throw new TypeError(`${name} is an array: ${name}: [one]`);
  }
}

function customRows(
  custom: NonNullable<ServerOptions["custom"]>,
  revisions: readonly Revision[],
): CustomRow[] {
  const names = new Set<string>();
  for (const { row, yields = false } of custom) {
    if (!yields) assertIsCustom(row, revisions);
    if (names.has(row.method)) throw new TypeError(`${row.method} has two handlers: leave one out`);
    names.add(row.method);
  }
  return [...custom];
}
