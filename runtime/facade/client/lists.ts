import { INVALID_PARAMS, RpcError, isObject } from "../../wire/index.js";
import { type AskForPage, type PageOptions, pages } from "../../api/index.js";
import type { ClientState } from "./client-state.js";

/** Requests that are answered with a list, and the member of the result that it is. */
export const LISTS = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
} as const;

export type ListMethod = keyof typeof LISTS;

/** The items of a list; none, where the server has said that it has nothing of that kind. */
export async function* itemsOf(
  conversation: Pick<ClientState, "client" | "request">,
  method: ListMethod,
  options: PageOptions | undefined,
): AsyncGenerator<unknown, void, undefined> {
  const [offer] = method.split("/") as [string];
  const { capabilities } = conversation.client.server ?? {};
  if (isObject(capabilities) && capabilities[offer] === undefined) return;
  const ask: AskForPage = (...request) => conversation.request(...request);
  yield* pages(ask, method, LISTS[method], undefined, options);
}

/**
 * One result with what is on all pages; with a cursor in the parameters, with that page alone. When a cursor counts for
 * nothing any more, the list is fetched once more from its beginning: the pages before may have been old ones (MCP:
 * pagination, caching).
 */
export async function wholeList(
  ask: AskForPage,
  method: ListMethod,
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
    for await (const item of pages(remember, method, LISTS[method], params, options)) {
      items.push(item);
    }
    return { ...last, [LISTS[method]]: items };
  };
  try {
    return await collect();
  } catch (error) {
    const isInvalid = error instanceof RpcError && error.code === INVALID_PARAMS;
    if (!isInvalid || !hasPages) throw error;
    return collect();
  }
}
