import type { FetchLike } from "./transport.js";

/** A `fetch` whose calls have further options by default; headers of both are sent, those of the call win. */
export function createFetchWithInit(
  baseFetch: FetchLike = fetch,
  baseInit?: RequestInit,
): FetchLike {
  if (baseInit === undefined) return baseFetch;
  return (url, init) =>
    baseFetch(url, { ...baseInit, ...init, headers: headersOf(baseInit, init) });
}

/** Headers in any form as an object. */
export function normalizeHeaders(headers: HeadersInit | undefined): Record<string, string> {
  if (headers === undefined || headers instanceof Headers || Array.isArray(headers)) {
    return Object.fromEntries(new Headers(headers));
  }
  return { ...headers };
}

function headersOf(...inits: (RequestInit | undefined)[]): Headers {
  const headers = new Headers();
  for (const init of inits) {
    new Headers(init?.headers).forEach((value, name) => headers.set(name, value));
  }
  return headers;
}
