import type {
  Cursors,
  LoggingOptions,
  Schemas,
  SubscriptionOptions,
} from "../../features/index.js";
import type { HandlerContext, ServerOptions } from "../../api/index.js";
import type { Revision } from "../../wire/index.js";
import type { ServerExtension } from "./extension-types.js";
import type { MethodHandlers } from "./low-level.js";
import type { AnyTypes, NeutralTypes } from "./neutral-types.js";

/** `McpServer` options. */
export interface McpServerOptions<Types extends NeutralTypes = AnyTypes> extends ServerOptions<
  Types["serverCapabilities"]
> {
  /**
   * Revisions to serve, the preferred one first: the server offers it to a client that asks for an
   * unknown one.
   */
  readonly revisions?: readonly Revision[] | undefined;
  /** Answers and reactions by method, in addition to what is registered; see `McpServerBase.setHandler`. */
  readonly handlers?: MethodHandlers<Types> | undefined;
  /** Extensions with their behaviour, such as `serverTasks()`; others are added with `registerExtension`. */
  readonly extensions?: readonly ServerExtension[] | undefined;
  /** Makes the checks of plain JSON Schemas: {@link jsonSchemas}. Schemas of libraries check for themselves. */
  readonly schemas?: Schemas;
  /** Items on a page of a list. Default: all of them on one page. */
  readonly pageSize?: number | undefined;
  /** Makes the cursors between pages; give one with a key of your own when several instances answer. */
  readonly cursors?: Cursors | undefined;
  /**
   * Options of log messages to clients; `false` for a server without a log. Default: on.
   * @deprecated Logs for clients are deprecated since 2026-07-28: write to stderr, or export OpenTelemetry data.
   */
  readonly logging?: LoggingOptions | false | undefined;
  /** Options of resource subscriptions; `false` to refuse them. Default: on. */
  readonly subscriptions?: SubscriptionOptions<HandlerContext> | false | undefined;
  /**
   * Milliseconds to wait for what a user or a model has to answer, where the server asks in a request of its own.
   * Default: 600 000.
   */
  readonly askTimeout?: number | undefined;
  /**
   * Builds the text that tells the model of a failure other than a `ToolError`. Default: a sentence
   * that the tool failed.
   */
  readonly errorText?: ((error: unknown, tool: string) => string) | undefined;
  /**
   * True to tell clients the messages of errors that handlers throw, and in what way results do not fit their schemas: as
   * results with `isError` of tools, with -32603 elsewhere. Only for servers in whose errors no secret can be. Default:
   * false, then `onerror` alone hears it.
   */
  readonly tellErrors?: boolean | undefined;
  /**
   * True to hide tools, prompts and resources from senders who lack their `scopes`. Otherwise they are listed, and
   * clients can ask for more scopes when they use them. Default: false.
   */
  readonly hideForbidden?: boolean | undefined;
  /**
   * True to add the JSON of structured content as text to content that lacks it, for clients that know no structured
   * content. Without any content of the handler it is always added. `values`: only for structured content that is no
   * object, beside content without any text. Default: true.
   */
  readonly structuredText?: boolean | "values" | undefined;
  /**
   * True to report through `onerror`, once for each kind, values that a revision cannot express.
   * Default: true unless `NODE_ENV` is `production`.
   */
  readonly warnOfLosses?: boolean | undefined;
}
