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
import type { LogLevel, OpenSession } from "../../wire/index.js";
import { isDevelopment } from "../is-development.js";
import type { NeutralTypes } from "../neutral-types.js";
import { type ClientEvent, type ClientListener, assertIsLevel } from "./events.js";
import type { ConnectOptions, Target } from "./client-options.js";
import type { ParamsOf, RequestsOf, ResultOf } from "./client-types.js";
import { ClientState } from "./client-state.js";
import type { Era, EraCache } from "./eras.js";
import { type ClientParts, type LateOutputChecks, lateOutputChecks } from "./late-parts.js";
import { itemsOf, type ListRequest, wholeList } from "./requests.js";
import type { ResourceListener, SubscribeOptions } from "./changes.js";

type Rest<Types extends NeutralTypes, Method> = Method extends keyof RequestsOf<Types>
  ? RequestArguments<RequestsOf<Types>[Method]>
  : [params?: unknown, options?: RequestOptions];

type Answer<
  Types extends NeutralTypes,
  Method extends string,
> = Method extends keyof RequestsOf<Types> ? ResultOf<Types, Method> : unknown;

type Arguments = Readonly<Record<string, unknown>>;

/** Options of `callTool`. */
export interface ToolCallOptions extends RequestOptions {
  /** False to leave the structured result of this call unchecked. */
  readonly checkOutput?: boolean | undefined;
}

/** Removes a listener when called. */
export type ListenerHandle = (() => void) & {
  /**
   * Resolves when the server has accepted the subscription or does not declare the event. Rejects when the server has
   * refused the subscription. The rejection need not be handled; `onerror` also receives the error.
   */
  readonly ready: Promise<void>;
};

/**
 * The handwritten part of a client for one server. The generated part adds a method for each request in the newest
 * revision. Messages have the newest revision's shapes.
 *
 * Requests reject with an `RpcError` if the server answers with an error; with `RequestTimeoutError`,
 * `ConnectionClosedError` or `InvalidMessageError` if no valid response arrives; with `CapabilityError`,
 * `LifecycleError` or `OverloadError` if nothing was sent; and with an `InputRefusedError` if a question that the
 * server asked in the meantime was not answered.
 */
export class McpClientBase<Types extends NeutralTypes> {
  static {
    const { asyncDispose } = Symbol;
    const { close: value } = this.prototype;
    if (asyncDispose) Object.defineProperty(this.prototype, asyncDispose, { value });
  }

  readonly #conversation: ClientState;
  readonly #outputs: LateOutputChecks | undefined;
  /** True if all results are checked, rather than only those of tools that this client has listed. */
  readonly #checksAll: boolean;

  /**
   * @param parts - the parts that are created before the client; the plugins among them are notified when another
   *   server may have replaced the previous one
   * @throws TypeError if handlers or features are invalid or duplicated
   */
  constructor(options: ConnectOptions<Types>, parts: ClientParts = {}) {
    const { checkOutput } = options;
    const { plugins = [] } = parts;
    if (checkOutput !== false) {
      this.#outputs = lateOutputChecks(checkOutput, {
        list: () => this.items("tools/list", "tools"),
        report: (error) => this.#conversation.report(error),
      });
    }
    this.#checksAll = this.#outputs !== undefined && checkOutput !== undefined;
    this.#conversation = new ClientState(options as ConnectOptions, parts, this.#outputs?.feature);
    this.#conversation.outdated = (server) => {
      this.#outputs?.forget();
      const checks = plugins.flatMap((plugin) => plugin.outdated?.(server) ?? []);
      return checks.length > 0 ? Promise.all(checks).then(() => {}) : undefined;
    };
  }

  /** Opens the connection. `connect` calls this method. */
  async open(target: Target, eras?: EraCache): Promise<void> {
    if (this.#checksAll) await this.#outputs?.load();
    await this.#conversation.open(target, eras);
  }

  /** The server, as it described itself. */
  get server(): ConnectedServer<Types["serverCapabilities"], Types["implementation"] | undefined> {
    return this.#conversation.connection.agreed?.server as ConnectedServer<
      Types["serverCapabilities"],
      Types["implementation"] | undefined
    >;
  }

  /** The id of the negotiated revision: `2025-03-26`. */
  get revision(): string {
    return this.#conversation.revision!.id;
  }

  /**
   * The result of discovery. Store it as JSON and pass it to `connect` as `prior` for later connections. Undefined in a
   * session, which begins without discovery.
   */
  get discovered(): unknown {
    return this.#conversation.connection.discovered;
  }

  /**
   * The open session, which can be stored as JSON and continued over another connection: `connect(url, { http: {
   * session } })`. Protect it like a password. Undefined if the conversation is stateless or the server assigns no id
   * to the session.
   */
  get session(): OpenSession | undefined {
    return this.#conversation.connection.session;
  }

  /** The kind of conversation: a session opened by a handshake, or stateless requests. */
  get era(): Era {
    return this.#conversation.era!;
  }

  /** Resolves when the connection is over, with the error that ended it if there was one. Never rejects. */
  get closed(): Promise<Error | undefined> {
    return this.#conversation.connection.closed;
  }

  /**
   * Sends any request, given its description (`customRequest`) or its method. Parameters and result have the form of
   * the newest revision. If that revision lacks the method, they have the form of the revision that defines it.
   */
  request<Params, Result>(
    request: CustomRequest<Params, Result>,
    ...rest: RequestArguments<CustomParams<NoInfer<Params>> & { readonly result: unknown }>
  ): Promise<Result>;
  request<Method extends (keyof RequestsOf<Types> & string) | Types["olderMethods"]>(
    method: Method,
    ...rest: Rest<Types, Method>
  ): Promise<Answer<Types, Method>>;
  request(
    method: string | CustomRequest<unknown, unknown>,
    ...[params, options]: unknown[]
  ): Promise<unknown> {
    return this.#ask(method as string, params, options as RequestOptions | undefined);
  }

  /** Sends any notification, given its description (`customNotification`) or its method. */
  notify<Params>(
    notification: CustomNotification<Params>,
    ...rest: NotificationArguments<CustomParams<NoInfer<Params>>>
  ): Promise<void>;
  notify(
    method: (keyof Types["clientNotifications"] & string) | Types["olderMethods"],
    params?: unknown,
  ): Promise<void>;
  notify(method: string | CustomNotification<unknown>, params?: unknown): Promise<void> {
    return this.#conversation.connection.notify(method as string, params);
  }

  /**
   * `tools/call`: Calls a tool, given its name or parameters in their wire form. If the tool itself fails, the result
   * has `isError`. Rejects if the structured result does not match the tool's schema; see `ConnectOptions.checkOutput`.
   */
  callTool(
    name: string,
    args?: Arguments,
    options?: ToolCallOptions,
  ): Promise<ResultOf<Types, "tools/call">>;
  callTool(
    params: ParamsOf<Types, "tools/call">,
    options?: ToolCallOptions,
  ): Promise<ResultOf<Types, "tools/call">>;
  callTool(call: unknown, second?: unknown, third?: ToolCallOptions): Promise<never> {
    const [params, options] = keyed("name", call, second, third);
    const checks = this.#outputs?.current;
    if (checks === undefined || (options as ToolCallOptions | undefined)?.checkOutput === false)
      return this.#conversation.request("tools/call", params, options) as Promise<never>;
    const { name = "" } = (params ?? {}) as { readonly name?: string };
    const send = (): Promise<unknown> => this.#ask("tools/call", params, options);
    return checks.call(name, send) as Promise<never>;
  }

  /**
   * Follows a resource until `unsubscribe` is called. Resolves when the server has accepted the subscription.
   *
   * @param listener - called with the URI of the resource, or of one below it, when that resource has changed
   * @throws CapabilityError if the server does not announce changes to the resource
   * @throws RequestTimeoutError if the server does not respond
   */
  subscribe(
    uri: string,
    listener?: ResourceListener,
    options: SubscribeOptions = {},
  ): Promise<void> {
    return this.#conversation.subscribe(uri, listener, options);
  }

  /** @param listener - the listener to remove; if omitted, all listeners are removed */
  unsubscribe(uri: string, listener?: ResourceListener): Promise<void> {
    return this.#conversation.unsubscribe(uri, listener);
  }

  /**
   * Adds a listener and subscribes to the server's change notifications. An event that the server does not declare is
   * reported to `onerror`. Requests wait briefly, so that the notifications that they cause are not missed.
   *
   * @returns a function that removes the listener; its `ready` property resolves when the server has accepted the
   *   subscription
   */
  on<Event extends ClientEvent<Types>>(
    event: Event,
    listener: ClientListener<Event, Types>,
  ): ListenerHandle {
    const ready = this.#conversation.on(event, listener);
    return Object.assign(() => this.off(event, listener), { ready });
  }

  off<Event extends ClientEvent<Types>>(
    event: Event,
    listener: ClientListener<Event, Types>,
  ): void {
    this.#conversation.off(event, listener);
  }

  /**
   * Requests the server's log messages at this level and above.
   *
   * @throws TypeError if the level is unknown
   * @deprecated Logs for clients are deprecated in the newest revision: write to stderr, or export OpenTelemetry data.
   */
  async setLogLevel(level: LogLevel, options?: RequestOptions): Promise<void> {
    assertIsLevel(level);
    if (this.era === "session") await this.#ask("logging/setLevel", { level }, options);
    this.#conversation.logLevel = level;
  }

  /** Checks that the server responds, using a ping or, in revisions without pings, a discovery request. */
  ping(options?: RequestOptions): Promise<void> {
    return this.#conversation.ping(options);
  }

  /** Ends the connection. Pending requests are rejected, running handlers are aborted, and the transport is closed. */
  close(): Promise<void> {
    return this.#conversation.connection.close();
  }

  #ask(method: string, params: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#conversation.request(method, params, options);
  }

  /**
   * Sends a request that uses one item.
   *
   * @param key - the parameter that identifies the item
   * @param item - its value, followed by arguments; or the parameters in their wire form
   */
  protected use(
    method: string,
    key: string,
    item: unknown,
    second: unknown,
    third: RequestOptions | undefined,
  ): Promise<never> {
    const [params, options] = keyed(key, item, second, third);
    return this.#ask(method, params, options) as Promise<never>;
  }

  /** Requests all pages of a list, or one page if there is a `cursor`. `member` names the list in the result. */
  protected list(
    method: string,
    member: string,
    params?: object,
    options?: PageOptions,
  ): Promise<never> {
    assertParams(method, params);
    const ask = this.#ask.bind(this);
    return wholeList(ask, this.#listOf(method, member), params, options) as Promise<never>;
  }

  /** Yields the items of a list one by one, or none if the server has no such list. */
  protected items(
    method: string,
    member: string,
    params?: object,
    options?: PageOptions,
  ): AsyncGenerator<never> {
    assertParams(method, params);
    const list = this.#listOf(method, member);
    return itemsOf(this.#conversation, list, params, options) as AsyncGenerator<never>;
  }

  #listOf(method: string, member: string): ListRequest {
    const { revision, report } = this.#conversation;
    const key = revision?.families.find(({ list }) => list === method)?.key;
    return { method, member, key, report };
  }
}

/** Request options that are never parameters of a list. */
const OPTIONS: ReadonlySet<string> = new Set<keyof PageOptions>([
  "signal",
  "timeout",
  "maxTotalTimeout",
  "resetTimeoutOnProgress",
  "onprogress",
  "cache",
  "maxPages",
]);

function assertParams(method: string, params: object | undefined): void {
  if (params === undefined || !isDevelopment()) return;
  const misplaced = Object.keys(params).find((name) => OPTIONS.has(name));
  if (misplaced === undefined) return;
  throw new TypeError(
    `"${misplaced}" is not a parameter of ${method}: options follow the parameters`,
  );
}

function keyed(
  key: string,
  first: unknown,
  second: unknown,
  third: RequestOptions | undefined,
): [params: object, options: RequestOptions | undefined] {
  if (typeof first !== "string") return [first as object, third ?? (second as RequestOptions)];
  return [second === undefined ? { [key]: first } : { [key]: first, arguments: second }, third];
}

/** A client for one server. `await using client = await connect(…)` closes it, on platforms that support that. */
export type McpClient<Client> = Client & AsyncDisposal;

/** Adds a `Symbol.asyncDispose` property, but only for compilers whose library declares that symbol. */
type AsyncDisposal = SymbolConstructor extends { readonly asyncDispose: infer Name extends symbol }
  ? { readonly [Member in Name]: () => Promise<void> }
  : unknown;
