import type { InputRequired, HandlerContext, ServerOptions } from "../../api/index.js";
import type { ServerBase } from "../../engine/index.js";
import type {
  Cursors,
  LoggingOptions,
  Schemas,
  SubscriptionOptions,
} from "../../features/index.js";
import type { MembersOf, SetOptional } from "../../ground/index.js";
import type { Revision } from "../../wire/index.js";
import type { ServerExtension } from "../extensions/extension-types.js";
import type { ListEvents } from "../list-events.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import type { AskingContext, ServerContext } from "./context-types.js";

/** The options of an `McpServer`. */
export interface McpServerOptions<Types extends NeutralTypes = AnyTypes> extends ServerOptions<
  Types["serverCapabilities"]
> {
  /**
   * The revisions to serve, as values or by id, in order of preference. If a client requests an unknown revision, the
   * server offers the first one.
   */
  readonly revisions?: readonly (Revision | string)[] | undefined;
  /** Handlers by method, in addition to the registered ones; see `McpServerBase.setHandler`. */
  readonly handlers?: MethodHandlers<Types> | undefined;
  /** Extensions that come with their behaviour, such as `serverTasks()`. Add others with `registerExtension`. */
  readonly extensions?: readonly ServerExtension[] | undefined;
  /**
   * Compiles plain JSON Schemas, as `jsonSchemas()` from `@mcp-codegen/runtime/json-schema` does. Library schemas do
   * their own validation. Default: the same checks, whose code is loaded when a value is first checked.
   */
  readonly schemas?: Schemas;
  /** The maximum number of items on a page of a list. Default: no limit, so that all items are on one page. */
  readonly pageSize?: number | undefined;
  /**
   * Creates the cursors between pages. If several instances answer, give each of them an object with the same key.
   * Default: one with a random key.
   */
  readonly cursors?: Cursors | undefined;
  /**
   * True, or options, if the server sends log messages to clients. Off by default, in which case the first message that
   * is not sent is reported; pass false to prevent this report.
   *
   * @deprecated Logs for clients are deprecated in the newest revision: write to stderr, or export OpenTelemetry data.
   */
  readonly logging?: LoggingOptions | boolean | undefined;
  /** Options for resource subscriptions, or `false` to refuse them. Default: on. */
  readonly subscriptions?: SubscriptionOptions<HandlerContext> | false | undefined;
  /** The time, in milliseconds, to wait for a user or a model to answer a request from the server. Default: 600,000. */
  readonly askTimeout?: number | undefined;
  /**
   * Builds the text that the model receives for a failure other than a `ToolError`. Default: a sentence that says that
   * the tool failed.
   */
  readonly errorText?: ((error: unknown, tool: string) => string) | undefined;
  /**
   * True to hide tools, prompts and resources from senders who lack their `scopes`. Otherwise, these are listed, and
   * clients can request more scopes when they use them. Default: false.
   */
  readonly hideForbidden?: boolean | undefined;
  /**
   * True to ignore unknown options, and unknown properties in registered items, instead of rejecting them. Set it in
   * programs that forward objects with additional properties. Default: false.
   */
  readonly ignoreUnknown?: boolean | undefined;
  /**
   * True to add structured content as JSON text to content that lacks it, for clients that do not support structured
   * content. The text is always added if the handler returns no content. With `values`, it is added only if the
   * structured content is not an object and the content has no text. Default: true.
   */
  readonly structuredText?: boolean | "values" | undefined;
}

/** The server underneath the facade, with one handler per method. */
export type LowLevelServer<Types extends NeutralTypes = AnyTypes> = ServerBase<
  AnyTypes["serverRequests"],
  AnyTypes["serverNotifications"],
  Types["clientCapabilities"],
  Types["implementation"]
>;

/** The methods of a client's requests and notifications. */
export type ReceivedMethod<Types extends NeutralTypes> = string &
  (keyof Types["clientRequests"] | keyof Types["clientNotifications"]);

/** Handles a client's request or notification. It receives the whole message, in the form of the newest revision. */
export type MethodHandler<
  Types extends NeutralTypes,
  Method,
> = Method extends keyof Types["clientRequests"]
  ? RequestCallback<
      Types["clientRequests"][Method],
      ContextFor<Types, Types["clientRequests"][Method]>
    >
  : Method extends keyof Types["clientNotifications"]
    ? NotificationCallback<Types["clientNotifications"][Method], ServerContext<Types>>
    : (params: never, ctx: ServerContext<Types>, next: Next<never, object>) => unknown;

export type MethodHandlers<Types extends NeutralTypes> = {
  readonly [Method in ReceivedMethod<Types>]?: MethodHandler<Types, Method>;
};

type ContextFor<Types extends NeutralTypes, Request> = Request extends {
  readonly result: infer Result;
}
  ? [Extract<Result, Questions>] extends [never]
    ? ServerContext<Types>
    : AskingContext<Types>
  : never;

interface Questions {
  readonly inputRequests?: unknown;
}

type RequestCallback<Request, Context> = Request extends { readonly result: infer Result }
  ? (
      params: ParamsOf<Request>,
      ctx: Context,
      next: Next<ParamsOf<Request>, Whole<Result>>,
    ) => Whole<Result> | Promise<Whole<Result>>
  : never;

/**
 * Calls the handler that this one replaces, such as that of the registered tools.
 * @param changed - parameters to pass instead of the original ones
 * @throws TypeError if there is no such handler
 */
type Next<Params, Result> = (changed?: Params) => Promise<Result>;

type NotificationCallback<Notification, Context> = (
  params: ParamsOf<Notification>,
  ctx: Context,
) => void | Promise<void>;

type ParamsOf<Message> = Message extends { readonly params: infer Params }
  ? Params
  : Message extends { readonly params?: infer Params }
    ? Params | undefined
    : undefined;

/**
 * A result without the members that the engine adds. Requests to the client may have the form that `inputRequired`
 * builds.
 */
type Whole<Result> = Result extends Questions
  ? MembersOf<Result> | InputRequired
  : SetOptional<Result, "resultType" | "ttlMs" | "cacheScope">;

/**
 * Functions that notify all interested clients that a list has changed. There is one for each list, such as
 * `toolsChanged`.
 */
export type Notifier<Types extends NeutralTypes> = {
  readonly [Event in ListEvents<Types["serverNotifications"]>]: () => void;
};
