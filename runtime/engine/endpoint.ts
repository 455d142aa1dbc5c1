import type { Definition } from "./definition.js";
import {
  ConnectionClosedError,
  LifecycleError,
  type Revision,
  type Transport,
  UsedTransportError,
} from "../wire/index.js";
import { keepAlive } from "./keep-alive.js";
import type { Agreement } from "./lifecycle.js";
import type {
  ConnectOptions,
  CustomMessage,
  RequestOptions,
  ServeOptions,
  Session,
} from "../api/index.js";
import { Peer } from "./peer.js";
import { quiet } from "../ground/index.js";
import { startWithin } from "./start-within.js";

/** A transport carries one connection, also when it does not look after that itself. */
const used = new WeakSet<Transport>();

/** A client or a server, over one connection at a time: what both classes have in common. */
export class Endpoint {
  readonly definition: Definition;
  #peer: Peer | undefined;
  #closed: Promise<Error | undefined> | undefined;
  #follow: ((end: Promise<Error | undefined>) => void) | undefined;

  constructor(definition: Definition) {
    this.definition = definition;
  }

  get agreement(): Agreement | undefined {
    return this.#peer?.agreement;
  }

  get closed(): Promise<Error | undefined> {
    this.#closed ??=
      this.#peer?.finished ??
      new Promise((resolve) => {
        this.#follow = resolve;
      });
    return this.#closed;
  }

  async connect(transport: Transport, options: ConnectOptions & ServeOptions = {}): Promise<void> {
    const { definition } = this;
    if (this.#peer) {
      if (!this.#peer.isClosed) {
        const instead =
          definition.side === "server" ? "fork() it for one more connection" : "close() it first";
        throw new LifecycleError(`This ${definition.side} is connected already: ${instead}`);
      }
      this.#closed = undefined;
    }
    if (used.has(transport)) throw new UsedTransportError();
    used.add(transport);
    const peer = this.#peerOver(transport, this.#assumed(options.assume));
    this.#peer = peer;
    this.#follow?.(peer.finished);
    this.#follow = undefined;
    definition.opened(peer);
    try {
      if (definition.side === "client") transport.offered?.(definition.preferred);
      const starting = peer.start();
      if (starting) await startWithin(starting, options, definition.options.timeout);
      await peer.open(options);
    } catch (error) {
      await peer.close(error as Error);
      throw error;
    }
  }

  request(
    method: string | CustomMessage,
    params: unknown,
    options?: RequestOptions,
  ): Promise<unknown> {
    return this.#peer?.request(method, params, options) ?? notConnected();
  }

  notify(method: string | CustomMessage, params: unknown): Promise<void> {
    const peer = this.#peer;
    if (peer === undefined) return notConnected();
    const isHeard = typeof method === "string" && this.#tellListeners(method, params, peer.session);
    return isHeard && !peer.agreement ? Promise.resolve() : peer.notify(method, params);
  }

  get isConnected(): boolean {
    return this.#peer !== undefined;
  }

  async close(): Promise<void> {
    await this.#peer?.close();
  }

  /** Whether there can be subscriptions to a notification on this connection; those that there are hear it. */
  #tellListeners(method: string, params: unknown, connection: Session): boolean {
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

  #peerOver(transport: Transport, assume: Revision | undefined): Peer {
    const { definition } = this;
    const { side, options } = definition;
    const agreed = (revision: Revision): void => {
      transport.agreed?.(revision);
      this.#keepAlive();
    };
    return new Peer({
      side,
      transport,
      lifecycle: definition.lifecycle({ assume, agreed }),
      limits: definition.limits,
      times: options,
      deadlines: definition.deadlines,
      aborts: definition.aborts,
      sending: definition.sending,
      onloss: options.onloss,
      handlerTimeout: options.handlerTimeout ?? Infinity,
      report: (error) => definition.report(error),
    });
  }

  #keepAlive(): void {
    const peer = this.#peer;
    const { keepAlive: options } = this.definition.options;
    if (peer === undefined || options === undefined) return;
    void peer.finished.then(keepAlive(peer, options));
  }
}

function notConnected(): Promise<never> {
  const error = new ConnectionClosedError("Not connected: call connect() first");
  return quiet(Promise.reject<never>(error));
}
