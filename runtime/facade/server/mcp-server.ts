import { WrappingHandler, collectHandlers } from "../../engine/index.js";
import {
  type AnyHandler,
  type CustomHandler,
  type CustomMessage,
  type CustomNotification,
  type CustomRequest,
  type ServeOptions,
  assertRounds,
} from "../../api/index.js";
import { assertKnownNames, assertTimeouts } from "../../ground/index.js";
import { type MemoryPairOptions, memoryPair } from "../../memory/index.js";
import { type LogLevel, type Revision, type Transport, chosenRevisions } from "../../wire/index.js";
import { protocolOf } from "../extensions/extension-gate.js";
import type { DescribedExtension, ExtensionOptions } from "../extensions/extension-types.js";
import type { NewestNames } from "../list-events.js";
import type { NeutralTypes } from "../neutral-types.js";
import { type Assembly, lowLevelServer } from "./assembly.js";
import type { AskingContext, ServerContext } from "./context-types.js";
import { extensionMessages } from "./extension-messages.js";
import {
  type AnyMethodHandler,
  methodHandler,
  observedBy,
  type ServerObserver,
} from "./handlers.js";
import type { ItemCallback, ItemConfig, ItemHandle, UseMethod } from "./item-types.js";
import type {
  LowLevelServer,
  McpServerOptions,
  MethodHandler,
  MethodHandlers,
  Notifier,
  ReceivedMethod,
} from "./mcp-server-options.js";
import type { ArgumentsOf, PromptCallback, PromptConfig, PromptHandle } from "./prompt-types.js";
import type { ResourceTemplate } from "./resource-template.js";
import type { ConfigAt, ReadAt, ResourceHandleAt } from "./resource-types.js";
import type { AnySchema } from "./schema-types.js";
import { OPTIONS, ServerFeatures } from "./server-features.js";
import type { ToolCallback, ToolConfig, ToolHandle } from "./tool-types.js";

/**
 * A server whose tools, prompts and resources are written once and served in every revision. Its capabilities follow
 * from what is registered before the first connection.
 */
export class McpServerBase<Types extends NeutralTypes> {
  readonly #info: Types["implementation"];
  readonly #options: McpServerOptions<Types>;
  readonly #parts: ServerFeatures;
  readonly #handlers = new Map<string, WrappingHandler>();
  readonly #custom: CustomHandler[] = [];
  #observers: Set<ServerObserver> | undefined;
  #server: LowLevelServer<Types> | undefined;
  #assembled: Assembly | undefined;

  /**
   * @param info - the name and version of the server, which clients receive
   * @param known - the revisions that `options.revisions` can name by id, and that are served without that option
   * @throws TypeError if the name, version or revisions are missing, an option is unknown or invalid, or there is a
   *   handler for a method that no client sends
   */
  constructor(
    info: Types["implementation"],
    options: McpServerOptions<Types>,
    newest: NewestNames,
    known: readonly Revision[] = [],
  ) {
    const { name, version } = (info ?? {}) as Partial<Record<string, unknown>>;
    if (typeof name !== "string" || typeof version !== "string") {
      throw new TypeError("A server needs its info first: new McpServer({ name, version })");
    }
    const revisions = chosenRevisions(options.revisions ?? known, known);
    if (!options.ignoreUnknown) assertKnownNames(options, OPTIONS, "McpServer");
    assertTimeouts(options);
    assertRounds(options.rounds);
    this.#info = info;
    this.#options = { ...options, revisions };
    this.#parts = new ServerFeatures(this.#options as McpServerOptions, newest);
    const events = newest.lists.map(
      (list) => [`${list}Changed`, () => this.#listChanged(list)] as const,
    );
    this.notify = Object.fromEntries(events) as Notifier<Types>;
    const handlers: MethodHandlers<Types> = options.handlers ?? {};
    for (const [method, handler] of Object.entries(handlers))
      this.#handle(method, handler as AnyMethodHandler);
    for (const extension of options.extensions ?? [])
      this.registerExtension(extension, extension as object);
  }

  /**
   * The revisions that can be negotiated, in order of preference, including what the registered extensions add to them.
   */
  get revisions(): readonly Revision[] {
    return this.#parts.revisions;
  }

  /**
   * The server underneath the facade; each connection is a fork of it. After its first use, no new kind of feature can
   * be registered.
   */
  get server(): LowLevelServer<Types> {
    this.#server ??= lowLevelServer(this.assembly as Assembly<Types>);
    return this.#server;
  }

  /** Resolves when the connection is over, with the error that ended it if there was one. Never rejects. */
  get closed(): Promise<Error | undefined> {
    return this.server.closed;
  }

  /**
   * Functions that notify clients that a list has changed. They are not needed for changes to registrations, which are
   * announced automatically.
   */
  readonly notify: Notifier<Types>;

  /** Creates another server from the same definition, for one more connection. */
  fork(): LowLevelServer<Types> {
    return this.server.fork();
  }

  /**
   * Starts to serve over a transport; resolves when the transport has started. For standard input and output call
   * `serveStdio(server)`, for HTTP `createHttpHandler(server)`: those create the transports themselves.
   *
   * @example
   * ```ts
   * import { memoryPair } from "@mcp-codegen/runtime/memory";
   *
   * const [near, far] = memoryPair();
   * await server.connect(far);
   * const client = await connect(near);
   * ```
   *
   * @param options - `assume`: id of a revision to serve without a handshake
   * @throws LifecycleError if this server is connected already: `fork()` it
   */
  connect(transport: Transport, options?: ServeOptions): Promise<void> {
    return this.server.connect(transport, options);
  }

  /** Ends all connections. */
  close(): Promise<void> {
    return this.server.close();
  }

  /**
   * Adds a tool. Its handler receives the output of the schema; without an `inputSchema` it only
   * receives the context. It returns text, content blocks, a whole result, or with an
   * `outputSchema` the structured content.
   *
   * @example
   * ```ts
   * server.registerTool(
   *   "add",
   *   { description: "Adds numbers", inputSchema: z.object({ a: z.number(), b: z.number() }) },
   *   ({ a, b }) => `The sum is ${a + b}`,
   * );
   * ```
   *
   * @throws TypeError if there is already a tool of that name, a schema is invalid, or the server has been connected
   *   without any tool
   */
  registerTool<
    const Input extends AnySchema | undefined = undefined,
    const Output extends AnySchema | undefined = undefined,
  >(
    name: string,
    config: ToolConfig<Types, Input, Output>,
    handler: ToolCallback<Types, Input, Output>,
  ): ToolHandle<Types> {
    const { kinds } = this.#parts;
    return this.#parts.register(kinds.tool, { ...config, name, handler }) as ToolHandle<Types>;
  }

  /**
   * Adds a prompt. Its handler receives the output of the schema, or strings if the arguments are
   * listed as `arguments`; without either it only receives the context. It returns text, messages,
   * or a whole result.
   *
   * @example
   * ```ts
   * server.registerPrompt(
   *   "review",
   *   { description: "Reviews code", argsSchema: z.object({ code: z.string() }) },
   *   ({ code }) => `Review this code:\n${code}`,
   * );
   * ```
   *
   * @throws TypeError as `registerTool` does
   */
  registerPrompt<
    const Args extends AnySchema | undefined = undefined,
    const Listed extends ArgumentsOf<Types> | undefined = undefined,
  >(
    name: string,
    config: PromptConfig<Types, Args, Listed>,
    handler: PromptCallback<Types, Args, Listed>,
  ): PromptHandle<Types> {
    const { kinds } = this.#parts;
    return this.#parts.register(kinds.prompt(), {
      ...config,
      name,
      handler,
    }) as PromptHandle<Types>;
  }

  /**
   * Adds a resource, or a family of them. Its handler returns text, bytes, contents, a whole
   * result, or undefined if the resource does not exist.
   *
   * @example
   * ```ts
   * server.registerResource("motd", "notes://motd", { mimeType: "text/plain" }, () => "Be kind");
   * const user = new ResourceTemplate("notes://users/{id}");
   * server.registerResource("user", user, {}, (uri, { id }) => (id === "7" ? "Ada" : undefined));
   * ```
   *
   * @param where - its absolute URI; for a family a `ResourceTemplate`
   * @throws TypeError as `registerTool` does, and for an invalid URI or template
   */
  registerResource<const Where extends string | ResourceTemplate<Types>>(
    name: string,
    where: Where,
    config: ConfigAt<Types, Where>,
    read: ReadAt<Types, Where>,
  ): ResourceHandleAt<Types, Where> {
    const parts = this.#parts;
    const given = { ...config, name, read };
    const added =
      typeof where === "string"
        ? parts.register(parts.kinds.resource(), { ...given, uri: where })
        : parts.register(parts.templateKind(where, name), { ...given, template: where });
    return added as ResourceHandleAt<Types, Where>;
  }

  /**
   * Adds an item to a list that this class has no method for, such as a list that your own schema defines.
   *
   * @param method - the request that uses the item: `notes/read`
   * @param item - the item as clients list it
   * @throws TypeError as `registerTool` does, and if the method does not use a list item
   */
  registerItem<const Method extends UseMethod<Types>>(
    method: Method,
    item: ItemConfig<Types, Method>,
    handler: ItemCallback<Types, Method>,
  ): ItemHandle<Types, Method> {
    const added = this.#parts.register(this.#parts.itemsOf(method), { ...item, handler });
    return added as ItemHandle<Types, Method>;
  }

  /**
   * Adds a protocol extension. Clients that also declare it can use its messages; `ctx.extension(id)` returns their
   * settings (MCP: extensions).
   *
   * @param extension - the extension with its messages, as generated from its schema, or only its id, such as
   *   `com.example/maps`
   * @throws TypeError if the id is invalid or already registered, or the server has been connected
   */
  registerExtension<Described extends DescribedExtension>(
    extension: Described,
    options?: ExtensionOptions<Types, Described>,
  ): void;
  registerExtension(id: string, options?: Pick<ExtensionOptions, "settings">): void;
  registerExtension(which: string | DescribedExtension, options: ExtensionOptions = {}): void {
    const described = typeof which === "string" ? { id: which } : which;
    const messages = extensionMessages(described, options, this.#parts);
    const { settings = {} } = options;
    this.#parts.addExtension(described.id, { settings, messages, protocol: protocolOf(described) });
  }

  /**
   * Sends an extension's notification to all clients that declare the extension, or to the notification's subscribers
   * if it belongs to subscriptions.
   */
  broadcast<Params>(
    notification: CustomNotification<Params>,
    ...[params]: undefined extends Params ? [params?: Params] : [params: Params]
  ): void {
    this.#reaching.broadcast(notification.row.method, params);
  }

  /**
   * Sets the handler of a request or notification by its method. It replaces the one of the registered tools, prompts
   * and resources, which `next` calls. Messages have the shape of the newest revision.
   *
   * @example
   * ```ts
   * server.setHandler("tools/list", async (params, ctx, next) => {
   *   const started = Date.now();
   *   const result = await next();
   *   console.error(`${ctx.revision}: ${Date.now() - started} ms`);
   *   return result;
   * });
   * ```
   *
   * @throws TypeError if no client sends the method in any of the revisions, or the server has been connected
   */
  setHandler<const Method extends ReceivedMethod<Types> | Types["olderMethods"]>(
    method: Method,
    handler: MethodHandler<Types, Method>,
  ): void {
    this.#handle(method, handler as AnyMethodHandler);
  }

  #handle(method: string, handler: AnyMethodHandler): void {
    this.#parts.assertOpen("handlers can no longer be set", "set them before");
    collectHandlers("server", this.revisions, { [method]: handler }, []);
    const { contextOf } = this.#parts;
    const around = (inner: AnyHandler | undefined): AnyHandler =>
      methodHandler(method, handler, contextOf, inner);
    this.#handlers.set(method, new WrappingHandler(around));
  }

  /**
   * Adds a message of your own that clients send, with its handler. Unlike with the option `custom`, the handler
   * receives the same context as all other handlers.
   *
   * @example
   * ```ts
   * import { customRequest } from "@mcp-codegen/runtime";
   *
   * const search = customRequest<{ text: string }, { hits: number }>("acme/search");
   * server.onCustom(search, ({ text }, ctx) => ({ hits: text.length }));
   * ```
   *
   * @throws TypeError if the server has been connected
   */
  onCustom<Params, Result>(
    message: CustomRequest<Params, Result>,
    handler: (params: Params, ctx: AskingContext<Types>) => Result | Promise<Result>,
  ): void;
  onCustom<Params>(
    message: CustomNotification<Params>,
    handler: (params: Params, ctx: ServerContext<Types>) => void | Promise<void>,
  ): void;
  onCustom({ row }: CustomMessage, handler: (params: never, ctx: never) => unknown): void {
    this.#parts.assertOpen("custom messages can no longer be added", "add them before");
    const call = handler as (params: unknown, ctx: object) => unknown;
    const { contextOf } = this.#parts;
    this.#custom.push({ row, handler: (params, context) => call(params, contextOf(context)) });
  }

  /**
   * Notifies the subscribers of a resource, or of one of its parents, that it has changed.
   *
   * @param meta - the notification's `_meta`
   */
  resourceUpdated(uri: string, meta?: Readonly<Record<string, unknown>>): void {
    this.#reaching.resources.updated(uri, meta);
  }

  /**
   * Notifies the client that the user has completed a URL-mode elicitation. It can be called during the request or
   * after it, on this instance or on another one with the same `bus`. Does nothing if the revision does not have that
   * notification.
   *
   * @param elicitationId - the id from `ctx.elicitUrl`, or from the `UrlElicitationRequiredError` that was thrown
   */
  elicitationCompleted(elicitationId: string): void {
    this.#reaching.elicitationCompleted(elicitationId);
  }

  /**
   * Returns a function that calls {@link elicitationCompleted}. The method has the same name and form as in the
   * official SDK.
   */
  createElicitationCompletionNotifier(elicitationId: string): () => Promise<void> {
    return async () => this.elicitationCompleted(elicitationId);
  }

  /**
   * Writes to the logs of all open sessions. Stateless clients have no session and receive nothing. Within a request,
   * use `ctx.log`; elsewhere, use the process's own log.
   *
   * @deprecated Logs for clients are deprecated in the newest revision: write to stderr, or export OpenTelemetry data.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    this.#parts.log(level, data, logger);
  }

  #listChanged(list: string): void {
    this.#reaching.broadcast(`notifications/${list}/list_changed`);
  }

  /**
   * Passes errors and losses to an observer, such as that of a test, in addition to the `onerror` and `onloss` options.
   *
   * @returns a function that removes the observer
   * @throws TypeError if the server was connected before it had an observer
   */
  observe(observer: ServerObserver): () => void {
    if (this.#observers === undefined) {
      this.#parts.assertOpen("it can no longer be observed", "observe it before");
      this.#observers = new Set();
    }
    const observers = this.#observers.add(observer);
    return () => void observers.delete(observer);
  }

  /**
   * The features of this server. If there is a bus, connects them to it first, so that a notification also reaches
   * clients of other instances while this instance has no clients.
   */
  get #reaching(): ServerFeatures {
    if (this.#options.bus) void this.server;
    return this.#parts;
  }

  /** The parts from which the underlying server is built. */
  get assembly(): Assembly {
    this.#assembled ??= this.#assemble() as Assembly;
    return this.#assembled;
  }

  #assemble(): Assembly<Types> {
    const { features = [], custom = [], middleware = [], extensions = [] } = this.#options;
    const own = this.#parts.fix();
    const brought = extensions.flatMap((extension) => extension.features ?? []);
    const messages = [...this.#parts.extensions.values()].flatMap((one) => one.messages);
    return {
      revisions: this.revisions,
      info: this.#info,
      options: this.#options,
      handlers: this.#handlers,
      features: [...own, ...brought, ...features],
      custom: [...messages, ...this.#custom, ...custom],
      middleware,
      observed: this.#observers && observedBy(this.#observers, this.#options),
      registrations: this.#parts,
    };
  }
}

/** A server that {@link connectInMemory} accepts. */
export interface Connectable {
  fork(): { connect(transport: Transport): Promise<void> };
}

/**
 * Connects to a server in this process, through all layers of a real connection except the wire.
 * @returns the client's end, for `connect`
 */
export async function connectInMemory(
  server: Connectable,
  options?: MemoryPairOptions,
): Promise<Transport> {
  if (typeof server?.fork !== "function")
    throw new TypeError(
      "connectInMemory needs a server: connectInMemory(new McpServer({ name, version }))",
    );
  const [near, far] = memoryPair(options);
  await server.fork().connect(far);
  return near;
}
