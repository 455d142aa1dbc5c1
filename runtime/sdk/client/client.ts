import { type Filter, subscribe } from "@mcp-codegen/runtime";
import {
  connect,
  type ConnectOptions as NativeOptions,
  type McpClient,
  revisions,
} from "@mcp-codegen/universal";
import {
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  type CompleteRequest,
  type CompleteResult,
  DEFAULT_REQUEST_TIMEOUT_MSEC,
  type DiscoverResult,
  type EmptyResult,
  type GetPromptRequest,
  type GetPromptResult,
  type Implementation,
  type ListPromptsRequest,
  type ListPromptsResult,
  type ListResourcesRequest,
  type ListResourcesResult,
  type ListResourceTemplatesRequest,
  type ListResourceTemplatesResult,
  type ListToolsRequest,
  type ListToolsResult,
  type LoggingLevel,
  mergeCapabilities,
  type Notification,
  type NotificationMethod,
  type NotificationTypeMap,
  type ProtocolEra,
  type ReadResourceRequest,
  type ReadResourceResult,
  type RequestMethod,
  type RequestOptions,
  type RequestTypeMap,
  type Result,
  type ResultTypeMap,
  runtimeTransport,
  SdkError,
  SdkErrorCode,
  sdkErrorOf,
  type ServerCapabilities,
  type StandardSchemaV1,
  type SubscribeRequest,
  type SubscriptionFilter,
  SUPPORTED_PROTOCOL_VERSIONS,
  type Transport,
  type UnsubscribeRequest,
} from "../shared/index.js";
import {
  type Ask,
  askThrough,
  type Callback,
  isSchema,
  methodOf,
  parsedBy,
  tellThrough,
  type Untyped,
  untyped,
} from "../shared/internal/index.js";
import {
  type ClientHandlerContext,
  CustomNotifications,
  Handlers,
  type NotificationCallback,
  type RequestCallback,
} from "./handlers.js";
import { loginErrorIn } from "./login-errors.js";
import { Abort, CallErrors, OutputChecks, plainResult } from "./call-results.js";
import type {
  CacheableRequestOptions,
  CallToolRequestOptions,
  ClientOptions,
  ConnectOptions,
  PriorDiscovery,
  VersionNegotiationMode,
  VersionNegotiationOptions,
} from "./client-options.js";
import { type ListName, ListRefresh } from "./list-refresh.js";
import { completeSession, negotiatedRevisions, serverOf } from "./open-session.js";
import { ForeignResponseStore, MAX_CACHE_TTL_MS } from "./response-cache-store.js";

/** An open subscription. */
export interface McpSubscription {
  /** Part of the filter that the server accepted. */
  readonly honoredFilter: SubscriptionFilter;
  close(): Promise<void>;
  /** Resolves with the reason for its end: closed by this side, closed by the server, or interrupted. */
  readonly closed: Promise<"local" | "graceful" | "remote">;
}

const CACHE_MODES = { use: "default", refresh: "reload", bypass: "no-store" } as const;

/** Capability that a client needs to answer a request. */
const NEEDED: Readonly<Record<string, keyof ClientCapabilities>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

const LOG = "notifications/message";

const LISTS: Readonly<Record<string, ListName>> = {
  "notifications/tools/list_changed": "tools",
  "notifications/prompts/list_changed": "prompts",
  "notifications/resources/list_changed": "resources",
};

/**
 * A client with the shapes of the official SDK, versions 1 and 2. Like the SDK's, it opens a session unless
 * `versionNegotiation` says otherwise; `{ mode: "auto" }` supports every revision.
 *
 * @example
 * ```ts
 * import { Client } from "@mcp-codegen/sdk/client";
 * import { StdioClientTransport } from "@mcp-codegen/sdk/client/stdio";
 *
 * const client = new Client({ name: "host", version: "1.0.0" });
 * await client.connect(new StdioClientTransport({ command: "node", args: ["server.js"] }));
 * const { tools } = await client.listTools();
 * await client.close();
 * ```
 */
export class Client {
  /** Called when the connection has ended. */
  onclose?: (() => void) | undefined;
  /** Called with errors that no call can report. */
  onerror?: ((error: Error) => void) | undefined;
  private readonly _info: Implementation;
  private _options: ClientOptions;
  private readonly _handlers = new Handlers();
  private readonly _outputs = new OutputChecks();
  private _capabilities: ClientCapabilities;
  private _hasLogLevel = false;
  private _client: McpClient | undefined;
  private _transport: Transport | undefined;
  private _lists: ListRefresh | undefined;
  /** Session of the last connection, which another transport can resume. */
  private _session: McpClient["session"];
  /** False if the connection resumes a session that another client opened. */
  private _isServerKnown = true;
  private _subscription: McpSubscription | undefined;

  /**
   * @param info - name and version, sent to servers
   * @param options - capabilities, and how a revision is negotiated
   */
  constructor(info: Implementation, options: ClientOptions = {}) {
    this._info = info;
    this._options = options;
    this._capabilities = { ...options.capabilities };
  }

  /** Called for server requests that have no handler. */
  get fallbackRequestHandler(): RequestCallback | undefined {
    return this._handlers.fallbackRequest;
  }

  set fallbackRequestHandler(callback: RequestCallback | undefined) {
    this._handlers.fallbackRequest = callback;
  }

  /** Called for server notifications that have no handler. */
  get fallbackNotificationHandler(): NotificationCallback | undefined {
    return this._handlers.fallbackNotification;
  }

  set fallbackNotificationHandler(callback: NotificationCallback | undefined) {
    this._handlers.fallbackNotification = callback;
  }

  /** Transport passed to `connect`, while it is open. */
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

  /** Capabilities of the server; undefined before `connect`. */
  getServerCapabilities(): ServerCapabilities | undefined {
    if (!this._isServerKnown) return undefined;
    return this._client?.server.capabilities as ServerCapabilities | undefined;
  }

  /** Name and version of the server, if it sent them. */
  getServerVersion(): Implementation | undefined {
    return this._client?.server.info as Implementation | undefined;
  }

  /** Instructions of the server for the model. */
  getInstructions(): string | undefined {
    return this._client?.server.instructions;
  }

  /** Id of the negotiated revision. */
  getNegotiatedProtocolVersion(): string | undefined {
    return this._client?.revision;
  }

  /** Result of the discovery, to pass to `connect({ prior })` of other clients; undefined in a session. */
  getDiscoverResult(): DiscoverResult | undefined {
    return this._client?.discovered as DiscoverResult | undefined;
  }

  /** Subscription to the lists in `listChanged`, if the conversation is stateless. */
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

  /** Kind of the conversation. */
  getProtocolEra(): ProtocolEra | undefined {
    return this._client && (this._client.era === "handshake" ? "legacy" : "modern");
  }

  /**
   * Sets the handler of a server request, by its method, by a schema with the method as a literal (version 1), or by
   * the method and schemas of a custom request.
   * @throws SdkError if the required capability was not declared
   */
  setRequestHandler<Method extends RequestMethod>(
    method: Method,
    handler: (
      request: RequestTypeMap[Method],
      ctx: ClientHandlerContext,
    ) => ResultTypeMap[Method] | Promise<ResultTypeMap[Method]>,
  ): void;
  setRequestHandler<Schema extends StandardSchemaV1 & object>(
    schema: Schema,
    handler: (
      request: StandardSchemaV1.InferOutput<Schema>,
      ctx: ClientHandlerContext,
    ) => Result | Promise<Result>,
  ): void;
  setRequestHandler<Params extends StandardSchemaV1>(
    method: string,
    schemas: { params: Params; result?: StandardSchemaV1 },
    handler: (
      params: StandardSchemaV1.InferOutput<Params>,
      ctx: ClientHandlerContext,
    ) => Result | Promise<Result>,
  ): void;
  setRequestHandler(
    which: string | object,
    second: { readonly params: StandardSchemaV1 } | Callback,
    handler?: Callback,
  ): void {
    const method = typeof which === "string" ? which : methodOf(which);
    const needed = NEEDED[method];
    if (needed !== undefined && this._capabilities[needed] === undefined) {
      throw new SdkError(
        SdkErrorCode.CapabilityNotSupported,
        `A handler for ${method} needs the capability ${needed}: new Client(info, { capabilities: { ${needed}: {} } })`,
      );
    }
    if (typeof second === "function") return this._handlers.setRequest(method, second);
    this._handlers.setRequest(method, async ({ params = {} }, ctx) =>
      handler!(await parsedBy(second.params, params, `params of ${method}`), ctx),
    );
  }

  /** Sets the handler of a server notification, in the same three ways. */
  setNotificationHandler<Method extends NotificationMethod>(
    method: Method,
    handler: (notification: NotificationTypeMap[Method]) => void | Promise<void>,
  ): void;
  setNotificationHandler<Schema extends StandardSchemaV1 & object>(
    schema: Schema,
    handler: (notification: StandardSchemaV1.InferOutput<Schema>) => void | Promise<void>,
  ): void;
  setNotificationHandler<Params extends StandardSchemaV1>(
    method: string,
    schemas: { params: Params },
    handler: (
      params: StandardSchemaV1.InferOutput<Params>,
      notification: Notification,
    ) => void | Promise<void>,
  ): void;
  setNotificationHandler(
    which: string | object,
    second: { readonly params: StandardSchemaV1 } | Callback,
    handler?: Callback,
  ): void {
    const method = typeof which === "string" ? which : methodOf(which);
    if (typeof second === "function") {
      this._handlers.setNotification(method, second);
      this._requestLogs();
      return;
    }
    this._handlers.setNotification(method, async (notification) => {
      const { params = {} } = notification;
      return handler!(await parsedBy(second.params, params, `params of ${method}`), notification);
    });
  }

  removeRequestHandler(method: string): void {
    this._handlers.removeRequest(method);
  }

  removeNotificationHandler(method: string): void {
    this._handlers.removeNotification(method);
  }

  /** @throws Error if the request already has a handler */
  assertCanSetRequestHandler(method: string): void {
    if (this._handlers.hasRequest(method)) {
      throw new Error(`${method} has a handler already, which would be replaced`);
    }
  }

  /** Sends any request; the schema, if passed, validates the result. */
  get request(): Ask {
    const client = this._connected();
    const request = async (
      method: unknown,
      params: unknown,
      options: unknown,
    ): Promise<unknown> => {
      const cacheOptions = options as CacheableRequestOptions | undefined;
      const errors = this._errorsOf(cacheOptions);
      try {
        const own = this._native(cacheOptions);
        const result: unknown = await untyped(client).request(method, params, own);
        return typeof method === "string" ? this._plain(client, result) : result;
      } catch (error) {
        throw errors.of(error);
      }
    };
    return askThrough({ request, notify: undefined }, (error) => this._converted(error));
  }

  /** Sends any notification. */
  notification(notification: Notification, _options?: object): Promise<void> {
    return tellThrough(this._connected())(notification);
  }

  /** Pings the server. */
  ping(options?: RequestOptions): Promise<EmptyResult> {
    return this._done((client) => client.ping(this._native(options)), options);
  }

  /** Discovers the server's capabilities. */
  discover(options?: RequestOptions): Promise<DiscoverResult> {
    return this._send("server/discover", undefined, options);
  }

  /** Requests completions. */
  complete(params: CompleteRequest["params"], options?: RequestOptions): Promise<CompleteResult> {
    return this._send("completion/complete", params, options);
  }

  /** Sets the level from which the server sends log messages. */
  setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    this._hasLogLevel = true;
    return this._done((client) => client.setLogLevel(level, this._native(options)), options);
  }

  /** Requests the messages of a prompt. */
  getPrompt(
    params: GetPromptRequest["params"],
    options?: RequestOptions,
  ): Promise<GetPromptResult> {
    return this._send("prompts/get", params, options);
  }

  /** Lists prompts: all of them, or one page if `cursor` is passed. */
  listPrompts(
    params?: ListPromptsRequest["params"],
    options?: CacheableRequestOptions,
  ): Promise<ListPromptsResult> {
    return this._list("prompts", "prompts", options, (client) =>
      client.listPrompts(params, this._paged(options)),
    );
  }

  /** Lists resources: all of them, or one page if `cursor` is passed. */
  listResources(
    params?: ListResourcesRequest["params"],
    options?: CacheableRequestOptions,
  ): Promise<ListResourcesResult> {
    return this._list("resources", "resources", options, (client) =>
      client.listResources(params, this._paged(options)),
    );
  }

  /** Lists resource templates: all of them, or one page if `cursor` is passed. */
  listResourceTemplates(
    params?: ListResourceTemplatesRequest["params"],
    options?: CacheableRequestOptions,
  ): Promise<ListResourceTemplatesResult> {
    return this._list("resourceTemplates", "resources", options, (client) =>
      client.listResourceTemplates(params, this._paged(options)),
    );
  }

  /** Reads a resource. */
  readResource(
    params: ReadResourceRequest["params"],
    options?: CacheableRequestOptions,
  ): Promise<ReadResourceResult> {
    return this._send("resources/read", params, options);
  }

  /** Subscribes to changes of a resource; sessions only. */
  subscribeResource(
    params: SubscribeRequest["params"],
    options?: RequestOptions,
  ): Promise<EmptyResult> {
    return this._send("resources/subscribe", params, options);
  }

  /** Ends the subscription of `subscribeResource`. */
  unsubscribeResource(
    params: UnsubscribeRequest["params"],
    options?: RequestOptions,
  ): Promise<EmptyResult> {
    return this._send("resources/unsubscribe", params, options);
  }

  /**
   * Opens a subscription in a stateless conversation.
   * @throws SdkError in sessions, whose servers send notifications without a subscription
   */
  async listen(filter: SubscriptionFilter, options: RequestOptions = {}): Promise<McpSubscription> {
    const client = this._connected();
    if (client.era === "handshake") {
      throw new SdkError(
        SdkErrorCode.MethodNotSupportedByProtocolVersion,
        `${client.revision} has no subscriptions/listen: set handlers of notifications, or listChanged`,
        { method: "subscriptions/listen", protocolVersion: client.revision },
      );
    }
    return this._subscribe(filter, options);
  }

  /**
   * Calls a tool. Structured content is validated if the tool has been listed.
   *
   * @param second - options; in version 1, a schema of the result comes before them
   */
  callTool(
    params: CallToolRequest["params"],
    options?: CallToolRequestOptions,
  ): Promise<CallToolResult>;
  callTool(
    params: CallToolRequest["params"],
    resultSchema?: StandardSchemaV1,
    options?: CallToolRequestOptions,
  ): Promise<CallToolResult>;
  async callTool(
    params: CallToolRequest["params"],
    second?: CallToolRequestOptions | StandardSchemaV1,
    third?: CallToolRequestOptions,
  ): Promise<CallToolResult> {
    const { toolDefinition, ...options } = (isSchema(second) ? third : (second ?? third)) ?? {};
    const own = toolDefinition ? { ...options, tool: toolDefinition } : options;
    const result = await this._send<CallToolResult>("tools/call", params, own);
    if ((result as { resultType?: string }).resultType !== "input_required") {
      await this._outputs.check(params.name, result, toolDefinition);
    }
    return result;
  }

  /** Lists tools: all of them, or one page if `cursor` is passed. */
  async listTools(
    params?: ListToolsRequest["params"],
    options?: CacheableRequestOptions,
  ): Promise<ListToolsResult> {
    const result: ListToolsResult = await this._list("tools", "tools", options, (client) =>
      client.listTools(params, this._paged(options)),
    );
    this._outputs.listed(result.tools);
    return result;
  }

  /** Notifies the server that the roots have changed. */
  sendRootsListChanged(): Promise<void> {
    return this.notification({ method: "notifications/roots/list_changed" });
  }

  /** Converts an error of the runtime to one of the SDK. */
  protected errorOf(error: unknown): unknown {
    return loginErrorIn(error) ?? sdkErrorOf(error);
  }

  /** Error of the SDK for a call that its caller aborted. */
  protected abortedBy({ reason }: Abort): unknown {
    if (reason instanceof SdkError) return reason;
    return new SdkError(SdkErrorCode.RequestTimeout, String(reason));
  }

  /** True if lists that the server does not support are empty, false if listing them fails. */
  protected get hasEmptyLists(): boolean {
    return true;
  }

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

  /** Requests every log message where each request has to: programs of the SDK have only a handler for them. */
  private _requestLogs(): void {
    if (this._client === undefined || this._client.era === "handshake" || this._hasLogLevel) return;
    if (this._handlers.hasNotification(LOG)) void this._client.setLogLevel("debug");
  }

  /**
   * Makes the server send change notifications for the lists in `listChanged`: by a subscription, or in the session.
   */
  private async _follow(): Promise<void> {
    const { listChanged } = this._options;
    const client = this._connected();
    if (listChanged === undefined) return;
    const lists = new ListRefresh(listChanged, (list) => this._fetch(list));
    this._lists = lists;
    if (client.era === "handshake") {
      for (const list of lists.lists) client.on(`${list}Changed`, () => lists.changed(list));
      return;
    }
    const declared = this.getServerCapabilities();
    const announced = lists.lists.filter((list) => declared?.[list]?.listChanged === true);
    if (announced.length === 0) return;
    const filter = Object.fromEntries(announced.map((list) => [`${list}ListChanged`, true]));
    this._subscription = await this._subscribe(filter, {}, (method) => {
      const list = LISTS[method];
      if (list) lists.changed(list);
    });
  }

  private async _subscribe(
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

  private async _fetch(list: ListName): Promise<unknown[]> {
    const fresh: CacheableRequestOptions = { cacheMode: "refresh" };
    switch (list) {
      case "tools":
        return (await this.listTools(undefined, fresh)).tools;
      case "prompts":
        return (await this.listPrompts(undefined, fresh)).prompts;
      case "resources":
        return (await this.listResources(undefined, fresh)).resources;
    }
  }

  /** @throws SdkError if the client is not connected */
  private _connected(): McpClient {
    if (this._client) return this._client;
    throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
  }

  private async _call<Answer>(
    send: (client: McpClient) => Promise<Answer>,
    options: RequestOptions | undefined,
  ): Promise<Answer> {
    const client = this._connected();
    const errors = this._errorsOf(options);
    try {
      return this._plain(client, await send(client));
    } catch (error) {
      throw this._converted(errors.of(error));
    }
  }

  /** Requests a list, which is empty if the server does not support it and the SDK version behaves so. */
  private async _list<Listed>(
    member: string,
    capability: keyof ServerCapabilities,
    options: RequestOptions | undefined,
    send: (client: Untyped<McpClient>) => Promise<Listed>,
  ): Promise<Listed> {
    const client = this._connected();
    const isEmpty = this.hasEmptyLists && !this._options.enforceStrictCapabilities;
    if (isEmpty && !(capability in client.server.capabilities)) return { [member]: [] } as Listed;
    return this._call((native) => send(untyped(native)), options);
  }

  private _errorsOf(options: RequestOptions | undefined): CallErrors {
    return new CallErrors(options?.signal, this._options.enforceStrictCapabilities === true);
  }

  private _converted(error: unknown): unknown {
    return error instanceof Abort ? this.abortedBy(error) : this.errorOf(error);
  }

  private _plain<Answer>({ era }: McpClient, result: Answer): Answer {
    return plainResult(result, era === "handshake");
  }

  private async _done(
    send: (client: McpClient) => Promise<unknown>,
    options: RequestOptions | undefined,
  ): Promise<EmptyResult> {
    await this._call(send, options);
    return {};
  }

  private _send<Answer>(
    method: string,
    params: object | undefined,
    options: CacheableRequestOptions | undefined,
  ): Promise<Answer> {
    const request = (client: McpClient): Promise<unknown> =>
      untyped(client).request(method, params, this._native(options));
    return this._call(request, options) as Promise<Answer>;
  }

  private _paged(options: CacheableRequestOptions | undefined): object {
    const { listMaxPages } = this._options;
    return {
      ...this._native(options),
      ...(listMaxPages === undefined ? {} : { maxPages: listMaxPages }),
    };
  }

  /** Converts request options to those of the runtime. */
  private _native(options: CacheableRequestOptions = {}): object {
    const {
      cacheMode = "use",
      allowInputRequired = false,
      resumptionToken: token,
      onresumptiontoken: ontoken,
      relatedRequestId: _,
      ...others
    } = options;
    const isManual = allowInputRequired || this._options.inputRequired?.autoFulfill === false;
    return {
      ...others,
      cache: CACHE_MODES[cacheMode],
      ...(token === undefined && !ontoken ? {} : { resumption: { token, ontoken } }),
      ...(isManual ? { rounds: "manual" } : {}),
    };
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

/** Negotiation with a known server. @throws SdkError if the value does not describe one */
function modeFor(prior: PriorDiscovery): VersionNegotiationMode {
  if (prior.kind === "legacy") return "legacy";
  if (prior.kind === "modern" && typeof prior.discover === "object") return "auto";
  const text = "prior is { kind: 'modern', discover } or { kind: 'legacy' }";
  throw new SdkError(SdkErrorCode.EraNegotiationFailed, text);
}
