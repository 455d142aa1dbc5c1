import type { GivenParams, NotificationHandler, RequestHandler } from "../../api/index.js";
import type { NeutralTypes } from "../server/neutral-types.js";

/** What a client may ask, as it does: without what the engine adds, and answered with final results. */
export type RequestsOf<Types extends NeutralTypes> = {
  readonly [Method in keyof Types["clientRequests"]]: Asked<Types["clientRequests"][Method]>;
};

/** The parameters of a request as callers give them. */
export type ParamsOf<Types extends NeutralTypes, Method extends string> =
  RequestsOf<Types> extends Record<Method, { readonly params?: infer Params }>
    ? NonNullable<Params>
    : never;

/** The final result of a request. */
export type ResultOf<Types extends NeutralTypes, Method extends string> =
  RequestsOf<Types> extends Record<Method, { readonly result: infer Result }> ? Result : never;

/** What a server may ask inside of a result, or as a request of its own. */
export type QuestionOf<Types extends NeutralTypes, Method extends string> =
  Types["serverRequests"] extends Record<Method, { readonly params?: infer Params }>
    ? NonNullable<Params>
    : never;

export type AnswerOf<Types extends NeutralTypes, Method extends string> =
  Types["serverRequests"] extends Record<Method, { readonly result: infer Result }>
    ? Result
    : never;

/** What handles what a server may ask and tell, by method. */
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

/** What is in a list of the parameters or the result of something. */
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

/** Without questions in place of a result. */
type Final<Result> = Result extends unknown
  ? "requestState" extends NamedKey<Result>
    ? never
    : Result
  : never;

/** The members that a type names. */
type NamedKey<Type> = keyof {
  [Name in keyof Type as string extends Name ? never : number extends Name ? never : Name]: never;
};
