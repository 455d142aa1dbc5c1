import type { ConnectedServer } from "../../engine/index.js";
import type {
  CustomNotification,
  CustomParams,
  CustomRequest,
  NotificationArguments,
  PageOptions,
  RequestArguments,
  RequestOptions,
} from "../../api/index.js";
import { CheckedTools, type SchemaCompiler } from "../../features/index.js";
import type { LogLevel } from "../../wire/index.js";
import type { NeutralTypes } from "../server/neutral-types.js";
import type { ClientEvent, ClientListener } from "./client-events.js";
import type { ConnectOptions, Target } from "./client-options.js";
import type { ItemIn, ParamsOf, RequestsOf, ResultOf } from "./client-types.js";
import { ClientState } from "./client-state.js";
import type { Era, EraCache } from "./era-cache.js";
import { itemsOf, type ListMethod, wholeList } from "./lists.js";
import { assertIsLevel } from "./log-level.js";
import type { ResourceListener } from "./resource-watch.js";

/** Arguments behind the name in a client method, where the newest revision has the method. */
type Rest<Types extends NeutralTypes, Method> = Method extends keyof RequestsOf<Types>
  ? RequestArguments<RequestsOf<Types>[Method]>
  : [params?: unknown, options?: RequestOptions];

type Answer<
  Types extends NeutralTypes,
  Method extends string,
> = Method extends keyof RequestsOf<Types> ? ResultOf<Types, Method> : unknown;

type Arguments = Readonly<Record<string, unknown>>;

/**
 * A client of one server, made by `connect`. What it sends and gets is in the shapes of the newest revision.
 *
 * Requests reject with an `RpcError` when the server answers with an error, with `RequestTimeoutError`,
 * `ConnectionClosedError` or `InvalidMessageError` when no valid answer comes, with `CapabilityError`,
 * `LifecycleError` or `OverloadError` when nothing was sent, and with an `InputRefusedError` when the server asked
 * something meanwhile that was not answered.
 */
export class McpClientBase<Types extends NeutralTypes> {
  static {
    const { asyncDispose } = Symbol;
    const { close: value } = this.prototype;
    if (asyncDispose) Object.defineProperty(this.prototype, asyncDispose, { value });
  }

  readonly #conversation: ClientState;
  readonly #checked: CheckedTools<{ readonly name: string }, unknown> | undefined;

  /**
   * @param schemas - makes the checks of structured results, if they are checked
   * @throws TypeError for handlers and features that are none, or two of a kind
   */
  constructor(options: ConnectOptions<Types>, schemas?: SchemaCompiler) {
    this.#conversation = new ClientState(options as ConnectOptions);
    if (schemas === undefined) return;
    const tools = {
      allTools: () => this.#items("tools/list") as AsyncIterable<{ readonly name: string }>,
      callTool: (params: object, sent?: RequestOptions) => this.#ask("tools/call", params, sent),
    };
    const checked = new CheckedTools<{ readonly name: string }, unknown>(tools, { schemas });
    this.#checked = checked;
    this.#conversation.outdated = () => checked.forget();
  }

  /** Opens the connection; `connect` does that. */
  open(target: Target, eras?: EraCache): Promise<void> {
    return this.#conversation.open(target, eras);
  }

  /** The server, as it described itself. */
  get server(): ConnectedServer<Types["serverCapabilities"], Types["implementation"] | undefined> {
    return this.#conversation.client.server as ConnectedServer<
      Types["serverCapabilities"],
      Types["implementation"] | undefined
    >;
  }

  /** Id of the revision that was agreed on: `2025-03-26`. */
  get revision(): string {
    return this.#conversation.client.revision!;
  }

  /** Kind of conversation: a session that opened with a handshake, or stateless requests. */
  get era(): Era {
    return this.#conversation.era!;
  }

  /** Resolves when the connection is over, with the error that ended it, if one did. Never rejects. */
  get closed(): Promise<Error | undefined> {
    return this.#conversation.client.closed;
  }

  /** Sends any request, by its method: of the newest revision, or as it is where that does not have it. */
  request<Params, Result>(
    request: CustomRequest<Params, Result>,
    ...rest: RequestArguments<CustomParams<NoInfer<Params>> & { readonly result: unknown }>
  ): Promise<Result>;
  request<Method extends string>(
    method: Method,
    ...rest: Rest<Types, Method>
  ): Promise<Answer<Types, Method>>;
  request(
    method: string | CustomRequest<unknown, unknown>,
    ...[params, options]: unknown[]
  ): Promise<unknown> {
    return this.#ask(method as string, params, options as RequestOptions | undefined);
  }

  /** Sends any notification, by its method. */
  notify<Params>(
    notification: CustomNotification<Params>,
    ...rest: NotificationArguments<CustomParams<NoInfer<Params>>>
  ): Promise<void>;
  notify(method: string, params?: unknown): Promise<void>;
  notify(method: string | CustomNotification<unknown>, params?: unknown): Promise<void> {
    return this.#conversation.client.notify(method as string, params as undefined);
  }

  /** Calls a tool. That it failed is said in the result: `isError`. */
  callTool(
    name: string,
    args?: Arguments,
    options?: RequestOptions,
  ): Promise<ResultOf<Types, "tools/call">>;
  callTool(
    params: ParamsOf<Types, "tools/call">,
    options?: RequestOptions,
  ): Promise<ResultOf<Types, "tools/call">>;
  callTool(call: unknown, second?: unknown, third?: RequestOptions): Promise<never> {
    const [params, options] = named(call, second, third);
    const result = this.#checked
      ? this.#checked.call(params as { name: string }, options)
      : this.#ask("tools/call", params, options);
    return result as Promise<never>;
  }

  /** The tools of all pages; with a `cursor`, of that page. */
  listTools(
    params?: ParamsOf<Types, "tools/list">,
    options?: PageOptions,
  ): Promise<ResultOf<Types, "tools/list">> {
    return this.#list("tools/list", params, options);
  }

  /** The tools one by one, none where the server has none; the next page is fetched when its first one is wanted. */
  tools(options?: PageOptions): AsyncGenerator<ItemIn<ResultOf<Types, "tools/list">, "tools">> {
    return this.#items("tools/list", options);
  }

  /** The resources of all pages; with a `cursor`, of that page. */
  listResources(
    params?: ParamsOf<Types, "resources/list">,
    options?: PageOptions,
  ): Promise<ResultOf<Types, "resources/list">> {
    return this.#list("resources/list", params, options);
  }

  /** The resources one by one; none, where the server has none. */
  resources(
    options?: PageOptions,
  ): AsyncGenerator<ItemIn<ResultOf<Types, "resources/list">, "resources">> {
    return this.#items("resources/list", options);
  }

  /** The families of resources of all pages; with a `cursor`, of that page. */
  listResourceTemplates(
    params?: ParamsOf<Types, "resources/templates/list">,
    options?: PageOptions,
  ): Promise<ResultOf<Types, "resources/templates/list">> {
    return this.#list("resources/templates/list", params, options);
  }

  /** The families of resources one by one; none, where the server has none. */
  resourceTemplates(
    options?: PageOptions,
  ): AsyncGenerator<ItemIn<ResultOf<Types, "resources/templates/list">, "resourceTemplates">> {
    return this.#items("resources/templates/list", options);
  }

  /** Reads a resource. What does not exist is an `RpcError`. */
  readResource(
    uri: string | ParamsOf<Types, "resources/read">,
    options?: RequestOptions,
  ): Promise<ResultOf<Types, "resources/read">> {
    const params = typeof uri === "string" ? { uri } : uri;
    return this.#ask("resources/read", params, options) as Promise<never>;
  }

  /** The prompts of all pages; with a `cursor`, of that page. */
  listPrompts(
    params?: ParamsOf<Types, "prompts/list">,
    options?: PageOptions,
  ): Promise<ResultOf<Types, "prompts/list">> {
    return this.#list("prompts/list", params, options);
  }

  /** The prompts one by one; none, where the server has none. */
  prompts(
    options?: PageOptions,
  ): AsyncGenerator<ItemIn<ResultOf<Types, "prompts/list">, "prompts">> {
    return this.#items("prompts/list", options);
  }

  /** Gets the messages of a prompt, with its arguments filled in. */
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: RequestOptions,
  ): Promise<ResultOf<Types, "prompts/get">>;
  getPrompt(
    params: ParamsOf<Types, "prompts/get">,
    options?: RequestOptions,
  ): Promise<ResultOf<Types, "prompts/get">>;
  getPrompt(prompt: unknown, second?: unknown, third?: RequestOptions): Promise<never> {
    const [params, options] = named(prompt, second, third);
    return this.#ask("prompts/get", params, options) as Promise<never>;
  }

  /** Asks for suggestions for an argument of a prompt, or a variable of a family of resources. */
  complete(
    params: ParamsOf<Types, "completion/complete">,
    options?: RequestOptions,
  ): Promise<ResultOf<Types, "completion/complete">> {
    return this.#ask("completion/complete", params, options) as Promise<never>;
  }

  /**
   * Follows a resource until `unsubscribe`; resolves when the server has agreed.
   *
   * @param listener - hears of its changes and of those below it, as listeners of `resourceUpdated` do
   * @throws CapabilityError when the server does not tell of changes of it
   */
  subscribe(uri: string, listener?: ResourceListener): Promise<void> {
    return this.#conversation.subscribe(uri, listener);
  }

  /** @param listener - the only one for which it ends; all of them without it */
  unsubscribe(uri: string, listener?: ResourceListener): Promise<void> {
    return this.#conversation.unsubscribe(uri, listener);
  }

  /**
   * Hears of something, and asks the server for it. What that will not tell is reported to `onerror`.
   *
   * @returns what ends it
   */
  on<Event extends ClientEvent>(event: Event, listener: ClientListener<Event>): () => void {
    this.#conversation.on(event, listener);
    return () => this.off(event, listener);
  }

  off<Event extends ClientEvent>(event: Event, listener: ClientListener<Event>): void {
    this.#conversation.off(event, listener);
  }

  /**
   * Says which messages of its log the server should send: those of this level and above.
   * @throws TypeError for an unknown level
   */
  async setLogLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    assertIsLevel(level);
    if (this.era === "handshake") await this.#ask("logging/setLevel", { level }, options);
    this.#conversation.logLevel = level;
  }

  /** Asks for a sign of life. */
  ping(options?: RequestOptions): Promise<void> {
    return this.#conversation.ping(options);
  }

  /** Ends the connection: pending requests reject, running handlers are aborted, the transport closes. */
  close(): Promise<void> {
    return this.#conversation.client.close();
  }

  #ask(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#conversation.request(method, params, options);
  }

  #list(method: ListMethod, params?: object, options?: PageOptions): Promise<never> {
    const ask = this.#ask.bind(this);
    return wholeList(ask, method, params, options) as Promise<never>;
  }

  #items(method: ListMethod, options?: PageOptions): AsyncGenerator<never> {
    return itemsOf(this.#conversation, method, options) as AsyncGenerator<never>;
  }
}

/** The parameters and options of a call by name, or with parameters as they travel. */
function named(
  first: unknown,
  second: unknown,
  third: RequestOptions | undefined,
): [params: object, options: RequestOptions | undefined] {
  if (typeof first !== "string") return [first as object, second as RequestOptions | undefined];
  return [second === undefined ? { name: first } : { name: first, arguments: second }, third];
}
