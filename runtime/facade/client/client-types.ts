import type { GivenParams, NotificationHandler, RequestHandler } from "../../api/index.js";
import type { NeutralTypes } from "../neutral-types.js";

/**
 * A client's requests as callers pass them: without the members that the engine adds, and with
 * final results.
 */
export type RequestsOf<Types extends NeutralTypes> = {
  readonly [Method in keyof Types["clientRequests"]]: Asked<Types["clientRequests"][Method]>;
};

/** Parameters of a request as callers pass them. */
export type ParamsOf<Types extends NeutralTypes, Method extends string> =
  RequestsOf<Types> extends Record<Method, { readonly params?: infer Params }>
    ? NonNullable<Params>
    : never;

/** The final result of a request. */
export type ResultOf<Types extends NeutralTypes, Method extends string> =
  RequestsOf<Types> extends Record<Method, { readonly result: infer Result }> ? Result : never;

/** Parameters of a question from a server, embedded in a result or sent as a request. */
export type QuestionOf<Types extends NeutralTypes, Method extends string> =
  Types["serverRequests"] extends Record<Method, { readonly params?: infer Params }>
    ? NonNullable<Params>
    : never;

export type AnswerOf<Types extends NeutralTypes, Method extends string> =
  Types["serverRequests"] extends Record<Method, { readonly result: infer Result }>
    ? Result
    : never;

/** Handlers of the server's requests and notifications, by method. */
export type HandlersOf<Types extends NeutralTypes> = {
  readonly [Method in keyof Types["serverRequests"]]?: Handler<Types["serverRequests"][Method]>;
} & {
  readonly [Method in keyof Types["serverNotifications"]]?: Handler<
    Types["serverNotifications"][Method]
  >;
};

type Handler<Message> = Message extends { readonly params?: infer Params }
  ? Message extends { readonly result: infer Result }
    ? RequestHandler<NonNullable<Params>, Result> | undefined
    : NotificationHandler<NonNullable<Params>> | undefined
  : never;

/** Item type of a list in the parameters or the result. */
export type ItemIn<Type, Member extends string> =
  Type extends Record<Member, readonly (infer Item)[]> ? Item : never;

type Asked<Request> = Request extends {
  readonly params?: infer Params;
  readonly result: infer Result;
}
  ? Optional<GivenParams<NonNullable<Params>>> & { readonly result: Final<Result> }
  : never;

type Optional<Params> = object extends Params
  ? { readonly params?: Params | undefined }
  : { readonly params: Params };

/** Result type without the alternative that holds questions. */
type Final<Result> = Result extends unknown
  ? "requestState" extends NamedKey<Result>
    ? never
    : Result
  : never;

/** The members that a type names. */
type NamedKey<Type> = keyof {
  [Name in keyof Type as string extends Name ? never : number extends Name ? never : Name]: never;
};
