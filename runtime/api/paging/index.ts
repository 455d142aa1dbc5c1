import { InvalidMessageError, OverloadError } from "../../wire/index.js";
import type { ResultOf } from "../messages.js";
import type { RequestOptions } from "../request-options.js";

/** Options for fetching pages. They apply to each page's request. */
export interface PageOptions extends RequestOptions {
  /** The maximum number of pages to fetch, as a guard against endless lists. Default: 1000. */
  readonly maxPages?: number | undefined;
}

/** The members of a request's result that are lists, except those from an index signature. */
export type ListMember<Request> = keyof {
  [
    Name in keyof ResultOf<Request> as string extends Name
      ? never
      : ResultOf<Request>[Name] extends readonly unknown[]
        ? Name
        : never
  ]: never;
} &
  string;

export type ItemOf<Request, Member> = Member extends keyof ResultOf<Request>
  ? ResultOf<Request>[Member] extends readonly (infer Item)[]
    ? Item
    : never
  : never;

export type ParamsOf<Request> = Request extends { readonly params?: infer Params } ? Params : never;

export type SendPageRequest = (
  method: string,
  params: unknown,
  options: RequestOptions | undefined,
) => Promise<unknown>;

/**
 * Yields the items of a paginated list, fetching a page when its first item is requested. A page without a cursor is
 * the last one; an empty cursor is valid (MCP: pagination).
 *
 * @throws InvalidMessageError if the peer returns the same cursor twice, which would cause an endless loop
 * @throws OverloadError if there are more than `maxPages` pages
 */
export async function* pages(
  ask: SendPageRequest,
  method: string,
  member: string,
  params: unknown,
  options?: PageOptions,
): AsyncGenerator<unknown, void, undefined> {
  const { maxPages = 1000 } = options ?? {};
  const start = (params as { readonly cursor?: string } | undefined)?.cursor;
  const seen = new Set(start === undefined ? [] : [start]);
  let given = params;
  for (let page = 1; ; page += 1) {
    const result = (await ask(method, given, options)) as Page;
    yield* result[member] as readonly unknown[];
    const cursor = result.nextCursor;
    if (cursor === undefined) return;
    if (seen.has(cursor)) {
      throw new InvalidMessageError(`${method}: the peer returned the same cursor twice`);
    }
    if (page >= maxPages) {
      throw new OverloadError(
        `${method}: there are more than ${maxPages} pages; set maxPages to fetch them`,
      );
    }
    seen.add(cursor);
    given = { ...(params as object | undefined), cursor };
  }
}

interface Page {
  readonly nextCursor?: string;
  readonly [member: string]: unknown;
}
