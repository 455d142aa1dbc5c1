import type { ItemHandler } from "../../features/index.js";
import { itemsOf } from "../../features/server/index.js";
import type { Feature } from "../../api/index.js";
import { whenDone } from "../../ground/index.js";
import type { MethodFamily, Revision } from "../../wire/index.js";
import type { AnyTypes } from "../neutral-types.js";
import { askable } from "./facade-context.js";
import {
  type AccessConfig,
  callbackOf,
  described,
  type Kind,
  labelOf,
  type RegistrationHost,
} from "./registration.js";

export interface ItemSpec extends AccessConfig<AnyTypes> {
  readonly handler: unknown;
}

export interface ItemKind extends Kind<ItemSpec, object, [handler: ItemHandler]> {
  readonly items: Feature;
}

export function itemKind(
  method: string,
  revisions: readonly Revision[],
  options: Parameters<typeof itemsOf>[1],
  { contextOf }: RegistrationHost,
): ItemKind {
  const families = revisions
    .flatMap((revision): readonly MethodFamily[] => revision.families)
    .filter(({ from }) => from !== "server");
  const family = families.find(({ use }) => use === method);
  if (family === undefined) {
    const uses = [...new Set(families.flatMap(({ use }) => use ?? []))].join(", ");
    throw new TypeError(`registerItem() needs a method that uses an item (${uses}), not ${method}`);
  }
  const items = itemsOf<object>(family, options);
  const [, feature = family.name] = family.capability?.split(".") ?? [];
  return {
    items,
    family,
    feature,
    names: ["handler"],
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
