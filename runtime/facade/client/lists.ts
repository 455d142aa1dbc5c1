import { INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from "../../wire/index.js";
import { type AskForPage, type PageOptions, pages } from "../../api/index.js";
import type { ClientState } from "./client-state.js";

/**
 * Gives the items of a list; none where the revision has no such list, the server does not offer it, or does not know
 * the method: servers with resources often have no templates.
 *
 * @param member - list in the result
 */
export async function* itemsOf(
  conversation: Pick<ClientState, "offers" | "request">,
  method: string,
  member: string,
  options: PageOptions | undefined,
): AsyncGenerator<unknown, void, undefined> {
  if (!conversation.offers(method)) return;
  const ask: AskForPage = (...request) => conversation.request(...request);
  try {
    yield* pages(ask, method, member, undefined, options);
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== METHOD_NOT_FOUND) throw error;
  }
}

/**
 * Gives one result with the items of all pages; with a cursor in the parameters, of that page alone. When a cursor is
 * refused, the list is fetched once more from its beginning, because the pages so far may be outdated (MCP: pagination,
 * caching).
 */
export async function wholeList(
  ask: AskForPage,
  method: string,
  member: string,
  params: object | undefined,
  options: PageOptions | undefined,
): Promise<unknown> {
  if (params && "cursor" in params && params.cursor !== undefined) {
    return ask(method, params, options);
  }
  let hasPages = false;
  const collect = async (): Promise<unknown> => {
    let last: object = {};
    const remember: AskForPage = async (...request) => {
      const page = await ask(...request);
      last = page as object;
      hasPages = true;
      return page;
    };
    const items: unknown[] = [];
    for await (const item of pages(remember, method, member, params, options)) {
      items.push(item);
    }
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
