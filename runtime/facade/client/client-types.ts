import type { GivenParams, NotificationHandler, RequestHandler } from "../../api/index.js";
import type { NeutralTypes } from "../neutral-types.js";

/** A client's requests as callers pass them: without the members that the engine adds, and with their final results. */
export type RequestsOf<Types extends NeutralTypes> = {
  readonly [Method in keyof Types["clientRequests"]]: Asked<Types["clientRequests"][Method]>;
};

export type ParamsOf<Types extends NeutralTypes, Method extends string> =
  RequestsOf<Types> extends Record<Method, { readonly params?: infer Params }>
    ? NonNullable<Params>
    : never;

export type ResultOf<Types extends NeutralTypes, Method extends string> =
  RequestsOf<Types> extends Record<Method, { readonly result: infer Result }> ? Result : never;

/** The parameters of a request from a server, whether sent directly or embedded in a result. */
export type QuestionOf<Types extends NeutralTypes, Method extends string> =
  Types["serverRequests"] extends Record<Method, { readonly params?: infer Params }>
    ? NonNullable<Params>
    : never;

export type AnswerOf<Types extends NeutralTypes, Method extends string> =
  Types["serverRequests"] extends Record<Method, { readonly result: infer Result }>
    ? Result
    : never;

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

/** A result type without the alternative that requests input from the client. */
type Final<Result> = Result extends unknown
  ? "requestState" extends NamedKey<Result>
    ? never
    : Result
  : never;

/** The names of a type's properties, excluding index signatures. */
type NamedKey<Type> = keyof {
  [Name in keyof Type as string extends Name ? never : number extends Name ? never : Name]: never;
};
