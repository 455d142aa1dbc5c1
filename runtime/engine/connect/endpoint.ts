import type { ConnectOptions, CustomMessage, ServeOptions } from "../../api/index.js";
import { abortable, isWithin } from "../../ground/index.js";
import {
  ConnectionClosedError,
  LifecycleError,
  type Revision,
  type Transport,
  UsedTransportError,
} from "../../wire/index.js";
import { notConnected } from "../define/errors.js";
import type { SideDefinition } from "../define/side-definition.js";
import type { SendingHalf } from "../send/own-requests.js";
import { LiveConnection } from "./connection.js";
import { type Agreement, type Conversations, type LifecycleStrategy } from "./lifecycle.js";

const used = new WeakSet<Transport>();

/** The part of a client or server that manages its connection. There is at most one connection at a time. */
export class Endpoint {
  readonly definition: SideDefinition;
  readonly conversations: Conversations;
  connection: LiveConnection | undefined;
  #closed: Promise<Error | undefined> | undefined;
  #follow: ((end: Promise<Error | undefined>) => void) | undefined;

  readonly #sendingHalf: SendingHalf;

  constructor(definition: SideDefinition, conversations: Conversations, sendingHalf: SendingHalf) {
    this.definition = definition;
    this.conversations = conversations;
    this.#sendingHalf = sendingHalf;
  }

  static of(
    definition: SideDefinition,
    strategy: LifecycleStrategy,
    sendingHalf: SendingHalf,
  ): Endpoint {
    return new Endpoint(
      definition,
      strategy({ definition, revisions: definition.revisions }),
      sendingHalf,
    );
  }

  fork(): Endpoint {
    return new Endpoint(this.definition, this.conversations, this.#sendingHalf);
  }

  get agreement(): Agreement | undefined {
    return this.connection?.agreement;
  }

  get closed(): Promise<Error | undefined> {
    this.#closed ??=
      this.connection?.finished ??
      new Promise((resolve) => {
        this.#follow = resolve;
      });
    return this.#closed;
  }

  async connect(transport: Transport, options: ConnectOptions & ServeOptions = {}): Promise<void> {
    const { definition } = this;
    if (this.connection) {
      if (!this.connection.isClosed) {
        const instead =
          definition.side === "server" ? "fork() it for another connection" : "close() it first";
        throw new LifecycleError(`This ${definition.side} is already connected: ${instead}`);
      }
      this.#closed = undefined;
    }
    if (used.has(transport)) throw new UsedTransportError();
    used.add(transport);
    const connection = this.#over(transport, this.#assumed(options.assume), options.opening);
    this.connection = connection;
    // A session that was opened elsewhere has its revision before it has a connection.
    if (connection.agreement) this.#keepAlive();
    this.#follow?.(connection.finished);
    this.#follow = undefined;
    definition.opened(connection);
    try {
      if (definition.side === "client")
        transport.hooks?.offered?.(offered(definition.revisions)[0]!);
      const starting = connection.start(connection);
      if (starting) await startWithin(starting, options, definition.options.timeout);
      await connection.open(options);
    } catch (error) {
      await connection.close(error as Error);
      throw error;
    }
  }

  /** Sends a notification, including to the subscriptions of stateless clients on this connection. */
  notify(method: string | CustomMessage, params: unknown): Promise<void> {
    const connection = this.connection;
    if (connection === undefined) return notConnected();
    const isSubscribable =
      typeof method === "string" && this.#notifyListeners(method, params, connection);
    if (isSubscribable && !connection.agreement) return Promise.resolve();
    return connection.notify(method, params);
  }

  async close(): Promise<void> {
    await this.connection?.close();
  }

  #notifyListeners(method: string, params: unknown, connection: LiveConnection): boolean {
    let isSubscribable = false;
    for (const listener of this.definition.listeners) {
      isSubscribable = listener({ method, params }, connection) || isSubscribable;
    }
    return isSubscribable;
  }

  #assumed(id: string | undefined): Revision | undefined {
    if (id === undefined) return undefined;
    const revision = this.definition.revisions.find((known) => known.id === id);
    if (revision?.traits.lifecycle === "initialize") return revision;
    throw new LifecycleError(
      `Cannot serve ${id}: it is not a revision of this server with a handshake`,
    );
  }

  #over(transport: Transport, assume: Revision | undefined, opening: unknown): LiveConnection {
    const { definition } = this;
    const agreed = (revision: Revision): void => {
      transport.hooks?.agreed?.(revision);
      this.#keepAlive();
    };
    const lifecycle = this.conversations.begin({ assume, opening, agreed });
    return new LiveConnection(definition, transport, lifecycle, this.#sendingHalf);
  }

  #keepAlive(): void {
    const { connection, definition } = this;
    const { keepAlive: options } = definition.options;
    if (connection === undefined || options === undefined) return;
    import("./keep-alive.js").then(
      ({ keepAlive }) => keepAlive(connection, options),
      definition.report,
    );
  }
}

const DEFAULT_TIMEOUT = 60_000;

export async function startWithin(
  starting: Promise<unknown>,
  { signal, timeout }: ConnectOptions,
  defaultTimeout: number = DEFAULT_TIMEOUT,
): Promise<void> {
  const limit = Math.max(0, timeout ?? defaultTimeout);
  if (await isWithin(limit, abortable(starting, signal))) return;
  const text = `The transport did not start within ${limit} ms (option timeout)`;
  throw new ConnectionClosedError(text);
}

export function ofLifecycle(
  revisions: readonly Revision[],
  lifecycle: Revision["traits"]["lifecycle"],
): readonly Revision[] {
  return revisions.filter(({ traits }) => traits.lifecycle === lifecycle);
}

function offered(revisions: readonly Revision[]): readonly Revision[] {
  const stateless = ofLifecycle(revisions, "discover");
  return stateless.length > 0 ? stateless : revisions;
}
