import type { ClientBase, ConnectedServer } from "../../engine/index.js";
import type { RequestOptions } from "../../api/index.js";
import { isStateless } from "../../stateless/index.js";
import {
  LifecycleError,
  type OpenSession,
  type Revision,
  RpcError,
  quote,
} from "../../wire/index.js";
import type { Evidence } from "../../negotiation/index.js";
import { LiveConnection, RestartSchedule, abortable } from "./live-connection.js";
import type { ConnectOptions, Target } from "./client-options.js";
import { type Era, type EraCache, openConnection } from "./open-connection.js";
import type { ConnectionHooks, ServerLocation, StdioTarget } from "./targets.js";

/**
 * Timeout of each request that opens a connection, in milliseconds, if the user may have to log in
 * first.
 */
const LOGIN_TIME = 330_000;

type AnyMessages = Record<string, { readonly params?: unknown; readonly result: unknown }>;

/** Client below an `McpClient`. */
export type PlainClient = ClientBase<AnyMessages, AnyMessages, unknown, unknown>;

/** Observers of a connection while it lasts, and the state of them that it needs. */
export interface ConnectionObservers extends ConnectionHooks {
  /** True if there are listeners, so that a process that has ended is started again at once. */
  isNeeded(): boolean;
  /** Called when a process has taken the place of the one before. */
  reopened(): void;
  report(error: Error): void;
}

/** Facts that are settled when a connection opens. */
interface Agreement {
  readonly revision: Revision;
  readonly era: Era;
  readonly server: ConnectedServer<unknown, unknown>;
}

/** Connection of a client to its server: detects the kind of server, and restarts a process that has ended. */
export class ServerConnection {
  readonly #client: PlainClient;
  readonly #options: ConnectOptions;
  readonly #revisions: readonly Revision[];
  readonly #observers: ConnectionObservers;
  readonly #live: LiveConnection;
  #location: ServerLocation | undefined;
  #eras: EraCache | undefined;
  /** Reason for the kind of the last conversation. */
  evidence: Evidence = "answer";
  /** Result of the last negotiation; it remains valid while the server is restarted. */
  #agreed: Agreement | undefined;

  constructor(
    client: PlainClient,
    options: ConnectOptions,
    revisions: readonly Revision[],
    observers: ConnectionObservers,
  ) {
    this.#client = client;
    this.#options = options;
    this.#revisions = revisions;
    this.#observers = observers;
    this.#live = new LiveConnection({
      open: (signal) => this.#connect(signal),
      isOver: () => client.isClosed,
      ended: () => client.closed,
      isNeeded: () => observers.isNeeded(),
      reopened: () => observers.reopened(),
      report: observers.report,
    });
  }

  /** Negotiated revision. */
  get revision(): Revision | undefined {
    return this.#agreed?.revision;
  }

  get era(): Era | undefined {
    return this.#agreed?.era;
  }

  get server(): ConnectedServer<unknown, unknown> | undefined {
    return this.#client.server ?? this.#agreed?.server;
  }

  get session(): OpenSession | undefined {
    return this.#client.session;
  }

  get discovered(): unknown {
    return this.#client.discovered;
  }

  /** Resolves when the connection is over for good, with the error that ended it, if one did. */
  get closed(): Promise<Error | undefined> {
    return this.#live.closed;
  }

  /** Resolves when messages can be sent; undefined when they can at once. */
  get ready(): Promise<void> | undefined {
    return this.#live.ready;
  }

  async open(target: Target, eras: EraCache | undefined): Promise<void> {
    this.#location = locationOf(target, this.#options);
    this.#eras = this.#probes ? eras : undefined;
    await this.#live.open(this.#location.restart);
  }

  /** @param before - the request waits for it; default: until the connection is ready */
  request(
    method: string,
    params: unknown,
    options: RequestOptions | undefined,
    before: Promise<unknown> | undefined = this.ready,
  ): Promise<unknown> {
    return before
      ? abortable(before, options?.signal).then(() => this.#client.request(method, params, options))
      : this.#client.request(method, params, options);
  }

  async notify(method: string, params: unknown): Promise<void> {
    await this.ready;
    await this.#client.notify(method, params as undefined);
  }

  async close(): Promise<void> {
    this.#live.close();
    await this.#client.close();
  }

  /**
   * True when connecting probes the server for its kind; otherwise it is taken for the one that
   * this client speaks.
   */
  get #probes(): boolean {
    const { probeTimeout = Infinity } = this.#options;
    const kinds = new Set(this.#revisions.map(({ traits }) => traits.lifecycle));
    return probeTimeout > 0 && kinds.size > 1;
  }

  async #connect(signal: AbortSignal | undefined): Promise<void> {
    const { auth, timeout = auth && LOGIN_TIME, probeTimeout, prior } = this.#options;
    const before = this.era;
    const connecting = {
      connect: this.#client.connect.bind(this.#client),
      era: () => this.#agree().era,
      evidence: () => this.evidence,
      close: () => this.#client.close(),
      mayBeOfProbe: (error: unknown) =>
        this.#probes && error instanceof RpcError && !this.#isOfStateless(error),
    };
    // A restarted server is of the same kind, and is started once.
    const known = before && { get: () => before, set: () => {} };
    const location = before ? { ...this.#location!, canRepeat: false } : this.#location!;
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
      await this.#client.close();
      throw new LifecycleError(
        "The server changed between session and stateless when it was restarted",
      );
    }
    this.#agreed = agreed;
  }

  /** Reads the agreement of the client below with the server. */
  #agree(): Agreement {
    const revision = this.#revisions.find(({ id }) => id === this.#client.revision)!;
    const era = revision.traits.lifecycle === "initialize" ? "handshake" : "stateless";
    return { revision, era, server: this.#client.server! };
  }

  /** True for an error that only stateless servers have. */
  #isOfStateless(error: RpcError): boolean {
    return this.#revisions.some((revision) => isStateless(error, revision));
  }
}

/**
 * Location of a target.
 * @throws TypeError if the target is neither a URL nor a command, a transport or a function
 */
function locationOf(target: Target, options: ConnectOptions): ServerLocation {
  if (typeof target === "string" && !URL.canParse(target)) {
    throw new TypeError(`${quote(target)} is not a URL; for a program, pass { command, args }`);
  }
  if (typeof target === "string" || target instanceof URL) return atUrl(new URL(target), options);
  if (typeof target === "function") {
    return { name: undefined, canRepeat: true, connection: target };
  }
  if (typeof target !== "object" || target === null) throw noTarget();
  if ("command" in target) return atCommand({ ...options.stdio, ...target });
  if (!("start" in target)) throw noTarget();
  return { name: undefined, canRepeat: false, connection: () => target };
}

function noTarget(): TypeError {
  return new TypeError(
    "The target must be a URL, a command, a transport, or a function that returns a transport",
  );
}

/** Loads HTTP when it is needed: clients of processes do without. */
function atUrl(url: URL, { headers, auth, http = {} }: ConnectOptions): ServerLocation {
  return {
    name: `${url.origin}${url.pathname}`,
    canRepeat: true,
    connection: async ({ onrestart, ongap }) => {
      const { HttpClientTransport } = await import("../../http/client/index.js");
      return new HttpClientTransport(url, {
        ...(headers === undefined ? {} : { headers }),
        ...(auth === undefined ? {} : { auth }),
        ...http,
        onrestart: async (opened) => {
          await Promise.all([onrestart(opened), http.onrestart?.(opened)]);
        },
        ongap: () => {
          ongap();
          http.ongap?.();
        },
      });
    },
  };
}

/** Loaded when it is needed: there are places without processes. */
function atCommand(options: StdioTarget): ServerLocation {
  const { command, args = [], cwd = "", restart = true } = options;
  return {
    name: JSON.stringify([command, args, cwd]),
    canRepeat: true,
    restart: restart ? new RestartSchedule(restart === true ? {} : restart) : undefined,
    connection: async () => {
      const { StdioClientTransport } = await import("../../stdio/client/index.js");
      return new StdioClientTransport(options);
    },
  };
}
