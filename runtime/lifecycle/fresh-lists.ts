import type { Binding } from "../binding.js";
import { RpcError } from "../errors.js";
import type { RequestOptions } from "../options.js";
import { isObject } from "../validate.js";
import type { Admitted, Attempt } from "./lifecycle.js";

/** Against a server whose list never ends. */
const MAX_PAGES = 100;

/**
 * Sends a request once more when its header fields did not fit what the server has, after the list was fetched that
 * says which there are: the transport learns them from it (MCP: custom headers).
 */
export function withFreshLists({ revision, outbound }: Binding, send: Attempt): Attempt {
  return async (request, options) => {
    try {
      return await send(request, options);
    } catch (error) {
      const list = outbound.get(request.row.paramHeaders!);
      const code = revision?.errorCodes["HEADER_MISMATCH"];
      if (!list || !(error instanceof RpcError) || error.code !== code) throw error;
      await fetchAll({ row: list, params: undefined }, options, send);
      return send(request, options);
    }
  };
}

async function fetchAll({ row }: Admitted, options: RequestOptions, send: Attempt): Promise<void> {
  let cursor: unknown;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? undefined : { cursor };
    const result = await send({ row, params }, { ...options, onprogress: undefined });
    cursor = isObject(result) ? result["nextCursor"] : undefined;
    if (cursor === undefined) return;
  }
}
