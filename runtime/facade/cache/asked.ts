import { isObject } from "../../wire/index.js";

/** What a request asks, as far as its result depends on it. */
export type Asked = Readonly<Record<string, unknown>>;

/** The parameters without `_meta`, in an order of its own. */
export function askedOf(params: unknown): Asked {
  if (!isObject(params)) return {};
  const { _meta, ...rest } = params;
  return Object.fromEntries(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether a request brings answers to questions of the server: its result is for nobody else. */
export function hasAnswers({ inputResponses, requestState }: Asked): boolean {
  return inputResponses !== undefined || requestState !== undefined;
}
