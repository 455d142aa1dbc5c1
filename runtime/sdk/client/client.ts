import { ClientConnection, type McpSubscription } from "./client-connection.js";
import type { McpClient } from "@mcp-codegen/universal";
import {
  type CallToolRequest,
  type CallToolResult,
  type ClientCapabilities,
  type CompleteRequest,
  type CompleteResult,
  type DiscoverResult,
  type EmptyResult,
  type GetPromptRequest,
  type GetPromptResult,
  type ListPromptsRequest,
  type ListPromptsResult,
  type ListResourcesRequest,
  type ListResourcesResult,
  type ListResourceTemplatesRequest,
  type ListResourceTemplatesResult,
  type ListToolsRequest,
  type ListToolsResult,
  type LoggingLevel,
  type Notification,
  type NotificationMethod,
  type NotificationTypeMap,
  type ReadResourceRequest,
  type ReadResourceResult,
  type RequestMethod,
  type RequestOptions,
  type RequestTypeMap,
  type Result,
  type ResultTypeMap,
  SdkError,
  SdkErrorCode,
  type ServerCapabilities,
  type StandardSchemaV1,
  type SubscribeRequest,
  type SubscriptionFilter,
  type UnsubscribeRequest,
} from "../shared/index.js";
import {
  type Ask,
  requestThrough,
  type Callback,
  isSchema,
  type ListName,
  messageCallback,
  methodOf,
  notifyThrough,
  type OwnSchemas,
  type Untyped,
  untyped,
} from "../shared/internal/index.js";
import {
  type ClientHandlerContext,
  type NotificationCallback,
  type RequestCallback,
} from "./handlers.js";
import { Abort, CallErrors, plainResult } from "./call-results.js";
import type { CacheableRequestOptions, CallToolRequestOptions } from "./client-options.js";

const CACHE_MODES = { use: "default", refresh: "reload", bypass: "no-store" } as const;

const NEEDED: Readonly<Record<string, keyof ClientCapabilities>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
};

/**
 * Client with the interface of the official SDK, versions 1 and 2. Like the SDK's client, it opens a session unless
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
export class Client extends ClientConnection {
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

  /**
   * Sets the handler of a server request. The request is identified by its method, by a schema with the method as
   * a literal (version 1), or by the method and the schemas of a custom request.
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
    second: OwnSchemas | Callback,
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
    this._handlers.setRequest(method, messageCallback(which, "request", second, handler));
  }

  /** Sets the handler of a server notification, identified in the same three ways. */
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
    second: OwnSchemas | Callback,
    handler?: Callback,
  ): void {
    const method = typeof which === "string" ? which : methodOf(which);
    this._handlers.setNotification(method, messageCallback(which, "notification", second, handler));
    this._requestLogs();
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

  /** Sends any request. If a schema is passed, it validates the result. */
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
        const own = this._native(cacheOptions, errors.signal);
        const result: unknown = await untyped(client).request(method, params, own);
        return typeof method === "string" ? this._plain(client, result) : result;
      } catch (error) {
        throw errors.of(error);
      } finally {
        errors.release();
      }
    };
    return requestThrough({ request, notify: undefined }, (error) => this._converted(error));
  }

  /** Sends any notification. */
  notification(notification: Notification, _options?: object): Promise<void> {
    const send = notifyThrough(this._connected());
    return this._debounce(notification, () => send(notification));
  }

  /** Pings the server. */
  ping(options?: RequestOptions): Promise<EmptyResult> {
    return this._send("ping", undefined, options);
  }

  /** Discovers the server's capabilities. */
  discover(options?: RequestOptions): Promise<DiscoverResult> {
    return this._send("server/discover", undefined, options);
  }

  /** Requests suggestions for an argument of a prompt, or for a variable of a resource template. */
  complete(params: CompleteRequest["params"], options?: RequestOptions): Promise<CompleteResult> {
    return this._send("completion/complete", params, options);
  }

  /** Sets the lowest level of the log messages that the server sends. */
  setLoggingLevel(level: LoggingLevel, options?: RequestOptions): Promise<EmptyResult> {
    this._hasLogLevel = true;
    return this._done(
      (client, signal) => client.setLogLevel(level, this._native(options, signal)),
      options,
    );
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
    return this._list("prompts", "prompts", options, (client, signal) =>
      client.listPrompts(params, this._paged(options, signal)),
    );
  }

  /** Lists resources: all of them, or one page if `cursor` is passed. */
  listResources(
    params?: ListResourcesRequest["params"],
    options?: CacheableRequestOptions,
  ): Promise<ListResourcesResult> {
    return this._list("resources", "resources", options, (client, signal) =>
      client.listResources(params, this._paged(options, signal)),
    );
  }

  /** Lists resource templates: all of them, or one page if `cursor` is passed. */
  listResourceTemplates(
    params?: ListResourceTemplatesRequest["params"],
    options?: CacheableRequestOptions,
  ): Promise<ListResourceTemplatesResult> {
    return this._list("resourceTemplates", "resources", options, (client, signal) =>
      client.listResourceTemplates(params, this._paged(options, signal)),
    );
  }

  /** Reads a resource. */
  readResource(
    params: ReadResourceRequest["params"],
    options?: CacheableRequestOptions,
  ): Promise<ReadResourceResult> {
    return this._send("resources/read", params, options);
  }

  /** Subscribes to changes to a resource. Available in sessions only. */
  subscribeResource(
    params: SubscribeRequest["params"],
    options?: RequestOptions,
  ): Promise<EmptyResult> {
    return this._send("resources/subscribe", params, options);
  }

  /** Ends a subscription that `subscribeResource` started. */
  unsubscribeResource(
    params: UnsubscribeRequest["params"],
    options?: RequestOptions,
  ): Promise<EmptyResult> {
    return this._send("resources/unsubscribe", params, options);
  }

  /**
   * Opens a subscription in a stateless conversation.
   *
   * @throws SdkError in a session, where servers send notifications without a subscription
   */
  async listen(filter: SubscriptionFilter, options: RequestOptions = {}): Promise<McpSubscription> {
    const client = this._connected();
    if (client.era === "session") {
      throw new SdkError(
        SdkErrorCode.MethodNotSupportedByProtocolVersion,
        `${client.revision} has no subscriptions/listen: use resources/subscribe, handlers of notifications, or listChanged`,
        { method: "subscriptions/listen", protocolVersion: client.revision },
      );
    }
    return this._subscribe(filter, options);
  }

  /**
   * Calls a tool. Structured content is validated if the tool has been listed, or if its definition is passed. In
   * version 1, a result schema precedes the options.
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
    const { toolDefinition, task, ...options } =
      (isSchema(second) ? third : (second ?? third)) ?? {};
    const own = toolDefinition ? { ...options, tool: toolDefinition } : options;
    const client = this._connected();
    if (task) return this._send("tools/call", { ...params, task }, own);
    const check = await this._outputs.checkOf(params.name, toolDefinition);
    const result = await this._send<CallToolResult>("tools/call", params, own);
    const { resultType } = result as { resultType?: string };
    if (resultType !== "input_required") check?.(result);
    else if (options.allowInputRequired !== true && client.era !== "session") {
      const data = { resultType, method: "tools/call" };
      const text =
        "Unsupported result type: input_required (pass allowInputRequired to receive it)";
      throw new SdkError(SdkErrorCode.UnsupportedResultType, text, data);
    }
    return result;
  }

  /** Lists tools: all of them, or one page if `cursor` is passed. */
  async listTools(
    params?: ListToolsRequest["params"],
    options?: CacheableRequestOptions,
  ): Promise<ListToolsResult> {
    const result: ListToolsResult = await this._list("tools", "tools", options, (client, signal) =>
      client.listTools(params, this._paged(options, signal)),
    );
    this._outputs.listed(result.tools);
    return result;
  }

  /** Notifies the server that the roots have changed. */
  sendRootsListChanged(): Promise<void> {
    return this.notification({ method: "notifications/roots/list_changed" });
  }

  private async _call<Answer>(
    send: (client: McpClient, signal: AbortSignal | undefined) => Promise<Answer>,
    options: RequestOptions | undefined,
  ): Promise<Answer> {
    const client = this._connected();
    const errors = this._errorsOf(options);
    try {
      return this._plain(client, await send(client, errors.signal));
    } catch (error) {
      throw this._converted(errors.of(error));
    } finally {
      errors.release();
    }
  }

  /**
   * Requests a list. If the server does not support the list, returns an empty one, unless capabilities are enforced
   * strictly or this version of the SDK fails in that case.
   */
  private async _list<Listed>(
    member: string,
    capability: keyof ServerCapabilities,
    options: RequestOptions | undefined,
    send: (client: Untyped<McpClient>, signal: AbortSignal | undefined) => Promise<Listed>,
  ): Promise<Listed> {
    const client = this._connected();
    const isEmpty = this.hasEmptyLists && !this._options.enforceStrictCapabilities;
    if (isEmpty && !(capability in client.server.capabilities)) return { [member]: [] } as Listed;
    return this._call((native, signal) => send(untyped(native), signal), options);
  }

  private _errorsOf(options: RequestOptions | undefined): CallErrors {
    return new CallErrors(options?.signal, this._options.enforceStrictCapabilities === true);
  }

  private _converted(error: unknown): unknown {
    return error instanceof Abort ? this.abortedBy(error) : this.errorOf(error);
  }

  private _plain<Answer>({ era }: McpClient, result: Answer): Answer {
    return plainResult(result, era === "session");
  }

  private async _done(
    send: (client: McpClient, signal: AbortSignal | undefined) => Promise<unknown>,
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
    const request = (client: McpClient, signal: AbortSignal | undefined): Promise<unknown> =>
      untyped(client).request(method, params, this._native(options, signal));
    return this._call(request, options) as Promise<Answer>;
  }

  private _paged(
    options: CacheableRequestOptions | undefined,
    signal: AbortSignal | undefined,
  ): object {
    const { listMaxPages } = this._options;
    return {
      ...this._native(options, signal),
      ...(listMaxPages === undefined ? {} : { maxPages: listMaxPages }),
    };
  }

  private _native(
    options: CacheableRequestOptions = {},
    signal: AbortSignal | undefined = undefined,
  ): object {
    const {
      cacheMode = "use",
      allowInputRequired = false,
      resumptionToken: token,
      onresumptiontoken: ontoken,
      relatedRequestId: _,
      signal: _signal,
      ...others
    } = options;
    const isManual = allowInputRequired || this._options.inputRequired?.autoFulfill === false;
    return {
      ...others,
      ...(signal ? { signal } : {}),
      cache: CACHE_MODES[cacheMode],
      ...(token === undefined && !ontoken ? {} : { resumption: { token, ontoken } }),
      ...(isManual ? { rounds: "manual" } : {}),
    };
  }

  protected override async _fetch(list: ListName): Promise<unknown[]> {
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
}
