import { customNotification, customRequest } from "@mcp-codegen/runtime";
import {
  type ClientCapabilities,
  type CreateMessageRequest,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequestFormParams,
  type ElicitRequestURLParams,
  type ElicitResult,
  type EmptyResult,
  type HandlerResultTypeMap,
  type Implementation,
  type ListRootsRequest,
  type ListRootsResult,
  type LoggingMessageNotification,
  mergeCapabilities,
  type Notification,
  type NotificationMethod,
  type NotificationOptions,
  type NotificationTypeMap,
  ProtocolError,
  ProtocolErrorCode,
  type Request,
  type RequestMethod,
  type RequestOptions,
  type RequestTypeMap,
  type ResourceUpdatedNotification,
  type Result,
  SdkError,
  SdkErrorCode,
  type ServerCapabilities,
  type StandardSchemaV1,
  type Transport,
} from "../shared/index.js";
import { type Connection, Definition, type NativeContext, serveOver } from "./connection.js";
import {
  type Ask,
  askThrough,
  type Callback,
  isCustom,
  methodOf,
  parsedBy,
  tellThrough,
  untyped,
} from "../shared/internal/index.js";
import { isOfEngine, observeEngine } from "./wrapped-transports.js";
import { invalid } from "./request-state-codec.js";
import { contextOf, type ServerContext } from "./server-context.js";
import { definitionOptions, type SealedOptions, type ServerOptions } from "./server-options.js";

type NativeCallback = (params: unknown, native: NativeContext) => unknown;

/** Schemas of a custom message. */
interface OwnSchemas {
  readonly params: StandardSchemaV1;
  readonly result?: StandardSchemaV1 | undefined;
}

type Verify = (state: string, ctx: ServerContext) => unknown;

const CALL = "tools/call";
const INITIALIZED = "notifications/initialized";
const LIST_CHANGED = /^notifications\/(tools|prompts|resources)\/list_changed$/;
const UPDATED = "notifications/resources/updated";

/**
 * A server with handlers by method, like that of the official SDK. It serves all revisions: handlers receive messages
 * of the newest one. The property `server` of an `McpServer` is one.
 */
export class Server {
  /** Called when the client of a session is ready. */
  oninitialized?: (() => void) | undefined;
  /** Called when the connection has ended. */
  onclose?: (() => void) | undefined;
  /** Called with errors that no request can report. */
  onerror?: ((error: Error) => void) | undefined;
  /** Ids of the supported revisions; hosts of the SDK read them to check that a server supports the newest. */
  protected readonly _supportedProtocolVersions: readonly string[];
  private readonly _callbacks = new Map<
    string,
    (params: unknown, native: NativeContext) => unknown
  >();
  private readonly _capabilities: Record<string, unknown>;
  private readonly _definition: Definition;
  private readonly _sealed: SealedOptions;
  private readonly _verify: Verify | undefined;
  private _connection: Connection | undefined;
  private _transport: Transport | undefined;
  private _latest: NativeContext | undefined;

  /**
   * @param info - name and version, sent to clients
   * @param options - capabilities, instructions and limits
   */
  constructor(info: Implementation, options: ServerOptions = {}) {
    this._capabilities = { logging: false, ...options.capabilities };
    this._verify = options.requestState?.verify;
    const report = (error: Error): void => {
      this.onerror?.(error);
    };
    this._sealed = definitionOptions(options, this._capabilities, report);
    this._definition = new Definition(
      info as ConstructorParameters<typeof Definition>[0],
      this._sealed,
    );
    this._supportedProtocolVersions = this._definition.revisions.map(({ id }) => id);
  }

  /** Server of the runtime behind this one: for `createHttpHandler` and other functions that accept one. */
  get definition(): Definition {
    return this._definition;
  }

  /** Transport passed to `connect`, while it is open. */
  get transport(): Transport | undefined {
    return this._transport;
  }

  /**
   * Lets this server seal the state of rounds with the secret of other servers, before its first use, so that they
   * can open each other's state. A configured secret takes precedence.
   */
  shareRounds(key: Uint8Array): void {
    this._sealed.rounds.keys ??= [key];
  }

  /** A server with the same definition for one more connection. */
  fork(): Connection {
    return this._definition.fork();
  }

  /**
   * Serves over a transport; resolves when the transport has started.
   * @throws SdkError if the server is already connected
   */
  async connect(transport: Transport): Promise<void> {
    if (this._transport) {
      throw new SdkError(
        SdkErrorCode.AlreadyConnected,
        "This server is already connected: close it first, or create one server for each connection",
      );
    }
    this._transport = transport;
    const connection = this._definition.fork();
    observeEngine(connection, (method) => {
      const own = isOfEngine(method) ? this._callbacks.get(method) : undefined;
      return own ?? (method === INITIALIZED ? () => this.oninitialized?.() : undefined);
    });
    this._connection = connection;
    try {
      const { ended } = await serveOver(transport, this._definition, connection, (error) =>
        this.onerror?.(error),
      );
      void ended.then(() => this._ended(connection));
    } catch (error) {
      this._forget();
      throw error;
    }
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    const transport = this._transport;
    await this._connection?.close();
    await transport?.close();
  }

  /**
   * Declares additional capabilities.
   * @throws SdkError if the server is already connected
   */
  registerCapabilities(capabilities: ServerCapabilities): void {
    if (this._transport) {
      throw new SdkError(
        SdkErrorCode.AlreadyConnected,
        "Capabilities are sent to clients when they connect: register them before",
      );
    }
    const merged = mergeCapabilities(this._capabilities as ServerCapabilities, capabilities);
    Object.assign(this._capabilities, merged);
  }

  /** Capabilities that were declared or registered. */
  getCapabilities(): ServerCapabilities {
    const declared = Object.entries(this._capabilities).filter(([, value]) => value !== false);
    return Object.fromEntries(declared);
  }

  /** Capabilities of the client: those of the session, otherwise those of the latest request. */
  getClientCapabilities(): ClientCapabilities | undefined {
    return (
      this._connection?.client?.capabilities ??
      (this._latest?.client.capabilities as ClientCapabilities | undefined)
    );
  }

  /** Name and version of the client, as it sent them. */
  getClientVersion(): Implementation | undefined {
    const info = this._connection?.client?.info ?? this._latest?.client.info;
    return info as Implementation | undefined;
  }

  /** Id of the negotiated revision; undefined before the first message of a client. */
  getNegotiatedProtocolVersion(): string | undefined {
    return this._connection?.revision ?? this._latest?.revision;
  }

  /**
   * Sets the handler of a request: by its method, by a schema with the method as a literal (version 1), or by the
   * method and schemas of a custom request.
   * @throws TypeError if clients never send the request
   */
  setRequestHandler<Method extends RequestMethod>(
    method: Method,
    handler: (
      request: RequestTypeMap[Method],
      ctx: ServerContext,
    ) => HandlerResultTypeMap[Method] | Promise<HandlerResultTypeMap[Method]>,
  ): void;
  setRequestHandler<Schema extends StandardSchemaV1 & object>(
    schema: Schema,
    handler: (
      request: StandardSchemaV1.InferOutput<Schema>,
      ctx: ServerContext,
    ) => Result | Promise<Result>,
  ): void;
  setRequestHandler<
    Params extends StandardSchemaV1,
    Outcome extends StandardSchemaV1 | undefined = undefined,
  >(
    method: string,
    schemas: { params: Params; result?: Outcome },
    handler: (
      params: StandardSchemaV1.InferOutput<Params>,
      ctx: ServerContext,
    ) => OutcomeOf<Outcome> | Promise<OutcomeOf<Outcome>>,
  ): void;
  setRequestHandler(
    which: string | object,
    second: OwnSchemas | Callback,
    handler?: Callback,
  ): void {
    const method = typeof which === "string" ? which : methodOf(which);
    if (typeof second !== "function") {
      this._handleOwn(method, second, handler!);
    } else if (typeof which !== "string") {
      this._handle(method, async (params, native) => {
        const request = isCustom(method)
          ? await parsedBy(which as StandardSchemaV1, { method, params }, `request ${method}`)
          : { method, params };
        return second(request, await this.contextFor(native));
      });
    } else {
      this._handle(method, (params, native) => {
        const request = { method, params };
        const ctx = this.contextFor(native);
        return ctx instanceof Promise
          ? ctx.then((own) => second(request, own))
          : second(request, ctx);
      });
    }
  }

  /** Sets the handler of a notification, in the same three ways. */
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
    this._handle(
      method,
      async (params) => {
        const notification = { method, params } as Notification;
        if (typeof second === "function") return second(notification);
        const parsed = await parsedBy(second.params, params ?? {}, `params of ${method}`);
        return handler!(parsed, notification);
      },
      "notification",
    );
  }

  /** Removes the handler of a request: registrations answer it, or it fails with -32601. */
  removeRequestHandler(method: string): void {
    this._callbacks.delete(method);
  }

  /** Removes the handler of a notification. */
  removeNotificationHandler(method: string): void {
    this._callbacks.delete(method);
  }

  /** @throws Error if the request already has a handler */
  assertCanSetRequestHandler(method: string): void {
    if (this._callbacks.has(method)) {
      throw new Error(`${method} has a handler already, which would be replaced`);
    }
  }

  /**
   * Sends a request to the client of the session. Inside a handler, use its context, which works with every revision.
   */
  get request(): Ask {
    return askThrough(this._session("request"));
  }

  /**
   * Sends a notification to the client of the session; stateless clients receive it, too, if they can subscribe to
   * it.
   */
  async notification(notification: Notification): Promise<void> {
    if (this._isStateless && this._publish(notification)) return;
    await tellThrough(this._session("notification"))(notification);
  }

  /** Pings the client of the session. */
  ping(options?: RequestOptions): Promise<EmptyResult> {
    return this._send("ping", undefined, options);
  }

  /** Requests sampling from the session's client. */
  createMessage(
    params: CreateMessageRequest["params"],
    options?: RequestOptions,
  ): Promise<CreateMessageResult & CreateMessageResultWithTools> {
    return this._send("sampling/createMessage", params, options);
  }

  /** Asks the user of the session's client to fill in a form, or to open a web page. */
  elicitInput(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: RequestOptions,
  ): Promise<ElicitResult> {
    return this._send("elicitation/create", params, options);
  }

  /** Lists the roots of the session's client. */
  listRoots(
    params?: ListRootsRequest["params"],
    options?: RequestOptions,
  ): Promise<ListRootsResult> {
    return this._send("roots/list", params, options);
  }

  /** Returns a function that notifies clients that the user has completed a URL elicitation. */
  createElicitationCompletionNotifier(
    elicitationId: string,
    _options?: NotificationOptions,
  ): () => Promise<void> {
    return this._definition.createElicitationCompletionNotifier(elicitationId);
  }

  /** Sends a log message to the clients of sessions; stateless clients do not receive it. */
  async sendLoggingMessage(params: LoggingMessageNotification["params"]): Promise<void> {
    await untyped(this._definition).sendLoggingMessage(params);
  }

  /** Notifies subscribers of a resource that it has changed. */
  async sendResourceUpdated(params: ResourceUpdatedNotification["params"]): Promise<void> {
    const { uri, _meta: meta } = params;
    // A handler of subscription requests tracks subscriptions itself, so the notification is sent without a filter.
    const isKept = this._callbacks.has("resources/subscribe");
    if (isKept && this._connection?.client) await this.notification({ method: UPDATED, params });
    else untyped(this._definition).resourceUpdated(uri, meta);
  }

  /** Notifies clients that the list of resources has changed. */
  async sendResourceListChanged(): Promise<void> {
    this._definition.sendResourceListChanged();
  }

  /** Notifies clients that the list of tools has changed. */
  async sendToolListChanged(): Promise<void> {
    this._definition.sendToolListChanged();
  }

  /** Notifies clients that the list of prompts has changed. */
  async sendPromptListChanged(): Promise<void> {
    this._definition.sendPromptListChanged();
  }

  /** Context of a request for its handler; a promise if the handler's state has to be read first. */
  contextFor(native: NativeContext): ServerContext | Promise<ServerContext> {
    this._latest = native;
    const { state } = native;
    if (this._verify === undefined || typeof state !== "string") return contextOf(native);
    return this._verified(native, state, this._verify);
  }

  /** @throws ProtocolError -32602 if the state is rejected */
  private async _verified(
    native: NativeContext,
    state: string,
    verify: Verify,
  ): Promise<ServerContext> {
    try {
      const value = await verify(state, contextOf(native));
      return contextOf(native, value === undefined ? state : value);
    } catch (error) {
      this.onerror?.(error as Error);
      throw invalid();
    }
  }

  private _handleOwn(method: string, { params: schema }: OwnSchemas, handler: Callback): void {
    this._handle(method, async (params, native) => {
      const parsed = await parsedBy(schema, params ?? {}, `params of ${method}`);
      return handler(parsed, await this.contextFor(native));
    });
  }

  private _handle(
    method: string,
    callback: (params: unknown, native: NativeContext) => unknown,
    kind: "request" | "notification" = "request",
  ): void {
    const isNew = !this._callbacks.has(method);
    this._callbacks.set(method, callback);
    if (!isNew || isOfEngine(method)) return;
    const call = (params: unknown, native: NativeContext, next?: () => unknown): unknown => {
      const current = this._callbacks.get(method);
      if (current)
        return method === CALL ? asErrors(current, params, native) : current(params, native);
      if (next) return next();
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
    };
    const definition = untyped(this._definition);
    if (!isCustom(method)) definition.setHandler(method, call);
    else if (kind === "request") definition.onCustom(customRequest(method), call);
    else definition.onCustom(customNotification(method), call);
  }

  private async _send<Answer>(
    method: string,
    params: object | undefined,
    options: RequestOptions | undefined,
  ): Promise<Answer> {
    const send = askThrough(this._session(method)) as (
      request: Request,
      options?: RequestOptions,
    ) => Promise<Answer>;
    return send({ method, params } as Request, options);
  }

  private get _isStateless(): boolean {
    return this._latest?.traits.lifecycle === "discover";
  }

  /** Notifies subscriptions of a change; returns false for any other notification. */
  private _publish({ method, params }: Notification): boolean {
    if (method === UPDATED) {
      const { uri, _meta: meta } = params as ResourceUpdatedNotification["params"];
      untyped(this._definition).resourceUpdated(uri, meta);
      return true;
    }
    const list = LIST_CHANGED.exec(method)?.[1];
    if (list === "tools") this._definition.sendToolListChanged();
    else if (list === "prompts") this._definition.sendPromptListChanged();
    else if (list === "resources") this._definition.sendResourceListChanged();
    else return false;
    return true;
  }

  /** @throws SdkError if there is no session whose client could receive a request */
  private _session(what: string): Connection {
    const connection = this._connection;
    if (connection && !this._isStateless) return connection;
    throw connection
      ? new SdkError(
          SdkErrorCode.MethodNotSupportedByProtocolVersion,
          `${what}: a stateless client accepts requests only while it waits for a result; use ctx.mcpReq of the handler`,
        )
      : new SdkError(SdkErrorCode.NotConnected, `${what}: this server has no connection`);
  }

  private _ended(connection: Connection): void {
    if (this._connection !== connection) return;
    this._forget();
    this.onclose?.();
  }

  private _forget(): void {
    this._transport = undefined;
    this._connection = undefined;
  }
}

/** Calls a tool handler whose errors fail the request; the tools of an `McpServer` return them as results. */
async function asErrors(
  callback: NativeCallback,
  params: unknown,
  native: NativeContext,
): Promise<unknown> {
  try {
    return await callback(params, native);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    const { code, message = String(error) } = error as { code?: unknown; message?: string };
    const known = Number.isSafeInteger(code) ? (code as number) : ProtocolErrorCode.InternalError;
    throw new ProtocolError(known, message);
  }
}

/** Result of a handler for a custom request. */
export type OutcomeOf<Schema extends StandardSchemaV1 | undefined> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<Schema>
  : Result;
