import { customNotification, customRequest } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal";
import {
  type ClientCapabilities,
  type HandlerResultTypeMap,
  type Implementation,
  type ListChangedHandlers,
  mergeCapabilities,
  type Notification,
  type NotificationMethod,
  type NotificationTypeMap,
  ProtocolError,
  ProtocolErrorCode,
  reportOf,
  type RequestMethod,
  type RequestTypeMap,
  type Result,
  SdkError,
  SdkErrorCode,
  type ServerCapabilities,
  type StandardSchemaV1,
  type Transport,
} from "../shared/index.js";
import { type Connection, Definition, type NativeContext, serveOver } from "./connection.js";
import {
  type Callback,
  debounce,
  type Debounce,
  isCustom,
  messageCallback,
  methodOf,
  type OwnSchemas,
  type Requester,
  untyped,
} from "../shared/internal/index.js";
import { ClientMessages } from "./client-messages.js";
import { errorMessages } from "./error-messages.js";
import { isOfEngine, observeEngine } from "./wrapped-transports.js";
import { noteReplaced, type RequestHandlers, requestHandlersOf } from "./request-handlers.js";
import { byServerOfRequest } from "./request-server.js";
import { invalid } from "./request-state-codec.js";
import { contextOf, paramsOf, type ServerContext } from "./server-context.js";
import { ExperimentalServerTasks } from "./tasks/server-tasks.js";
import { definitionOptions, type SealedOptions, type ServerOptions } from "./server-options.js";

type NativeCallback = (params: unknown, native: NativeContext) => unknown;

type ListName = keyof ListChangedHandlers;
type Verify = (state: string, ctx: ServerContext) => unknown;

const CALL = "tools/call";
const SUBSCRIBE = "resources/subscribe";
const UNSUBSCRIBE = "resources/unsubscribe";
const ROOTS_CHANGED = "notifications/roots/list_changed";
/** Capabilities with lists for which a server announces changes. */
const LISTED = new Set(
  revisions
    .flatMap(({ methods }) => [...methods.values()])
    .filter(({ from }) => from !== "client")
    .flatMap(({ method }) => /^notifications\/(\w+)\/list_changed$/.exec(method)?.[1] ?? []),
);
const INITIALIZED = "notifications/initialized";

/**
 * A server with one handler per method and the official SDK's interface. It serves all revisions, and passes messages
 * to handlers in the form of the newest revision. The `server` property of an `McpServer` is such a server.
 */
export class Server extends ClientMessages {
  /** Called when a client has opened its session. */
  oninitialized?: (() => void) | undefined;
  /** Called when the connection has ended. */
  onclose?: (() => void) | undefined;
  /** Called with errors that cannot be reported to any request. */
  onerror?: ((error: Error) => void) | undefined;
  /**
   * The ids of the supported revisions. Hosts of the SDK read them to check that a server supports the newest revision.
   */
  protected readonly _supportedProtocolVersions: readonly string[];
  private readonly _callbacks = new Map<
    string,
    (params: unknown, native: NativeContext) => unknown
  >();
  private _declared: ServerCapabilities;
  /** The capabilities, which are shared with the runtime and changed in place. */
  private readonly _capabilities: Record<string, unknown>;
  protected override readonly _definition: Definition;
  private readonly _sealed: SealedOptions;
  protected override readonly _isStrict: boolean;
  protected override readonly _debounce: Debounce;
  private readonly _verify: Verify | undefined;
  private readonly _bound = new Set<string>();
  private readonly _implied = new Set<string>();
  private _transport: Transport | undefined;
  private _experimental: { readonly tasks: ExperimentalServerTasks } | undefined;

  /**
   * @param info - name and version, sent to clients
   * @param options - capabilities, instructions and limits
   */
  constructor(info: Implementation, options: ServerOptions = {}) {
    super();
    this._declared = { ...options.capabilities };
    this._capabilities = { logging: false };
    this._declare(this._declared);
    this._isStrict = options.enforceStrictCapabilities === true;
    this._verify = options.requestState?.verify;
    const report = (error: Error): void => {
      this.onerror?.(reportOf(error));
    };
    this._debounce = debounce(options.debouncedNotificationMethods, report);
    const middleware = [
      byServerOfRequest(() => this._definition),
      ...(options.tellErrors === false ? [] : [errorMessages]),
      ...(options.middleware ?? []),
    ];
    this._sealed = definitionOptions({ ...options, middleware }, this._capabilities, report);
    this._definition = new Definition(
      info as ConstructorParameters<typeof Definition>[0],
      this._sealed,
    );
    // Programs may also set these handlers after the server has connected.
    this._bind(ROOTS_CHANGED, "notification");
    if (this._declared.resources?.subscribe) {
      for (const method of [SUBSCRIBE, UNSUBSCRIBE]) this._bind(method, "request");
    }
    this._supportedProtocolVersions = this._definition.revisions.map(({ id }) => id);
  }

  /**
   * The runtime server behind this one. Pass it to `createHttpHandler` and other functions that accept a runtime
   * server.
   */
  get definition(): Definition {
    return this._definition;
  }

  /** Sends requests that the client runs as tasks. */
  get experimental(): { readonly tasks: ExperimentalServerTasks } {
    this._experimental ??= { tasks: new ExperimentalServerTasks(this as unknown as Requester) };
    return this._experimental;
  }

  /** The transport passed to `connect`, while it is open. */
  get transport(): Transport | undefined {
    return this._transport;
  }

  /**
   * Makes this server seal the state of rounds with the secret of other servers, so that they can open each other's
   * states. Must be called before the server is first used. A configured secret takes precedence.
   */
  shareRounds(key: Uint8Array): void {
    this._sealed.rounds.keys ??= [key];
  }

  /** Returns a server for another connection, with the same definition. */
  fork(): Connection {
    const connection = this._definition.fork();
    if (this.hasOpening) this._observe(connection);
    return connection;
  }

  /**
   * True if the program has handlers for messages that the engine also handles, such as those that open a
   * session.
   */
  get hasOpening(): boolean {
    return this.oninitialized !== undefined || [...this._callbacks.keys()].some(isOfEngine);
  }

  /**
   * Starts serving over a transport. Resolves when the transport has started.
   *
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
    this._observe(connection);
    this._connection = connection;
    try {
      const { ended } = await serveOver(transport, this, connection, (error) =>
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
        "Cannot register capabilities after connecting to transport",
      );
    }
    this._declared = mergeCapabilities(this._declared, capabilities);
    this._declare(this._declared);
  }

  /** Declares the capability that a registration needs, unless it has already been declared. */
  imply(name: ListName): void {
    if (this._implied.has(name)) return;
    this._implied.add(name);
    const { listChanged = true, ...others } = this._declared[name] ?? {};
    if (this._transport && this._declared[name]) return;
    this.registerCapabilities({ [name]: { ...others, listChanged } });
  }

  /** True if the program has set its own handler. */
  override hasHandler(method: string): boolean {
    return this._callbacks.has(method);
  }

  /** Returns the capabilities that the program has declared or that its registrations imply. */
  getCapabilities(): ServerCapabilities {
    return this._declared;
  }

  /** Returns the client's capabilities: those of the session, or else those in the latest request. */
  getClientCapabilities(): ClientCapabilities | undefined {
    return (
      this._connection?.client?.capabilities ??
      (this._latest?.client.capabilities as ClientCapabilities | undefined)
    );
  }

  /** Returns the client's name and version. */
  getClientVersion(): Implementation | undefined {
    const info = this._connection?.client?.info ?? this._latest?.client.info;
    return info as Implementation | undefined;
  }

  /** Returns the id of the negotiated revision, or undefined before the client's first message. */
  getNegotiatedProtocolVersion(): string | undefined {
    return this._connection?.revision ?? this._latest?.revision;
  }

  /**
   * Sets a request handler. The request is identified by its method, by a schema with the method as a literal (version
   * 1), or by the method and the schemas of a custom request.
   *
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
    const callback = messageCallback(which, "request", second, handler);
    this._handle(method, (params, native) => {
      const request = { method, params: paramsOf(params) };
      const ctx = this.contextFor(native);
      return ctx instanceof Promise
        ? ctx.then((own) => callback(request, own))
        : callback(request, ctx);
    });
  }

  /** Sets a notification handler. The notification is identified in the same three ways. */
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
    const receive = messageCallback(which, "notification", second, handler);
    this._handle(method, async (params) => receive({ method, params }), "notification");
  }

  /** Removes a request handler. Later requests are answered from the registrations, or fail with -32601. */
  removeRequestHandler(method: string): void {
    this._callbacks.delete(method);
  }

  /** Removes a notification handler. */
  removeNotificationHandler(method: string): void {
    this._callbacks.delete(method);
  }

  /** @throws Error if the request already has a handler */
  assertCanSetRequestHandler(method: string): void {
    if (this._callbacks.has(method)) {
      throw new Error(`${method} has a handler already, which would be replaced`);
    }
  }

  /** The handlers by method. The official SDK keeps them in a private property of this name. */
  protected get _requestHandlers(): RequestHandlers {
    return requestHandlersOf({
      callbacks: this._callbacks,
      registers: (method) => this._implied.has(method.split("/")[0] as ListName),
      set: (method, handler) => this.setRequestHandler(method as RequestMethod, handler),
      remove: (method) => this.removeRequestHandler(method),
    });
  }

  /** Returns the context for a request's handler, or a promise of it if the handler's state must be read first. */
  contextFor(native: NativeContext): ServerContext | Promise<ServerContext> {
    this._latest = native;
    const { state } = native;
    if (this._verify === undefined || typeof state !== "string") return contextOf(native);
    return this._verified(native, state, this._verify);
  }

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

  /** Returns a tool's result unchanged, because every result is converted to its client's revision anyway. */
  projectCallToolResult<Outcome extends Result>(result: Outcome, _tool?: object): Outcome {
    return result;
  }

  private _handle(
    method: string,
    callback: (params: unknown, native: NativeContext) => unknown,
    kind: "request" | "notification" = "request",
  ): void {
    const isNew = !this._bound.has(method);
    if (!isNew || isOfEngine(method)) return void this._callbacks.set(method, callback);
    this._bind(method, kind);
    this._callbacks.set(method, callback);
    if (method === SUBSCRIBE) this._declare(this._declared);
  }

  /**
   * Registers a runtime handler that calls the program's current handler for a method, if there is one when the message
   * arrives.
   */
  private _bind(method: string, kind: "request" | "notification"): void {
    this._bound.add(method);
    const call = (
      params: unknown,
      native: NativeContext,
      next?: (params?: unknown) => unknown,
    ): unknown => {
      const current = this._callbacks.get(method);
      if (current) {
        noteReplaced(this._callbacks, native, next);
        return method === CALL ? asErrors(current, params, native) : current(params, native);
      }
      if (next) return next();
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
    };
    const definition = untyped(this._definition);
    if (!isCustom(method)) definition.setHandler(method, call);
    else if (kind === "request") definition.onCustom(customRequest(method), call);
    else definition.onCustom(customNotification(method), call);
  }

  /**
   * Passes the declared capabilities to the runtime. For declared lists, it also sets `listChanged` and, for resources,
   * `subscribe`, because the runtime would otherwise add them.
   */
  private _declare(capabilities: ServerCapabilities): void {
    Object.assign(this._capabilities, capabilities);
    const subscribed = SUBSCRIBE.split("/")[0];
    for (const [name, declared] of Object.entries(capabilities)) {
      if (!LISTED.has(name) || declared === undefined) continue;
      const subscribe = name === subscribed ? { subscribe: this.hasHandler(SUBSCRIBE) } : {};
      this._capabilities[name] = { listChanged: false, ...subscribe, ...(declared as object) };
    }
  }

  private _observe(connection: Connection): void {
    observeEngine(connection, (method) => {
      const own = isOfEngine(method) ? this._callbacks.get(method) : undefined;
      return own ?? (method === INITIALIZED ? () => this.oninitialized?.() : undefined);
    });
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

/**
 * Calls a tool handler whose errors become error responses. An `McpServer`, by contrast, returns its tools' errors as
 * results.
 */
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

export type OutcomeOf<Schema extends StandardSchemaV1 | undefined> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<Schema>
  : Result;
