import { type AskForPage, type PageOptions, pages } from "../../paging.js";

/** Requests that are answered with a list, and the member of the result that it is. */
export const LISTS = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
} as const;

export type ListMethod = keyof typeof LISTS;

/** One result with what is on all pages; with a cursor in the parameters, with that page alone. */
export async function wholeList(
  ask: AskForPage,
  method: ListMethod,
  params: object | undefined,
  options: PageOptions | undefined,
): Promise<unknown> {
  if (params && "cursor" in params && params.cursor !== undefined) {
    return ask(method, params, options);
  }
  let last: object = {};
  const remember: AskForPage = async (...request) => {
    const page = await ask(...request);
    last = page as object;
    return page;
  };
  const items: unknown[] = [];
  for await (const item of pages(remember, method, LISTS[method], params, options)) {
    items.push(item);
  }
  return { ...last, [LISTS[method]]: items };
}
