import {
  bind,
  type Binding,
  type CustomRow,
  isForEngine,
  type Own,
  receivable,
} from "./binding.js";
import { AbortWatch } from "./abort-watch.js";
import { mergeCapabilities } from "./capabilities.js";
import { assertIsCustom, type CustomMessage } from "./custom.js";
import { Deadlines } from "./deadlines.js";
import { errorLog } from "./error-log.js";
import type { FeatureHost } from "./feature.js";
import type { AnyHandler } from "./handlers.js";
import { quote } from "./jsonrpc.js";
import type { AnyMiddleware, SomeMiddleware } from "./middleware.js";
import { chooseLifecycle, type LifecycleFactory, offered } from "./lifecycle/choose-lifecycle.js";
import type { Lifecycle, Start } from "./lifecycle/lifecycle.js";
import { type Limits, limitsOf } from "./limits.js";
import type { ServerOptions } from "./options.js";
import type { Peer } from "./peer.js";
import { quiet } from "./quiet.js";
import type { Revision, Side } from "./revision.js";
import type { Session } from "./session.js";

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
  readonly #lifecycle: LifecycleFactory;
  readonly #own: Own;
  readonly #onerror: (error: Error) => void;
  readonly #bindings = new Map<Revision, Binding>();

  /** @throws TypeError for a handler that no message of these revisions could reach, and for two of a kind */
  constructor(
    side: Side,
    revisions: readonly Revision[],
    info: unknown,
    handlers: object,
    options: ServerOptions<object, SomeMiddleware>,
  ) {
    if (revisions.length === 0) throw new TypeError("At least one revision is needed");
    const { features = [], custom = [], middleware = [] } = options;
    this.side = side;
    this.revisions = revisions;
    this.info = info;
    this.options = options;
    this.limits = limitsOf(options.limits);
    this.#onerror = options.onerror ?? errorLog();
    const given = handlersOf(handlers, side, revisions);
    for (const feature of features) addHandlers(given, feature.handlers);
    this.#own = {
      side,
      handlers: given,
      custom: customRows(custom, revisions),
      middleware: [
        ...(middleware as readonly AnyMiddleware[]),
        ...features.flatMap((feature) => feature.middleware ?? []),
      ],
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
    this.#lifecycle = chooseLifecycle({
      side,
      revisions,
      info,
      instructions: options.instructions,
      bind: (revision) => this.bind(revision),
    });
    for (const feature of features) feature.attach?.(this);
  }

  /** The revision that a client asks for. */
  get preferred(): Revision {
    return offered(this.revisions)[0]!;
  }

  get sessions(): Iterable<Session> {
    return [...this.open].filter(({ agreement }) => agreement).map(({ session }) => session);
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
    for (const peer of this.open) void quiet(peer.notify(method, params));
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

function handlersOf(
  handlers: object,
  side: Side,
  revisions: readonly Revision[],
): Map<string, AnyHandler> {
  const given = Object.entries(handlers).filter(([, handler]) => handler !== undefined);
  const known = new Set(
    revisions.flatMap((revision) => {
      const embedded = [...revision.methods.values()].filter(
        ({ channel }) => channel === "embedded",
      );
      const rows = [...receivable(revision, side), ...(side === "client" ? embedded : [])];
      return rows.filter((row) => !isForEngine(row)).map(({ method }) => method);
    }),
  );
  for (const [method, handler] of given) {
    if (!known.has(method)) {
      const ids = revisions.map(({ id }) => id).join(", ");
      throw new TypeError(`${quote(method)} is nothing that a ${side} handles in ${ids}`);
    }
    if (typeof handler !== "function") {
      throw new TypeError(`The handler of ${method} is not a function`);
    }
  }
  return new Map(given as [string, AnyHandler][]);
}

function addHandlers(all: Map<string, AnyHandler>, more: Readonly<Record<string, AnyHandler>>) {
  for (const [method, handler] of Object.entries(more)) {
    if (all.has(method)) throw new TypeError(`${method} has two handlers: leave one out`);
    all.set(method, handler);
  }
}

function customRows(
  custom: NonNullable<ServerOptions["custom"]>,
  revisions: readonly Revision[],
): CustomRow[] {
  const names = new Set<string>();
  for (const { row } of custom) {
    assertIsCustom(row, revisions);
    if (names.has(row.method)) throw new TypeError(`${row.method} has two handlers: leave one out`);
    names.add(row.method);
  }
  return [...custom];
}
