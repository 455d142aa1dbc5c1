import {
  LifecycleError,
  type Revision,
  type Transport,
  UsedTransportError,
} from "../../wire/index.js";
import { notConnected } from "../define/connection-errors.js";
import { keepAlive } from "./keep-alive.js";
import {
  type Agreement,
  type Conversations,
  type LifecycleStrategy,
  openingOf,
} from "./lifecycle.js";
import type { SideDefinition } from "../define/side-definition.js";
import type { ConnectOptions, CustomMessage, ServeOptions } from "../../api/index.js";
import { LiveConnection } from "./connection.js";
import { startWithin } from "./start-within.js";

/** Transports that have carried a connection: none carries a second one. */
const used = new WeakSet<Transport>();

/** Place of a client or server for one connection at a time. */
export class Endpoint {
  readonly definition: SideDefinition;
  readonly conversations: Conversations;
  #connection: LiveConnection | undefined;
  #closed: Promise<Error | undefined> | undefined;
  #follow: ((end: Promise<Error | undefined>) => void) | undefined;

  constructor(definition: SideDefinition, conversations: Conversations) {
    this.definition = definition;
    this.conversations = conversations;
  }

  /** Creates the endpoint of a new client or server. */
  static of(definition: SideDefinition, strategy: LifecycleStrategy): Endpoint {
    return new Endpoint(definition, strategy(openingOf(definition)));
  }

  /** Absent before `connect()`. */
  get connection(): LiveConnection | undefined {
    return this.#connection;
  }

  get agreement(): Agreement | undefined {
    return this.#connection?.agreement;
  }

  get closed(): Promise<Error | undefined> {
    this.#closed ??=
      this.#connection?.finished ??
      new Promise((resolve) => {
        this.#follow = resolve;
      });
    return this.#closed;
  }

  async connect(transport: Transport, options: ConnectOptions & ServeOptions = {}): Promise<void> {
    const { definition } = this;
    if (this.#connection) {
      if (!this.#connection.isClosed) {
        const instead =
          definition.side === "server" ? "fork() it for one more connection" : "close() it first";
        throw new LifecycleError(`This ${definition.side} is connected already: ${instead}`);
      }
      this.#closed = undefined;
    }
    if (used.has(transport)) throw new UsedTransportError();
    used.add(transport);
    const connection = this.#over(transport, this.#assumed(options.assume), options.opening);
    this.#connection = connection;
    this.#follow?.(connection.finished);
    this.#follow = undefined;
    definition.opened(connection);
    try {
      if (definition.side === "client") transport.hooks?.offered?.(definition.preferred);
      const starting = connection.start();
      if (starting) await startWithin(starting, options, definition.options.timeout);
      await connection.open(options);
    } catch (error) {
      await connection.close(error as Error);
      throw error;
    }
  }

  /** Sends a notification; subscriptions of stateless clients on this connection hear it, too. */
  notify(method: string | CustomMessage, params: unknown): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return notConnected();
    const isHeard = typeof method === "string" && this.#tellListeners(method, params, connection);
    if (isHeard && !connection.agreement) return Promise.resolve();
    return connection.notify(method, params);
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  /** Tells the subscriptions on this connection, and whether there can be some to such a notification. */
  #tellListeners(method: string, params: unknown, connection: LiveConnection): boolean {
    let isHeard = false;
    for (const listener of this.definition.listeners) {
      isHeard = listener({ method, params }, connection) || isHeard;
    }
    return isHeard;
  }

  #assumed(id: string | undefined): Revision | undefined {
    if (id === undefined) return undefined;
    const revision = this.definition.revisions.find((known) => known.id === id);
    if (revision?.traits.lifecycle === "initialize") return revision;
    throw new LifecycleError(
      `Cannot serve ${id}: it is no revision of this server with a handshake`,
    );
  }

  #over(transport: Transport, assume: Revision | undefined, opening: unknown): LiveConnection {
    const { definition } = this;
    const agreed = (revision: Revision): void => {
      transport.hooks?.agreed?.(revision);
      this.#keepAlive();
    };
    return new LiveConnection(
      definition,
      transport,
      this.conversations.begin({ assume, opening, agreed }),
    );
  }

  #keepAlive(): void {
    const connection = this.#connection;
    const { keepAlive: options } = this.definition.options;
    if (connection === undefined || options === undefined) return;
    void connection.finished.then(keepAlive(connection, options));
  }
}
