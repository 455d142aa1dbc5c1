import type { ItemHandler } from "../../features/index.js";
import { itemsOf } from "../../features/server/index.js";
import type { Feature } from "../../api/index.js";
import { type MembersOf, whenDone } from "../../ground/index.js";
import type { MethodFamily, Revision } from "../../wire/index.js";
import type { AnyTypes, NeutralTypes, Result } from "../neutral-types.js";
import { askable } from "./facade-context.js";
import type { MethodHandler } from "./mcp-server-options.js";
import {
  type AccessConfig,
  callbackOf,
  described,
  type Kind,
  labelOf,
  type RegistrationHost,
} from "./registration.js";

/** Methods that may use one item of a list: `notes/read`, where there is a `notes/list`. */
export type UseMethod<Types extends NeutralTypes> = {
  [Method in keyof Types["clientRequests"]]: Method extends `${infer Start}/${string}`
    ? `${Start}/list` extends keyof Types["clientRequests"]
      ? Method
      : never
    : never;
}[keyof Types["clientRequests"]] &
  string;

/** An item as it is listed, and who can see and use it. */
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

/** Element type of the array that a result contains. */
type ElementOf<Listed> = Listed extends unknown ? ElementIn<MembersOf<Listed>> : never;

type ElementIn<Members> = {
  [Member in keyof Members]: Members[Member] extends readonly (infer One)[] ? One : never;
}[keyof Members];

/** Handler of the requests that use one item. */
export type ItemCallback<Types extends NeutralTypes, Method> =
  MethodHandler<Types, Method> extends (
    params: infer Params,
    ctx: infer Context,
    next: never,
  ) => infer Outcome
    ? (params: Params, ctx: Context) => Outcome
    : never;

/** A registered item, as its handle. A removed one stays removed. */
export interface ItemHandle<Types extends NeutralTypes, Method extends string> {
  /** Definition as clients list it. */
  readonly definition: ItemUsedBy<Types, Method>;
  readonly enabled: boolean;
  /**
   * Replaces members of the item.
   * @throws TypeError as `registerItem` does; nothing changes then
   */
  update(
    changes: Partial<ItemConfig<Types, Method>> & {
      readonly enabled?: boolean;
      readonly handler?: ItemCallback<Types, Method>;
    },
  ): void;
  /** Lists it again. */
  enable(): void;
  /** Keeps it from being listed and used. */
  disable(): void;
  remove(): void;
}

/** Configuration of an item, as it is registered. */
export interface ItemSpec extends AccessConfig<AnyTypes> {
  readonly handler: unknown;
}

/** Registration of the items of one family, and the feature that has them. */
export interface ItemKind extends Kind<ItemSpec, object, [handler: ItemHandler]> {
  readonly items: Feature;
}

/** @throws TypeError if the method uses no item of a family */
export function itemKind(
  method: string,
  revisions: readonly Revision[],
  options: Parameters<typeof itemsOf>[1],
  { contextOf }: RegistrationHost,
): ItemKind {
  const families = revisions.flatMap((revision): readonly MethodFamily[] => revision.families);
  const family = families.find(({ use, from }) => use === method && from !== "server");
  if (family === undefined) {
    throw new TypeError(`${method} uses no item of a list: set its handler with setHandler`);
  }
  const items = itemsOf<object>(family, options);
  const [, feature = family.name] = family.capability?.split(".") ?? [];
  return {
    items,
    family,
    feature,
    names: ["handler"],
    aliases: {},
    adapt: ({ handler, ...item }) => {
      const what = `The handler of the ${family.noun} ${labelOf(item, family)}`;
      const call = callbackOf(handler, what, "registerItem(method, item, handler)");
      const use: ItemHandler = (params, context) =>
        whenDone(call(params, contextOf(context)), (outcome) =>
          askable(outcome, context, (value) => value),
        ) as object;
      return { definition: described(item), given: [use] };
    },
    add: (definition, handler) => items.add(definition, handler),
  };
}
