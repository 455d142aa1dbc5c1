import { isObject } from "../../wire/index.js";

/** Parameters of a request, as far as its result depends on them. */
export type CacheParams = Readonly<Record<string, unknown>>;

/** The parameters without `_meta`, in an order of its own. */
export function cacheParams(params: unknown): CacheParams {
  if (!isObject(params)) return {};
  const { _meta, ...rest } = params;
  return Object.fromEntries(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * True when a request carries answers to questions of the server: its result is for this caller
 * only.
 */
export function hasAnswers({ inputResponses, requestState }: CacheParams): boolean {
  return inputResponses !== undefined || requestState !== undefined;
}
