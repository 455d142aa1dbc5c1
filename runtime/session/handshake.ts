import type { AnyHandler } from "../api/index.js";
import { type Route, inboundRoute, receivable } from "../engine/index.js";
import {
  INVALID_REQUEST,
  type Method,
  type Revision,
  type Role,
  RpcError,
  type Side,
} from "../wire/index.js";

export function refuseAllBut(
  roles: readonly Role[],
  side: Side,
  revisions: readonly Revision[],
): Map<string, Route> {
  const requests = new Map<string, Route>();
  for (const row of revisions.flatMap((revision) => [...receivable(revision, side)])) {
    if (row.kind !== "request" || requests.has(row.method)) continue;
    const handler = row.role && roles.includes(row.role) ? undefined : refuse;
    requests.set(row.method, inboundRoute({ row: withoutContents(row) }, handler));
  }
  return requests;
}

const refuse: AnyHandler = (_params, { method }) => {
  throw new RpcError(INVALID_REQUEST, `Invalid request: ${method} came before initialization`);
};

/** Returns a copy of a row that accepts any contents, because the revision that defines them is not yet known. */
export function withoutContents({ method, kind, from, channel, role }: Method): Method {
  return {
    method,
    kind,
    from,
    channel,
    ...(role && { role }),
    paramsOptional: true,
    paginated: false,
    cacheable: false,
  };
}
