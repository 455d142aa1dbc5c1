import { type Revision, keep } from "../wire/index.js";
import { checkedPageSize, Cursors, type Page } from "./cursors.js";

export interface PagingOptions {
  /** Items on a page, 1 or more. Default: all of them on one page. */
  readonly pageSize?: number | undefined;
  /** Makes the cursors between pages; give one with a key of your own when several instances answer. */
  readonly cursors?: Cursors | undefined;
  /**
   * Revisions by whose rules definitions are checked when they are added; none for no check. Default: those of the
   * server, once that is made.
   */
  readonly revisions?: readonly Revision[] | undefined;
}

export interface ListingOptions<Item> extends PagingOptions {
  /** The wire method, `tools/list`. */
  readonly method: string;
  /** Member of the result that has the items. */
  readonly member: string;
  readonly keyOf: (item: Item) => string;
}

/** The result of a list request. */
export interface ListResult {
  readonly nextCursor?: string;
  readonly [member: string]: unknown;
}

/** Answers the requests for one list, page by page where that was asked for. */
export class Listing<Item> {
  readonly #options: ListingOptions<Item>;
  readonly #pageSize: number | undefined;
  readonly #cursors: Cursors;
  #items: readonly Item[] | undefined;
  #whole: ListResult = {};

  /** @throws TypeError for a page size that is none */
  constructor(options: ListingOptions<Item>) {
    this.#options = options;
    this.#pageSize = checkedPageSize(options.pageSize);
    this.#cursors = options.cursors ?? new Cursors();
  }

  /**
   * One page of a list that is a new array whenever it changes.
   *
   * @param params - of the request
   * @param isPrivate - true for a list that shared caches must not keep, as it depends on who asks
   * @throws RpcError -32602 for a cursor that is none of this list
   */
  answer(
    items: readonly Item[],
    params: unknown,
    isPrivate = false,
  ): ListResult | Promise<ListResult> {
    const answer = this.#pageOf(items, params);
    if (!isPrivate) return answer;
    return answer instanceof Promise ? answer.then(asPrivate) : asPrivate(answer);
  }

  #pageOf(items: readonly Item[], params: unknown): ListResult | Promise<ListResult> {
    const { method, keyOf } = this.#options;
    const { cursor } = (params ?? {}) as { cursor?: string };
    const pageSize = this.#pageSize;
    if (cursor === undefined && items.length <= (pageSize ?? Infinity)) return this.#all(items);
    const page = this.#cursors.paginate({ list: method, items, keyOf, pageSize, cursor });
    return page instanceof Promise ? page.then((one) => this.#resultOf(one)) : this.#resultOf(page);
  }

  /** The same object until the list changes. */
  #all(items: readonly Item[]): ListResult {
    if (items !== this.#items) {
      this.#items = items;
      this.#whole = keep({ [this.#options.member]: Object.freeze(items) });
    }
    return this.#whole;
  }

  #resultOf({ items, nextCursor }: Page<Item>): ListResult {
    const result = { [this.#options.member]: items };
    return nextCursor === undefined ? result : { ...result, nextCursor };
  }
}

function asPrivate(result: ListResult): ListResult {
  return { ...result, cacheScope: "private" };
}
