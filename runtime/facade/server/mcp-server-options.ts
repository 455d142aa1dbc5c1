import type {
  Cursors,
  LoggingOptions,
  Schemas,
  SubscriptionOptions,
} from "../../features/index.js";
import type { HandlerContext, ServerOptions } from "../../api/index.js";
import type { Revision } from "../../wire/index.js";
import type { MethodHandlers } from "./low-level.js";
import type { AnyTypes, NeutralTypes } from "./neutral-types.js";

/** What a server for several revisions can be told beside its name. */
export interface McpServerOptions<Types extends NeutralTypes = AnyTypes> extends ServerOptions<
  Types["serverCapabilities"]
> {
  /** Those that are served, the preferred one first: it is offered to a client that wants another one. */
  readonly revisions?: readonly Revision[] | undefined;
  /** Answers and reactions by method, beside what is registered; see `McpServerBase.setHandler`. */
  readonly handlers?: MethodHandlers<Types> | undefined;
  /** Makes the checks of plain JSON Schemas: {@link jsonSchemas}. Schemas of libraries check for themselves. */
  readonly schemas?: Schemas;
  /** Items on a page of a list. Default: all of them on one page. */
  readonly pageSize?: number | undefined;
  /** Makes the cursors between pages; give one with a key of your own when several instances answer. */
  readonly cursors?: Cursors | undefined;
  /** What a client gets of the log; `false` for a server that writes none. Default: on. */
  readonly logging?: LoggingOptions | false | undefined;
  /** How clients follow resources; `false` when they cannot. Default: on. */
  readonly subscriptions?: SubscriptionOptions<HandlerContext> | false | undefined;
  /**
   * Milliseconds to wait for what a user or a model has to answer, where the server asks in a request of its own.
   * Default: 600 000.
   */
  readonly askTimeout?: number | undefined;
  /** What the model is told when a tool fails with anything but a `ToolError`. Default: that it failed. */
  readonly errorText?: ((error: unknown, tool: string) => string) | undefined;
  /**
   * Whether to hear through `onerror`, once for each kind, what a revision cannot say. Default: unless `NODE_ENV` is
   * `production`.
   */
  readonly warnOfLosses?: boolean | undefined;
}
