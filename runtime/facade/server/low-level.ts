import type { MembersOf, SetOptional } from "../../ground/index.js";
import type { ServerBase } from "../../engine/index.js";
import type { InputRequired } from "../../api/index.js";
import type { AskingContext, ServerContext } from "./context-types.js";
import type { AnyTypes, NeutralTypes } from "./neutral-types.js";

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

/** Answers what a client asks, or reacts to what it tells, by the whole message of the newest revision. */
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

/** Context with ask methods, if the result type allows questions. */
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
 * Calls what would answer without the handler: the registered tools, prompts and resources.
 * @param changed - takes the place of the parameters
 * @throws TypeError when nothing would
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

/** A result without what the engine adds; questions also as `inputRequired` makes them. */
type Whole<Result> = Result extends Questions
  ? MembersOf<Result> | InputRequired
  : SetOptional<Result, "resultType" | "ttlMs" | "cacheScope">;
