import { bind, type Binding, isForEngine, type Own, receivable } from "./binding.js";
import { errorLog } from "./error-log.js";
import { ConnectionClosedError, LifecycleError } from "./errors.js";
import type { AnyHandler } from "./handlers.js";
import { quote } from "./jsonrpc.js";
import { chooseLifecycle } from "./lifecycle/choose-lifecycle.js";
import type { Lifecycle, Session } from "./lifecycle/lifecycle.js";
import { limitsOf } from "./limits.js";
import type { ConnectOptions, RequestOptions, ServerOptions } from "./options.js";
import { Peer } from "./peer.js";
import { quiet } from "./quiet.js";
import type { Revision, Side } from "./revision.js";
import type { Transport } from "./transport/transport.js";

/** A client or a server, over one connection at a time: what both classes have in common. */
export class Endpoint {
  readonly #side: Side;
  readonly #revisions: readonly Revision[];
  readonly #info: unknown;
  readonly #own: Own;
  readonly #options: ServerOptions;
  readonly #onerror: (error: Error) => void;
  readonly #bindings = new Map<Revision, Binding>();
  #peer: Peer | undefined;
  #lifecycle: Lifecycle | undefined;
  #closed: Promise<Error | undefined>;
  #follow!: (end: Promise<Error | undefined>) => void;

  constructor(
    side: Side,
    revisions: readonly Revision[],
    info: unknown,
    handlers: object,
    options: ServerOptions,
  ) {
    if (revisions.length === 0) throw new TypeError("At least one revision is needed");
    this.#side = side;
    this.#revisions = revisions;
    this.#info = info;
    this.#options = options;
    this.#onerror = options.onerror ?? errorLog();
    this.#own = {
      side,
      handlers: handlersOf(handlers, side, revisions),
      capabilities: options.capabilities ?? {},
    };
    this.#closed = this.#renewClosed();
  }

  get session(): Session | undefined {
    return this.#lifecycle?.session;
  }

  get closed(): Promise<Error | undefined> {
    return this.#closed;
  }

  async connect(transport: Transport, options: ConnectOptions = {}): Promise<void> {
    if (this.#peer) {
      if (!this.#peer.isClosed) {
        throw new LifecycleError(`This ${this.#side} is connected already; close() it first`);
      }
      this.#closed = this.#renewClosed();
    }
    const lifecycle = chooseLifecycle({
      side: this.#side,
      revisions: this.#revisions,
      info: this.#info,
      instructions: this.#options.instructions,
      bind: (revision) => this.#bind(revision),
    });
    const peer = new Peer({
      side: this.#side,
      transport,
      lifecycle,
      limits: limitsOf(this.#options.limits),
      times: this.#options,
      handlerTimeout: this.#options.handlerTimeout ?? Infinity,
      report: (error) => this.#report(error),
    });
    this.#lifecycle = lifecycle;
    this.#peer = peer;
    this.#follow(peer.finished);
    try {
      await peer.start();
      await lifecycle.open(peer, options);
    } catch (error) {
      await peer.close();
      throw error;
    }
  }

  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#peer?.request(method, params, options) ?? notConnected();
  }

  notify(method: string, params: unknown): Promise<void> {
    return this.#peer?.notify(method, params) ?? notConnected();
  }

  async close(): Promise<void> {
    await this.#peer?.close();
  }

  #bind(revision: Revision): Binding {
    let binding = this.#bindings.get(revision);
    if (binding === undefined) {
      binding = bind(revision, this.#own);
      this.#bindings.set(revision, binding);
    }
    return binding;
  }

  #renewClosed(): Promise<Error | undefined> {
    return new Promise((resolve) => {
      this.#follow = resolve;
    });
  }

  #report(error: Error): void {
    try {
      const result: unknown = this.#onerror(error);
      if (result instanceof Promise) quiet(result);
    } catch {
      // There is nobody left to tell.
    }
  }
}

/** @throws TypeError for a handler that no message could ever reach */
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

function notConnected(): Promise<never> {
  const error = new ConnectionClosedError("Not connected: call connect() first");
  return quiet(Promise.reject<never>(error));
}
