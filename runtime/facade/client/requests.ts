import {
  INVALID_PARAMS,
  InvalidMessageError,
  LocalError,
  METHOD_NOT_FOUND,
  RpcError,
  type Revision,
  isObject,
  quote,
} from "../../wire/index.js";
import type { SendPageRequest, PageOptions } from "../../api/index.js";
import { pages } from "../../api/paging/index.js";

export interface ListRequest {
  readonly method: string;
  readonly member: string;
  /** The member that identifies an item; undefined if the revision has no such family. */
  readonly key: string | undefined;
  readonly report: (error: Error) => void;
}

async function* withoutTwins(
  { method, key, report }: ListRequest,
  items: AsyncIterable<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const seen = key === undefined ? undefined : new Set<unknown>();
  let hasTwins = false;
  for await (const item of items) {
    const name = seen && isObject(item) ? item[key!] : undefined;
    if (name !== undefined && seen!.has(name) && !hasTwins) {
      hasTwins = true;
      report(
        new InvalidMessageError(`${method} has two items with the ${key} ${quote(String(name))}`),
      );
    }
    seen?.add(name);
    yield item;
  }
}

/**
 * Yields the items of a list. Yields none if the revision has no such list, or if the server does not offer it or does
 * not implement the method: servers with resources often have no templates.
 */
export async function* itemsOf(
  conversation: { offers(method: string): boolean; readonly request: SendPageRequest },
  list: ListRequest,
  params: object | undefined,
  options: PageOptions | undefined,
): AsyncGenerator<unknown, void, undefined> {
  const { method, member } = list;
  if (!conversation.offers(method)) return;
  const ask: SendPageRequest = (...request) => conversation.request(...request);
  try {
    yield* withoutTwins(list, pages(ask, method, member, params, options));
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== METHOD_NOT_FOUND) throw error;
  }
}

/**
 * Returns one result with the items from all pages, or from one page if the parameters have a cursor. If a cursor is
 * refused, the list is fetched once more from the beginning, because the pages received so far may be outdated (MCP:
 * pagination, caching).
 */
export async function wholeList(
  ask: SendPageRequest,
  list: ListRequest,
  params: object | undefined,
  options: PageOptions | undefined,
): Promise<unknown> {
  const { method, member } = list;
  if (params && "cursor" in params && params.cursor !== undefined) {
    return ask(method, params, options);
  }
  let hasPages = false;
  const collect = async (): Promise<unknown> => {
    let last: object = {};
    const remember: SendPageRequest = async (...request) => {
      const page = await ask(...request);
      last = page as object;
      hasPages = true;
      return page;
    };
    const items: unknown[] = [];
    const all = pages(remember, method, member, params, options);
    for await (const item of withoutTwins(list, all)) items.push(item);
    return { ...last, [member]: items };
  };
  try {
    return await collect();
  } catch (error) {
    const isInvalid = error instanceof RpcError && error.code === INVALID_PARAMS;
    if (!isInvalid || !hasPages) throw error;
    return collect();
  }
}

/** A request whose response was lost with the connection. The server may or may not have executed it. */
export interface LostRequest {
  readonly method: string;
  readonly params: unknown;
}

/** Decides which lost requests are sent again, see `ConnectOptions.retryLost`. */
export type RetryLost = boolean | ((request: LostRequest, error: Error) => boolean);

/** The maximum number of tools to remember. The tool that was listed longest ago is removed first. */
const MOST = 10_000;

export type SendAgain = (
  method: string,
  params: unknown,
  request: () => Promise<unknown>,
) => Promise<unknown>;

/** Returns the methods that only read: those whose results are paginated or, in one of the revisions, may be cached. */
export function readsOf(revisions: readonly Revision[]): ReadonlySet<string> {
  const rows = revisions.flatMap(({ methods }) => [...methods.values()]);
  const reads = rows.filter(({ paginated, cacheable }) => paginated || cacheable);
  return new Set(reads.map(({ method }) => method));
}

/**
 * Creates the function that sends lost requests again once, if that is safe.
 * @param isRead - true for lists and reads
 */
export function sendingAgain(
  decide: Exclude<RetryLost, false> | "reads",
  isRead: (method: string) => boolean,
): SendAgain {
  const repeatable = new Set<string>();
  const mayRepeat = ({ method, params }: LostRequest, error: Error): boolean => {
    if (typeof decide === "function") return decide({ method, params }, error);
    if (method !== "tools/call") return isRead(method);
    return isObject(params) && repeatable.has(params["name"] as string);
  };
  return async (method, params, request) => {
    let result: unknown;
    try {
      result = await request();
    } catch (error) {
      if (!isLoss(error) || !mayRepeat({ method, params }, error)) throw error;
      result = await request().catch((again: unknown) => {
        throw isLoss(again) ? error : again;
      });
    }
    if (method === "tools/list") learn(repeatable, result);
    return result;
  };
}

function learn(repeatable: Set<string>, result: unknown): void {
  const tools = isObject(result) ? result["tools"] : undefined;
  if (!Array.isArray(tools)) return;
  for (const tool of tools) {
    if (!isObject(tool) || typeof tool["name"] !== "string") continue;
    repeatable.delete(tool["name"]);
    const hints = isObject(tool["annotations"]) ? tool["annotations"] : {};
    if (hints["idempotentHint"] === true || hints["readOnlyHint"] === true) {
      repeatable.add(tool["name"]);
    }
  }
  for (const oldest of repeatable) {
    if (repeatable.size <= MOST) return;
    repeatable.delete(oldest);
  }
}

/**
 * Returns true if the connection ended or broke before the response arrived. An HTTP error with a status does not count
 * as a loss, because the status is a response.
 */
function isLoss(error: unknown): error is Error {
  if (!(error instanceof LocalError)) return false;
  if (error.code === "CONNECTION_CLOSED") return true;
  return error.code === "HTTP" && (error as { readonly status?: unknown }).status === undefined;
}
