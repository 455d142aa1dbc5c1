import type { MembersOf, SetOptional } from "../ground/index.js";

/**
 * The types of the newest revision, which handlers are written with. The package for all revisions binds the facade to
 * them.
 */
export interface NeutralTypes {
  /** Client requests by method: `{ "tools/call": { params: …; result: … } }`. */
  readonly clientRequests: object;
  readonly clientNotifications: object;
  /** Server requests, whether sent directly on the wire or embedded in a result. */
  readonly serverRequests: object;
  readonly serverNotifications: object;
  /** The methods that clients send and that only older revisions define. */
  readonly olderMethods: string;
  readonly clientCapabilities: object;
  readonly serverCapabilities: object;
  readonly implementation: object;
}

/** Accepts any types, for code that does not depend on them. */
export interface AnyTypes extends NeutralTypes {
  readonly clientRequests: Any;
  readonly clientNotifications: Any;
  readonly serverRequests: Any;
  readonly serverNotifications: Any;
  readonly olderMethods: Any;
  readonly clientCapabilities: Any;
  readonly serverCapabilities: Any;
  readonly implementation: Any;
}

export type Params<Requests, Method extends string> =
  Requests extends Record<Method, { readonly params?: infer Own }> ? NonNullable<Own> : never;

export type Result<Requests, Method extends string> =
  Requests extends Record<Method, { readonly result: infer Own }> ? Own : never;

/** A result as handlers return it, without the members that the engine adds to all results. */
export type HandlerResult<Requests, Method extends string, Member extends string> = Unmarked<
  Extract<Result<Requests, Method>, { readonly [Name in Member]: unknown }>
>;

/** A method's complete result, as handlers can return it. */
export type GivenResult<
  Types extends NeutralTypes,
  Method extends string,
  Member extends string,
> = MembersOf<HandlerResult<Types["clientRequests"], Method, Member>>;

export type QuestionsOf<Types extends NeutralTypes, Method extends string> = AsksFirst<
  Result<Types["clientRequests"], Method>
>;

type AsksFirst<Type> = Type extends unknown
  ? "requestState" extends keyof MembersOf<Type>
    ? MembersOf<Type>
    : never
  : never;

export type Item<Types extends NeutralTypes, Method extends string, Member extends string> =
  Extract<Result<Types["clientRequests"], Method>, { readonly [Name in Member]: unknown }> extends {
    readonly [Name in Member]: readonly (infer One)[];
  }
    ? One
    : never;

export type ContentBlock<Types extends NeutralTypes> = Item<Types, "tools/call", "content">;

export type ToolOf<Types extends NeutralTypes> = Item<Types, "tools/list", "tools">;

export type ResourceOf<Types extends NeutralTypes> = Item<Types, "resources/list", "resources">;

export type TemplateOf<Types extends NeutralTypes> = Item<
  Types,
  "resources/templates/list",
  "resourceTemplates"
>;

export type ContentsOf<Types extends NeutralTypes> = Item<Types, "resources/read", "contents">;

type Unmarked<Type> = Type extends unknown
  ? SetOptional<Type, "resultType" | "ttlMs" | "cacheScope">
  : never;

// oxlint-disable-next-line no-explicit-any
type Any = any;
