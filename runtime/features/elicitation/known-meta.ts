import type { Revision, Trace } from "../../wire/index.js";

/**
 * Parameters of a request to the client, without `_meta` where the revision has none there: all requests on the wire
 * have it, of those inside results only some.
 */
export function withKnownMeta<Params extends object>(
  { methods }: Revision,
  method: string,
  params: Params,
): Params | Omit<Params, "_meta"> {
  const row = methods.get(method);
  if (!("_meta" in params) || row?.channel === "wire") return params;
  const trace: Trace = [];
  row?.params?.({ ...params, _meta: 0 }, trace);
  if (trace.some(({ path }) => path === "/_meta")) return params;
  const { _meta, ...others } = params;
  return others;
}
