import { type Filter, subscribe } from "@mcp-codegen/runtime";
import {
  connect,
  type ConnectOptions as NativeOptions,
  type McpClient,
  revisions,
} from "@mcp-codegen/universal";
import {
  type ClientCapabilities,
  DEFAULT_REQUEST_TIMEOUT_MSEC,
  type DiscoverResult,
  type Implementation,
  mergeCapabilities,
  type ProtocolEra,
  type RequestOptions,
  runtimeTransport,
  SdkError,
  SdkErrorCode,
  sdkErrorOf,
  type ServerCapabilities,
  type SubscriptionFilter,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
} from "../shared/index.js";
import { debounce, type Debounce, type ListName, untyped } from "../shared/internal/index.js";
import { CustomNotifications, Handlers } from "./handlers.js";
import { loginErrorIn } from "./login-errors.js";
import { Abort, OutputChecks } from "./call-results.js";
import type {
  ClientOptions,
  ConnectOptions,
  PriorDiscovery,
  VersionNegotiationMode,
  VersionNegotiationOptions,
} from "./client-options.js";
import { ListRefresh } from "./list-refresh.js";
import { completeSession, negotiatedRevisions, serverOf } from "./open-session.js";
import { ForeignResponseStore, MAX_CACHE_TTL_MS } from "./response-cache-store.js";

/** An open subscription. */
export interface McpSubscription {
  /** The part of the filter that the server accepted. */
  readonly honoredFilter: SubscriptionFilter;
  close(): Promise<void>;
  /**
   * Resolves with the reason why the subscription ended: this side closed it, the server closed it, or it was
   * interrupted.
   */
  readonly closed: Promise<"local" | "graceful" | "remote">;
}

const LOG = "notifications/message";

const LIST_CHANGED = /^notifications\/(\w+)\/list_changed$/;

/** The part of a client that connects, negotiates a revision and maintains the connection. */
export abstract class ClientConnection {
  /** Called when the connection has ended. */
  onclose?: (() => void) | undefined;
  /** Called with errors that no call can report. */
  onerror?: ((error: Error) => void) | undefined;
  private readonly _info: Implementation;
  protected _options: ClientOptions;
  protected readonly _handlers: Handlers;
  protected readonly _outputs: OutputChecks;
  protected readonly _debounce: Debounce;
  protected _capabilities: ClientCapabilities;
  protected _hasLogLevel = false;
  protected _client: McpClient | undefined;
  private _transport: Transport | undefined;
  private _lists: ListRefresh | undefined;
  /** The session of the last connection, which another transport can resume. */
  private _session: McpClient["session"];
  private _isServerKnown = true;
  private _subscription: McpSubscription | undefined;

  /**
   * @param info - the name and version, sent to servers
   * @param options - the capabilities, and how to negotiate a revision
   */
  constructor(info: Implementation, options: ClientOptions = {}) {
    this._info = info;
    this._options = options;
    this._capabilities = { ...options.capabilities };
    this._outputs = new OutputChecks(options.jsonSchemaValidator);
    this._handlers = new Handlers(() => this._capabilities);
    this._debounce = debounce(options.debouncedNotificationMethods, (error) =>
      this.onerror?.(error),
    );
  }

  /** The transport passed to `connect`, while it is open. */
  get transport(): Transport | undefined {
    return this._transport;
  }

  /**
   * Connects over a transport.
   * @throws SdkError or ProtocolError if connecting fails, or if the client is already connected
   */
  async connect(transport: Transport, options: ConnectOptions = {}): Promise<void> {
    if (this._client) {
      throw new SdkError(
        SdkErrorCode.AlreadyConnected,
        "This client is already connected: close it first",
      );
    }
    const supported = this._options.supportedProtocolVersions ?? SUPPORTED_PROTOCOL_VERSIONS;
    this._transport = transport;
    this._isServerKnown = completeSession(transport, this._session);
    try {
      this._client = await connect(
        new CustomNotifications(
          runtimeTransport(transport, supported),
          (notification) => this._handlers.receiveCustom(notification),
          (error) => this.onerror?.(error),
        ),
        this._nativeOptions(transport, options),
      );
    } catch (error) {
      this._transport = undefined;
      throw this.errorOf(error);
    }
    this._session = this._isServerKnown ? this._client.session : undefined;
    void this._client.closed.then(() => this._ended());
    this._requestLogs();
    await this._follow();
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    await this._client?.close();
    this._ended();
  }

  /**
   * Declares additional capabilities.
   * @throws SdkError if the client is already connected
   */
  registerCapabilities(capabilities: ClientCapabilities): void {
    if (this._client) {
      throw new SdkError(
        SdkErrorCode.AlreadyConnected,
        "Capabilities are sent to the server when the client connects: register them before",
      );
    }
    this._capabilities = mergeCapabilities(this._capabilities, capabilities);
  }

  /**
   * Returns the server's capabilities. Returns undefined before `connect`, and if the connection resumes a session that
   * another client opened.
   */
  getServerCapabilities(): ServerCapabilities | undefined {
    if (!this._isServerKnown) return undefined;
    return this._client?.server.capabilities as ServerCapabilities | undefined;
  }

  /** Returns the server's name and version, if it sent them. */
  getServerVersion(): Implementation | undefined {
    return this._client?.server.info as Implementation | undefined;
  }

  /** Returns the server's instructions for the model. */
  getInstructions(): string | undefined {
    return this._client?.server.instructions;
  }

  /** Returns the id of the negotiated revision. */
  getNegotiatedProtocolVersion(): string | undefined {
    return this._client?.revision;
  }

  /**
   * Returns the result of the discovery, which other clients can pass to `connect({ prior })`. A session has no such
   * result.
   */
  getDiscoverResult(): DiscoverResult | undefined {
    return this._client?.discovered as DiscoverResult | undefined;
  }

  /** The subscription to the lists in `listChanged`, if the conversation is stateless. */
  get autoOpenedSubscription(): McpSubscription | undefined {
    return this._subscription;
  }

  /**
   * Replaces the negotiation options.
   * @throws SdkError if the client is already connected
   */
  setVersionNegotiation(options: VersionNegotiationOptions | undefined): void {
    if (this._client) {
      throw new SdkError(SdkErrorCode.AlreadyConnected, "The revision is already negotiated");
    }
    this._options = { ...this._options, versionNegotiation: options };
  }

  /** Returns the kind of the conversation, or undefined before `connect`. */
  getProtocolEra(): ProtocolEra | undefined {
    return this._client && (this._client.era === "session" ? "legacy" : "modern");
  }

  /** Converts a runtime error to an SDK error. */
  protected errorOf(error: unknown): unknown {
    return loginErrorIn(error) ?? sdkErrorOf(error);
  }

  protected abortedBy({ reason }: Abort): unknown {
    if (reason instanceof SdkError) return reason;
    return new SdkError(SdkErrorCode.RequestTimeout, String(reason));
  }

  /** True if a list that the server does not support is returned as empty; false if listing fails instead. */
  protected get hasEmptyLists(): boolean {
    return true;
  }

  protected abstract _fetch(list: ListName): Promise<unknown[]>;

  private _nativeOptions(
    transport: Transport,
    { signal, timeout, prior }: ConnectOptions,
  ): NativeOptions {
    const { versionNegotiation: { probe } = {}, inputRequired } = this._options;
    const negotiated = negotiatedRevisions(
      prior ? { ...this._options, versionNegotiation: { mode: modeFor(prior) } } : this._options,
    );
    const { handlers, custom } = this._handlers.options(this._capabilities, negotiated);
    return {
      clientInfo: this._info as NativeOptions["clientInfo"],
      capabilities: this._capabilities as NativeOptions["capabilities"],
      revisions: negotiated,
      ...(prior?.kind === "modern" ? { prior: prior.discover } : {}),
      handlers,
      custom,
      pageTimeout: 0,
      timeout: timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC,
      resetTimeoutOnProgress: false,
      signal,
      // A server that starts slowly must not be mistaken for one that requires sessions.
      probeTimeout: probe?.timeoutMs ?? timeout ?? DEFAULT_REQUEST_TIMEOUT_MSEC,
      ...(inputRequired?.maxRounds === undefined
        ? {}
        : { limits: { rounds: inputRequired.maxRounds } }),
      cache: this._cacheFor(transport),
      eras: false,
      onerror: (error) => this.onerror?.(error),
    };
  }

  private _cacheFor(transport: Transport): NativeOptions["cache"] {
    const { responseCacheStore: store, cachePartition, defaultCacheTtlMs } = this._options;
    const own = { maxTtl: MAX_CACHE_TTL_MS, defaultTtl: defaultCacheTtlMs, revisions };
    const partition = cachePartition ?? (store ? "" : undefined);
    if (store === undefined) return partition === undefined ? own : { ...own, partition };
    return {
      ...own,
      partition,
      trustPublic: true,
      store: new ForeignResponseStore(store, partition ?? ""),
      server: serverOf(transport) ?? crypto.randomUUID(),
    };
  }

  /**
   * Requests every log message. A stateless client must ask for log messages in each request, but programs that use the
   * SDK only set a handler.
   */
  protected _requestLogs(): void {
    if (this._client === undefined || this._client.era === "session" || this._hasLogLevel) return;
    if (this._handlers.hasNotification(LOG)) void this._client.setLogLevel("debug");
  }

  /**
   * Observes the lists in `listChanged`. In a stateless conversation, this opens a subscription; in a session, the
   * server sends change notifications without one.
   */
  private async _follow(): Promise<void> {
    const { listChanged } = this._options;
    const client = this._connected();
    if (listChanged === undefined) return;
    const lists = new ListRefresh(listChanged, (list) => this._fetch(list));
    this._lists = lists;
    if (client.era === "session") {
      for (const list of lists.lists) client.on(`${list}Changed`, () => lists.changed(list));
      return;
    }
    const declared = this.getServerCapabilities();
    const announced = lists.lists.filter((list) => declared?.[list]?.listChanged === true);
    if (announced.length === 0) return;
    const filter = Object.fromEntries(announced.map((list) => [`${list}ListChanged`, true]));
    this._subscription = await this._subscribe(filter, {}, (method) => {
      const [, list] = LIST_CHANGED.exec(method) ?? [];
      if (list) lists.changed(list as ListName);
    });
  }

  protected async _subscribe(
    filter: SubscriptionFilter,
    { signal, timeout }: RequestOptions,
    on?: (method: string) => void,
  ): Promise<McpSubscription> {
    try {
      const client = this._connected();
      const opened = await subscribe(untyped(client), filter as Filter, { signal, timeout, on });
      let isLocal = false;
      const closed = opened.closed.then((error) =>
        isLocal ? "local" : error ? "remote" : "graceful",
      );
      return {
        honoredFilter: opened.filter as SubscriptionFilter,
        closed,
        close: async () => {
          isLocal = true;
          opened.close();
          await closed;
        },
      };
    } catch (error) {
      throw this.errorOf(error);
    }
  }

  protected _connected(): McpClient {
    if (this._client) return this._client;
    throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
  }

  private _ended(): void {
    if (this._client === undefined) return;
    this._client = undefined;
    this._transport = undefined;
    this._lists?.close();
    this._outputs.forget();
    this._subscription = undefined;
    this.onclose?.();
  }
}

function modeFor(prior: PriorDiscovery): VersionNegotiationMode {
  if (prior.kind === "legacy") return "legacy";
  if (prior.kind === "modern" && typeof prior.discover === "object") return "auto";
  const text = "prior is { kind: 'modern', discover } or { kind: 'legacy' }";
  throw new SdkError(SdkErrorCode.EraNegotiationFailed, text);
}
