import {
  type ConnectedServer,
  type Endpoint,
  notConnected,
  openSessionOf,
} from "../../engine/index.js";
import type { RequestOptions } from "../../api/index.js";
import { abortable, pause, quiet } from "../../ground/index.js";
import type { Evidence } from "../../negotiation/index.js";
import { isStatelessError } from "../../stateless/index.js";
import {
  ConnectionClosedError,
  LifecycleError,
  type OpenSession,
  type Revision,
  RpcError,
} from "../../wire/index.js";
import type { ConnectOptions, Target } from "./client-options.js";
import type { Era, EraCache } from "./eras.js";
import {
  type ConnectionHooks,
  type ServerLocation,
  locationOf,
  openConnection,
} from "./open-connection.js";
import type { Restart } from "./targets.js";

/** The timeout, in milliseconds, of each request that opens a connection if the user may have to log in first. */
const LOGIN_TIME = 330_000;

/** The time, in milliseconds, that a restarted server must run before the restart count is reset. */
const STEADY = 30_000;

export interface ConnectionObservers extends ConnectionHooks {
  /** Called with each agreement, before any message of its revision is sent. */
  agreed(agreement: Agreement): void | Promise<void>;
  /** True if there are listeners, which means that a process that has ended is restarted immediately. */
  isNeeded(): boolean;
  reopened(): void;
  report(error: Error): void;
}

/** The facts that are settled when a connection opens. They remain valid while the server is restarted. */
export interface Agreement {
  readonly revision: Revision;
  readonly era: Era;
  readonly server: ConnectedServer<unknown, unknown>;
}

/**
 * The connection between a client and its server. Detects the kind of server, and restarts a process that has ended
 * unexpectedly (MCP: stdio, lifecycle of the process).
 */
export class ServerConnection {
  /** Resolves when the connection is over for good, with the error that ended it if there was one. */
  readonly closed: Promise<Error | undefined>;
  agreed: Agreement | undefined;
  evidence: Evidence = "answer";
  readonly #endpoint: Endpoint;
  readonly #options: ConnectOptions;
  readonly #observers: ConnectionObservers;
  readonly #closing = new AbortController();
  #location!: ServerLocation;
  #eras: EraCache | undefined;
  #restart: Restart | undefined;
  #failures = 0;
  #reopening: Promise<void> | undefined;
  #end!: (error: Error | undefined) => void;

  constructor(endpoint: Endpoint, options: ConnectOptions, observers: ConnectionObservers) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#observers = observers;
    this.closed = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get session(): OpenSession | undefined {
    return openSessionOf(this.#endpoint.connection);
  }

  get discovered(): unknown {
    return this.#endpoint.agreement?.discovered;
  }

  /**
   * Resolves when messages can be sent; undefined if they can be sent now or never again. Reading it starts reopening a
   * closed connection.
   */
  get ready(): Promise<void> | undefined {
    if (this.#restart === undefined) return undefined;
    if (this.#reopening !== undefined) return this.#reopening;
    if (!this.#endpoint.connection!.isClosed) return undefined;
    this.#reopening = quiet(this.#reopen(this.#restart));
    return this.#reopening;
  }

  async open(target: Target, eras: EraCache | undefined): Promise<void> {
    this.#location = locationOf(target, this.#options);
    this.#eras = this.#probes ? eras : undefined;
    await this.#connect(undefined);
    this.#restart = this.#location.restart;
    this.#watch();
  }

  /**
   * Sends a request when the connection is ready.
   * @param opening - subscription that the request waits for
   */
  request(
    method: string,
    params: unknown,
    options: RequestOptions | undefined,
    opening?: Promise<void>,
  ): Promise<unknown> {
    const endpoint = this.#endpoint;
    if (endpoint.connection === undefined) return notConnected();
    const before = this.ready ?? opening;
    if (before === undefined) return endpoint.connection.request(method, params, options);
    return abortable(before, options?.signal).then(() =>
      endpoint.connection!.request(method, params, options),
    );
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.ready;
    await this.#endpoint.notify(method, params);
  }

  async close(): Promise<void> {
    const isDown = this.#restart !== undefined && this.#endpoint.connection!.isClosed;
    this.#closing.abort();
    this.#restart = undefined;
    if (isDown) this.#end(undefined);
    await this.#endpoint.close();
  }

  get #revisions(): readonly Revision[] {
    return this.#endpoint.definition.revisions;
  }

  /** True if the server is probed to find out its kind. */
  get #probes(): boolean {
    const { probeTimeout = Infinity } = this.#options;
    const kinds = new Set(this.#revisions.map(({ traits }) => traits.lifecycle));
    return probeTimeout > 0 && kinds.size > 1;
  }

  async #connect(signal: AbortSignal | undefined): Promise<void> {
    const { auth, timeout = auth && LOGIN_TIME, probeTimeout, prior } = this.#options;
    const before = this.agreed?.era;
    const endpoint = this.#endpoint;
    const connecting = {
      connect: endpoint.connect.bind(endpoint),
      era: () => this.#agree().era,
      evidence: () => this.evidence,
      close: () => endpoint.close(),
      mayBeOfProbe: (error: unknown) =>
        this.#probes && error instanceof RpcError && !this.#isOfStateless(error),
    };
    // A restarted server is expected to be of the same kind, and is not started a second time to check this.
    const known = before && { get: () => before, set: () => {} };
    const location = before ? { ...this.#location, canRepeat: false } : this.#location;
    const patience = before === "stateless" ? Infinity : probeTimeout;
    const steps = {
      signal: signal ?? this.#options.signal,
      timeout,
      probeTimeout: patience,
      prior,
    };
    await openConnection(connecting, location, known ?? this.#eras, steps, this.#observers);
    const agreed = this.#agree();
    if (before !== undefined && agreed.era !== before) {
      await endpoint.close();
      throw new LifecycleError(
        "The server changed between session and stateless when it was restarted",
      );
    }
    await this.#observers.agreed(agreed);
    this.agreed = agreed;
  }

  #agree(): Agreement {
    const { revision, peer } = this.#endpoint.agreement!;
    const era = revision.traits.lifecycle === "initialize" ? "session" : "stateless";
    return { revision, era, server: peer as ConnectedServer<unknown, unknown> };
  }

  #isOfStateless(error: RpcError): boolean {
    return this.#revisions.some((revision) => isStatelessError(error, revision));
  }

  #watch(): void {
    const opened = performance.now();
    void this.#endpoint.closed.then((error) => {
      if (this.#restart === undefined) return this.#end(error);
      if (performance.now() - opened >= STEADY) this.#failures = 0;
      this.#observers.report(error ?? endedByServer());
      if (this.#observers.isNeeded()) void this.ready;
    });
  }

  /** Connects to the server again, which starts its process. The wait before each further attempt is longer. */
  async #reopen(restart: Restart): Promise<void> {
    const { retries = 5, initialDelay = 500, maxDelay = 10_000 } = restart;
    const { signal } = this.#closing;
    let failure = (await this.#endpoint.closed) ?? endedByServer();
    while (this.#failures < retries) {
      const before = this.#failures;
      this.#failures += 1;
      const delay = Math.min(initialDelay * 2 ** (before - 1), maxDelay);
      if (before > 0) await pause(delay, signal).catch(() => {});
      if (signal.aborted) {
        this.#end(undefined);
        throw new ConnectionClosedError("The connection was closed on this side");
      }
      try {
        await this.#connect(signal);
        this.#reopening = undefined;
        this.#watch();
        return this.#observers.reopened();
      } catch (error) {
        failure = error as Error;
      }
    }
    this.#restart = undefined;
    this.#end(failure);
    const text = `The server has ended and cannot be started again (option restart): ${failure.message}`;
    throw new ConnectionClosedError(text, { cause: failure });
  }
}

function endedByServer(): ConnectionClosedError {
  return new ConnectionClosedError("The server has ended the connection");
}
