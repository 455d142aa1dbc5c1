import type { Feature, FeatureHost, HandlerContext } from "../api/index.js";
import { type MethodFamily, namesCapability, quote } from "../wire/index.js";
import { Registry } from "./registry.js";
import type { PagingOptions, Registration } from "./registry-types.js";

/**
 * Handles the requests that use one item, such as `notes/read`. If it throws an `RpcError`, the client receives that
 * error.
 */
export type ItemHandler<Result = object, Context = HandlerContext> = (
  params: Readonly<Record<string, unknown>>,
  context: Context,
) => Result | Promise<Result>;

/** A server feature that serves the items of one family. */
export interface Items<Item, Result = object, Context = HandlerContext> extends Feature {
  /** The items that are listed, in the order in which they were added. The array is replaced, never changed. */
  readonly definitions: readonly Item[];
  attach(host: FeatureHost): void;
  /**
   * Adds an item.
   *
   * @throws TypeError if an item with the same key already exists, the item is invalid in one of the server's
   *   revisions, or the handler is not a function
   */
  add(
    item: Item,
    handler: ItemHandler<Result, Context>,
  ): Registration<Item, [handler: ItemHandler<Result, Context>]>;
}

/**
 * Creates a feature for a family of methods that has no class of its own, such as a family from your own schema. It
 * lists the items, announces changes to the list, and passes each use to the item's handler. Pass it in the `features`
 * option.
 *
 * @typeParam Item - the revision's definition of an item
 * @typeParam Result - the result of the method that uses an item
 * @typeParam Context - the handlers' context parameter: the revision's `ServerContext`
 * @param family - one of `revision.families`
 * @throws TypeError if the page size is invalid
 */
export function itemsOf<Item extends object, Result = object, Context = HandlerContext>(
  family: MethodFamily,
  options: PagingOptions = {},
): Items<Item, Result, Context> {
  type Handler = ItemHandler<Result, Context>;
  const { list, use, by = "", key, noun, capability = "" } = family;
  const registry = new Registry<Item, [handler: Handler], Handler>(
    family,
    options,
    (item, handler) => {
      if (typeof handler === "function") return handler;
      const label = quote(String((item as Record<string, unknown>)[key]));
      throw new TypeError(`The handler of the ${noun} ${label} is not a function`);
    },
  );
  const call = (params: Record<string, unknown>, context: HandlerContext): unknown =>
    registry.find(String(params[by]), context).behaviour(params, context as Context);
  const announces = `${capability}.listChanged`;
  const [, ...path] = announces.split(".");
  const declared = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), true) as object;
  return {
    handlers: {
      [list]: (params, context) => registry.list(params, context),
      ...(use && { [use]: (params, context) => call(params as Record<string, unknown>, context) }),
    },
    capabilities: (revision) => (namesCapability(revision, announces) ? declared : {}),
    get definitions() {
      return registry.definitions;
    },
    attach: (host) => registry.attach(host),
    add: (item, handler) => registry.add(item, handler),
  };
}
