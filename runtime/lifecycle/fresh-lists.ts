import type { Binding } from "../binding.js";
import { RpcError } from "../errors.js";
import type { RequestOptions } from "../options.js";
import { isObject } from "../validate.js";
import { type RequestTimes, timesOf } from "../request-times.js";
import type { Method } from "../revision.js";
import type { Attempt } from "./lifecycle.js";

/** Against a server whose list never ends. */
const MAX_PAGES = 100;

/**
 * Sends a request once more when its header fields did not fit what the server has, after the list was fetched that
 * says which there are: the transport learns them from it (MCP: custom headers). All of the list has the time of one
 * request.
 */
export function withFreshLists(
  { revision, outbound }: Binding,
  times: RequestTimes,
  send: Attempt,
): Attempt {
  const code = revision?.errorCodes["HEADER_MISMATCH"];
  return (request, options) =>
    send(request, options).catch(async (error: unknown) => {
      const list = outbound.get(request.row.paramHeaders!);
      if (!list || !(error instanceof RpcError) || error.code !== code) throw error;
      const { timeout } = timesOf(options, times);
      await fetchAll(list, performance.now() + timeout, options, send);
      return send(request, options);
    });
}

async function fetchAll(
  row: Method,
  until: number,
  options: RequestOptions,
  send: Attempt,
): Promise<void> {
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? undefined : { cursor };
    const left = until - performance.now();
    const times = { timeout: left, maxTotalTimeout: left };
    const result = await send({ row, params }, { ...options, ...times, onprogress: undefined });
    cursor = isObject(result) ? result["nextCursor"] : undefined;
    if (cursor === undefined) return;
  }
}
