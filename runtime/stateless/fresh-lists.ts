import type { Binding, Continuation, PendingRequests, PendingRequest } from "../engine/index.js";
import { type Method, RpcError, isObject } from "../wire/index.js";
import type { RequestMeta } from "./request-meta.js";

/** Page limit that guards against endless lists. */
const MAX_PAGES = 100;

/**
 * Sends a request once more when its header fields did not fit what the server has, after the list was fetched that
 * says which there are: the transport learns them from it (MCP: custom headers). All of the list has the time of one
 * request.
 */
export class FreshLists implements Continuation {
  readonly #binding: Binding;
  readonly #meta: RequestMeta;

  constructor(binding: Binding, meta: RequestMeta) {
    this.#binding = binding;
    this.#meta = meta;
  }

  refused(
    request: PendingRequest,
    error: Error,
    requests: PendingRequests,
  ): Promise<unknown> | undefined {
    const { revision, outbound } = this.#binding;
    const list = outbound.get(request.row.paramHeaders!);
    const code = revision?.errorCodes["HEADER_MISMATCH"];
    if (!list || !(error instanceof RpcError) || error.code !== code) return undefined;
    return this.#again(request, list, requests);
  }

  async #again(request: PendingRequest, list: Method, requests: PendingRequests): Promise<unknown> {
    const { options, during, times, stateless } = request;
    const until = performance.now() + times.timeout;
    let cursor: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const params = this.#meta.around(cursor === undefined ? undefined : { cursor });
      const left = until - performance.now();
      const own = { ...options, timeout: left, maxTotalTimeout: left, onprogress: undefined };
      const result = await requests.request({ row: list, params, stateless }, own, during).promise;
      cursor = isObject(result) ? result["nextCursor"] : undefined;
      if (cursor === undefined) break;
    }
    // What was listed just now is newer than a definition that the caller had.
    return requests.request(request, { ...options, tool: undefined }, during).promise;
  }
}
