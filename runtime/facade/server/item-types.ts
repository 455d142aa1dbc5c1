import type { MembersOf } from "../../ground/index.js";
import type { NeutralTypes, Result } from "../neutral-types.js";
import type { MethodHandler } from "./mcp-server-options.js";
import type { AccessConfig, Handle } from "./registration.js";

/** The methods that may use one item of a list: `notes/read`, if there is a `notes/list`. */
export type UseMethod<Types extends NeutralTypes> = {
  [Method in keyof Types["clientRequests"]]: Method extends `${infer Start}/${string}`
    ? `${Start}/list` extends keyof Types["clientRequests"]
      ? Method
      : never
    : never;
}[keyof Types["clientRequests"]] &
  string;

/** An item in the form in which it is listed, together with the rules for who can see and use it. */
export type ItemConfig<Types extends NeutralTypes, Method extends string> = ItemUsedBy<
  Types,
  Method
> &
  AccessConfig<Types>;

type ItemUsedBy<
  Types extends NeutralTypes,
  Method extends string,
> = Method extends `${infer Start}/${string}`
  ? ElementOf<Result<Types["clientRequests"], `${Start}/list`>>
  : never;

type ElementOf<Listed> = Listed extends unknown ? ElementIn<MembersOf<Listed>> : never;

type ElementIn<Members> = {
  [Member in keyof Members]: Members[Member] extends readonly (infer One)[] ? One : never;
}[keyof Members];

/** Handles the requests that use one item. */
export type ItemCallback<Types extends NeutralTypes, Method> =
  MethodHandler<Types, Method> extends (
    params: infer Params,
    ctx: infer Context,
    next: never,
  ) => infer Outcome
    ? (params: Params, ctx: Context) => Outcome
    : never;

/** The handle of a registered item. A removed item cannot be added again through it. */
export interface ItemHandle<Types extends NeutralTypes, Method extends string> extends Handle<
  ItemUsedBy<Types, Method>
> {
  /**
   * Replaces members of the item.
   *
   * @throws TypeError as `registerItem` does, in which case nothing changes
   */
  update(
    changes: Partial<ItemConfig<Types, Method>> & {
      readonly enabled?: boolean;
      readonly handler?: ItemCallback<Types, Method>;
    },
  ): void;
}
