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
import { onInitialized } from "./wrapped-transports.js";
import { invalid } from "./request-state-codec.js";
import { contextOf, type ServerContext } from "./server-context.js";
import { definitionOptions, type SealedOptions, type ServerOptions } from "./server-options.js";

type NativeCallback = (params: unknown, native: NativeContext) => unknown;

/** Schemas of a message of one's own. */
interface OwnSchemas {
  readonly params: StandardSchemaV1;
  readonly result?: StandardSchemaV1 | undefined;
}

type Verify = (state: string, ctx: ServerContext) => unknown;

const CALL = "tools/call";
const LIST_CHANGED = /^notifications\/(tools|prompts|resources)\/list_changed$/;
const UPDATED = "notifications/resources/updated";

/**
 * A server with handlers by method, as the official SDK has it. It serves all revisions: handlers get messages of the
 * newest one. `McpServer` has one below it as `server`.
 */
export class Server {
  /** Called when a client of a session is ready. */
  oninitialized?: (() => void) | undefined;
  /** Called when the connection has ended. */
  onclose?: (() => void) | undefined;
  /** Called with everything that can be told to nobody else. */
  onerror?: ((error: Error) => void) | undefined;
  /** Ids of the revisions that are served; hosts of the SDK read them to see that a server knows the newest. */
  protected readonly _supportedProtocolVersions: readonly string[];
  readonly #callbacks = new Map<string, (params: unknown, native: NativeContext) => unknown>();
  readonly #capabilities: Record<string, unknown>;
  readonly #definition: Definition;
  readonly #sealed: SealedOptions;
  readonly #verify: Verify | undefined;
  #connection: Connection | undefined;
  #transport: Transport | undefined;
  #latest: NativeContext | undefined;

  /**
   * @param info - name and version, told to clients
   * @param options - capabilities, instructions and limits
   */
  constructor(info: Implementation, options: ServerOptions = {}) {
    this.#capabilities = { logging: false, ...options.capabilities };
    this.#verify = options.requestState?.verify;
    const report = (error: Error): void => {
      this.onerror?.(error);
    };
    this.#sealed = definitionOptions(options, this.#capabilities, report);
    this.#definition = new Definition(
      info as ConstructorParameters<typeof Definition>[0],
      this.#sealed,
    );
    // oxlint-disable-next-line no-underscore-dangle
    this._supportedProtocolVersions = this.#definition.revisions.map(({ id }) => id);
  }

  /** Server of ours that this one is a face of: for `createHttpHandler` and whatever else takes one. */
  get definition(): Definition {
    return this.#definition;
  }

  /** Transport that was given to `connect`, while it is open. */
  get transport(): Transport | undefined {
    return this.#transport;
  }

  /**
   * Has this server seal the state of rounds with the secret of others, before its first use: they open what it has sealed.
   * A secret of its own stays.
   */
  shareRounds(key: Uint8Array): void {
    this.#sealed.rounds.keys ??= [key];
  }

  /** A server of the same definition for one more connection. */
  fork(): Connection {
    return this.#definition.fork();
  }

  /**
   * Serves over a transport; resolves when that has started.
   * @throws SdkError when it is connected already
   */
  async connect(transport: Transport): Promise<void> {
    if (this.#transport) {
      throw new SdkError(
        SdkErrorCode.AlreadyConnected,
        "This server is connected already: close it first, or make one server for each connection",
      );
    }
    this.#transport = transport;
    const connection = this.#definition.fork();
    onInitialized(connection, () => this.oninitialized?.());
    this.#connection = connection;
    try {
      const { ended } = await serveOver(transport, this.#definition, connection);
      void ended.then(() => this.#ended(connection));
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    const transport = this.#transport;
    await this.#connection?.close();
    await transport?.close();
  }

  /**
   * Declares capabilities in addition to those given before.
   * @throws SdkError when it is connected already
   */
  registerCapabilities(capabilities: ServerCapabilities): void {
    if (this.#transport) {
      throw new SdkError(
        SdkErrorCode.AlreadyConnected,
        "Capabilities are told to clients at the start: register them before connecting",
      );
    }
    const merged = mergeCapabilities(this.#capabilities as ServerCapabilities, capabilities);
    Object.assign(this.#capabilities, merged);
  }

  /** Capabilities that were given or registered. */
  getCapabilities(): ServerCapabilities {
    const declared = Object.entries(this.#capabilities).filter(([, value]) => value !== false);
    return Object.fromEntries(declared);
  }

  /** Capabilities of the client: those of the session, otherwise those that the latest request came with. */
  getClientCapabilities(): ClientCapabilities | undefined {
    return (
      this.#connection?.client?.capabilities ??
      (this.#latest?.client.capabilities as ClientCapabilities | undefined)
    );
  }

  /** Name and version of the client, as it told them. */
  getClientVersion(): Implementation | undefined {
    const info = this.#connection?.client?.info ?? this.#latest?.client.info;
    return info as Implementation | undefined;
  }

  /** Id of the revision that is spoken; undefined before a client has said anything. */
  getNegotiatedProtocolVersion(): string | undefined {
    return this.#connection?.revision ?? this.#latest?.revision;
  }

  /**
   * Sets what answers a request: by its method, by a schema that has the method as a literal (version 1), or by the
   * method and schemas of a request of one's own.
   * @throws TypeError for a request that no client sends
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
      this.#handleOwn(method, second, handler!);
    } else if (typeof which !== "string") {
      this.#handle(method, async (params, native) => {
        const request = isCustom(method)
          ? await parsedBy(which as StandardSchemaV1, { method, params }, `request ${method}`)
          : { method, params };
        return second(request, await this.contextFor(native));
      });
    } else {
      this.#handle(method, (params, native) => {
        const request = { method, params };
        const ctx = this.contextFor(native);
        return ctx instanceof Promise
          ? ctx.then((own) => second(request, own))
          : second(request, ctx);
      });
    }
  }

  /** Sets what reacts to a notification, in the same three ways. */
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
    this.#handle(
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

  /** Removes what was set for a request: the answer is that of registered things, or -32601. */
  removeRequestHandler(method: string): void {
    this.#callbacks.delete(method);
  }

  /** Removes what was set for a notification. */
  removeNotificationHandler(method: string): void {
    this.#callbacks.delete(method);
  }

  /** @throws Error when something answers the request already */
  assertCanSetRequestHandler(method: string): void {
    if (this.#callbacks.has(method)) {
      throw new Error(`${method} has a handler already, which would be replaced`);
    }
  }

  /** Sends a request to the client of the session; within a handler use its context, at every revision. */
  get request(): Ask {
    return askThrough(this.#session("request"));
  }

  /** Sends a notification to the client of the session; one that can be subscribed to also to stateless clients. */
  async notification(notification: Notification): Promise<void> {
    if (this.#isStateless && this.#publish(notification)) return;
    await tellThrough(this.#session("notification"))(notification);
  }

  /** Asks the client of the session whether it is there. */
  ping(options?: RequestOptions): Promise<EmptyResult> {
    return this.#ask("ping", undefined, options);
  }

  /** Asks the model of the session's client. */
  createMessage(
    params: CreateMessageRequest["params"],
    options?: RequestOptions,
  ): Promise<CreateMessageResult & CreateMessageResultWithTools> {
    return this.#ask("sampling/createMessage", params, options);
  }

  /** Asks the user of the session's client to fill in a form, or to open a web page. */
  elicitInput(
    params: ElicitRequestFormParams | ElicitRequestURLParams,
    options?: RequestOptions,
  ): Promise<ElicitResult> {
    return this.#ask("elicitation/create", params, options);
  }

  /** Lists the roots of the session's client. */
  listRoots(
    params?: ListRootsRequest["params"],
    options?: RequestOptions,
  ): Promise<ListRootsResult> {
    return this.#ask("roots/list", params, options);
  }

  /** Gives the function that tells clients that the user has been to a web page. */
  createElicitationCompletionNotifier(
    elicitationId: string,
    _options?: NotificationOptions,
  ): () => Promise<void> {
    return this.#definition.createElicitationCompletionNotifier(elicitationId);
  }

  /** Writes to the logs of sessions; stateless clients have none. */
  async sendLoggingMessage(params: LoggingMessageNotification["params"]): Promise<void> {
    await untyped(this.#definition).sendLoggingMessage(params);
  }

  /** Tells clients that follow a resource that it has changed. */
  async sendResourceUpdated(params: ResourceUpdatedNotification["params"]): Promise<void> {
    const { uri, _meta: meta } = params;
    // Whoever answers subscriptions keeps account of them, and is right about who wants to know.
    const isKept = this.#callbacks.has("resources/subscribe");
    if (isKept && this.#connection?.client) await this.notification({ method: UPDATED, params });
    else untyped(this.#definition).resourceUpdated(uri, meta);
  }

  /** Tells clients that the list of resources has changed. */
  async sendResourceListChanged(): Promise<void> {
    this.#definition.sendResourceListChanged();
  }

  /** Tells clients that the list of tools has changed. */
  async sendToolListChanged(): Promise<void> {
    this.#definition.sendToolListChanged();
  }

  /** Tells clients that the list of prompts has changed. */
  async sendPromptListChanged(): Promise<void> {
    this.#definition.sendPromptListChanged();
  }

  /** Context of a request for its handler; a promise where what the handler remembered has to be read first. */
  contextFor(native: NativeContext): ServerContext | Promise<ServerContext> {
    this.#latest = native;
    const { state } = native;
    if (this.#verify === undefined || typeof state !== "string") return contextOf(native);
    return this.#verified(native, state, this.#verify);
  }

  /** @throws ProtocolError -32602 when the state is refused */
  async #verified(native: NativeContext, state: string, verify: Verify): Promise<ServerContext> {
    try {
      const value = await verify(state, contextOf(native));
      return contextOf(native, value === undefined ? state : value);
    } catch (error) {
      this.onerror?.(error as Error);
      throw invalid();
    }
  }

  #handleOwn(method: string, { params: schema }: OwnSchemas, handler: Callback): void {
    this.#handle(method, async (params, native) => {
      const parsed = await parsedBy(schema, params ?? {}, `params of ${method}`);
      return handler(parsed, await this.contextFor(native));
    });
  }

  #handle(
    method: string,
    callback: (params: unknown, native: NativeContext) => unknown,
    kind: "request" | "notification" = "request",
  ): void {
    const isNew = !this.#callbacks.has(method);
    this.#callbacks.set(method, callback);
    if (!isNew) return;
    const call = (params: unknown, native: NativeContext, next?: () => unknown): unknown => {
      const current = this.#callbacks.get(method);
      if (current)
        return method === CALL ? asErrors(current, params, native) : current(params, native);
      if (next) return next();
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `Method not found: ${method}`);
    };
    const definition = untyped(this.#definition);
    if (!isCustom(method)) definition.setHandler(method, call);
    else if (kind === "request") definition.onCustom(customRequest(method), call);
    else definition.onCustom(customNotification(method), call);
  }

  async #ask<Answer>(
    method: string,
    params: object | undefined,
    options: RequestOptions | undefined,
  ): Promise<Answer> {
    const ask = askThrough(this.#session(method)) as (
      request: Request,
      options?: RequestOptions,
    ) => Promise<Answer>;
    return ask({ method, params } as Request, options);
  }

  get #isStateless(): boolean {
    return this.#latest?.traits.lifecycle === "discover";
  }

  /** Tells subscriptions of news; false for anything else. */
  #publish({ method, params }: Notification): boolean {
    if (method === UPDATED) {
      const { uri, _meta: meta } = params as ResourceUpdatedNotification["params"];
      untyped(this.#definition).resourceUpdated(uri, meta);
      return true;
    }
    const list = LIST_CHANGED.exec(method)?.[1];
    if (list === "tools") this.#definition.sendToolListChanged();
    else if (list === "prompts") this.#definition.sendPromptListChanged();
    else if (list === "resources") this.#definition.sendResourceListChanged();
    else return false;
    return true;
  }

  /** @throws SdkError when there is no session whose client could be asked */
  #session(what: string): Connection {
    const connection = this.#connection;
    if (connection && !this.#isStateless) return connection;
    throw connection
      ? new SdkError(
          SdkErrorCode.MethodNotSupportedByProtocolVersion,
          `${what}: the client is stateless and can only be asked while it waits; use ctx.mcpReq of the handler`,
        )
      : new SdkError(SdkErrorCode.NotConnected, `${what}: this server has no connection`);
  }

  #ended(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#forget();
    this.onclose?.();
  }

  #forget(): void {
    this.#transport = undefined;
    this.#connection = undefined;
  }
}

/** Calls a handler of tools, whose errors are those of the request: a tool of an `McpServer` has results for them. */
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

/** Result of a handler for a request of one's own. */
export type OutcomeOf<Schema extends StandardSchemaV1 | undefined> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferInput<Schema>
  : Result;
