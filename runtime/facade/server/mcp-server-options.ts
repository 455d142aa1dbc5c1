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

/** `McpServer` options. */
export interface McpServerOptions<Types extends NeutralTypes = AnyTypes> extends ServerOptions<
  Types["serverCapabilities"]
> {
  /**
   * Revisions to serve, as values or by id, the most preferred first. The server offers the first
   * one to a client that requests an unknown revision.
   */
  readonly revisions?: readonly (Revision | string)[] | undefined;
  /** Handlers by method, in addition to the registered ones; see `McpServerBase.setHandler`. */
  readonly handlers?: MethodHandlers<Types> | undefined;
  /** Extensions with their behaviour, such as `serverTasks()`; others are added with `registerExtension`. */
  readonly extensions?: readonly ServerExtension[] | undefined;
  /**
   * Compiles plain JSON Schemas, as `jsonSchemas()` of `@mcp-codegen/runtime/json-schema` does. Schemas of libraries validate by
   * themselves. Default: the same checks, whose code loads when a value is first checked.
   */
  readonly schemas?: Schemas;
  /** Maximum number of items on a page of a list. Default: all of them on one page. */
  readonly pageSize?: number | undefined;
  /**
   * Object that creates the cursors between pages. If several instances answer, pass each of them one with the same
   * key. Default: one with a random key.
   */
  readonly cursors?: Cursors | undefined;
  /**
   * True, or options, for a server that sends log messages to clients. Default: off; the first message that is not sent is
   * reported, unless this is false.
   * @deprecated Logs for clients are deprecated in the newest revision: write to stderr, or export OpenTelemetry data.
   */
  readonly logging?: LoggingOptions | boolean | undefined;
  /** Options of resource subscriptions; `false` to refuse them. Default: on. */
  readonly subscriptions?: SubscriptionOptions<HandlerContext> | false | undefined;
  /**
   * Time to wait for an answer from a user or a model to a request from the server, in milliseconds. Default: 600
   * 000.
   */
  readonly askTimeout?: number | undefined;
  /**
   * Builds the text that the model receives for a failure other than a `ToolError`. Default: a sentence which says that
   * the tool failed.
   */
  readonly errorText?: ((error: unknown, tool: string) => string) | undefined;
  /**
   * True to hide tools, prompts and resources from senders who lack their `scopes`. Otherwise they
   * are listed, and clients can request more scopes when they use them. Default: false.
   */
  readonly hideForbidden?: boolean | undefined;
  /**
   * True to ignore unknown options, and unknown members of what is registered, instead of rejecting them. Set it in
   * programs that forward objects with additional members. Default: false.
   */
  readonly ignoreUnknown?: boolean | undefined;
  /**
   * True to add the JSON of structured content as text to content that lacks it, for clients without structured
   * content. It is always added if the handler returns no content. `values`: only if the structured content is not an
   * object, and the content has no text. Default: true.
   */
  readonly structuredText?: boolean | "values" | undefined;
}

/** The server below the facade: one handler per method. */
export type LowLevelServer<Types extends NeutralTypes = AnyTypes> = ServerBase<
  AnyTypes["serverRequests"],
  AnyTypes["serverNotifications"],
  Types["clientCapabilities"],
  Types["implementation"]
>;

/** Methods of the client's requests and notifications. */
export type ReceivedMethod<Types extends NeutralTypes> = string &
  (keyof Types["clientRequests"] | keyof Types["clientNotifications"]);

/** Handler of a client's request or notification, with the whole message of the newest revision. */
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
 * Result without the members that the engine adds. Requests to the client may have the form that `inputRequired`
 * builds.
 */
type Whole<Result> = Result extends Questions
  ? MembersOf<Result> | InputRequired
  : SetOptional<Result, "resultType" | "ttlMs" | "cacheScope">;

/** Functions that notify all interested clients that a list has changed: `toolsChanged`, and so on for each list. */
export type Notifier<Types extends NeutralTypes> = {
  readonly [Event in ListEvents<Types["serverNotifications"]>]: () => void;
};
