import type { AnyHandler, StepSource } from "../api/index.js";
import {
  type Binding,
  type LifecycleStrategy,
  type Opening,
  type Route,
  inboundRoute,
  receivable,
  unbound,
} from "../engine/index.js";
import { oncePerList } from "../ground/index.js";
import { clientRules, commonRules } from "../rules/index.js";
import {
  INVALID_REQUEST,
  type Method,
  type Revision,
  type Role,
  RpcError,
  type Side,
} from "../wire/index.js";
import { ClientHandshake } from "./client-handshake.js";
import { questionRules } from "./questions.js";
import { ServerHandshake } from "./server-handshake.js";

/** Clients of sessions (MCP: lifecycle, initialization). */
export const clientHandshake: LifecycleStrategy = (opening) => {
  const { revisions } = opening;
  const bind = binder(opening, clientRules(opening.definition));
  const early = whileInitializing(revisions, bind(revisions[0]!));
  return { begin: (start) => new ClientHandshake(opening, bind, early, start) };
};

/** Servers of sessions. */
export const serverHandshake: LifecycleStrategy = (opening) => {
  const early = beforeInitialize(opening.revisions);
  const bind = binder(opening, [...commonRules(opening.definition), questionRules]);
  return { begin: (start) => new ServerHandshake(opening, bind, early, start) };
};

function binder(
  { bind }: Opening,
  sources: readonly StepSource[],
): (revision: Revision) => Binding {
  return (revision) => bind(revision, sources);
}

/** Binding of a server before a client has initialized: it answers `initialize` and pings. */
export const beforeInitialize: (revisions: readonly Revision[]) => Binding =
  /* @__PURE__ */ oncePerList((revisions: readonly Revision[]) => ({
    ...unbound(undefined),
    requests: refuseAllBut(["initialize", "ping"], "server", revisions),
  }));

/** Binding of a client before it opens a session: it answers pings. */
export const beforeHandshake: (revisions: readonly Revision[]) => Binding =
  /* @__PURE__ */ oncePerList((revisions: readonly Revision[]) => ({
    ...unbound(undefined),
    requests: refuseAllBut(["ping"], "client", revisions),
  }));

/** Binding of a client that waits for the server's `initialize` result, which it may not cancel. */
export function whileInitializing(revisions: readonly Revision[], preferred: Binding): Binding {
  const roles: Role[] = ["initialize", "ping"];
  const rows = roles.flatMap((role) => preferred.roles.get(role) ?? []);
  return {
    ...beforeHandshake(revisions),
    notifications: preferred.notifications,
    outbound: new Map(rows.map((row) => [row.method, withoutContents(row)])),
    capabilities: preferred.capabilities,
  };
}

function refuseAllBut(
  roles: readonly Role[],
  side: Side,
  revisions: readonly Revision[],
): Map<string, Route> {
  const requests = new Map<string, Route>();
  for (const row of revisions.flatMap((revision) => [...receivable(revision, side)])) {
    if (row.kind !== "request") continue;
    const handler = row.role && roles.includes(row.role) ? undefined : refuse;
    requests.set(row.method, inboundRoute({ row: withoutContents(row) }, handler));
  }
  return requests;
}

const refuse: AnyHandler = (_params, { method }) => {
  throw new RpcError(INVALID_REQUEST, `Invalid request: ${method} came before initialization`);
};

/** Copy of a row that accepts any contents, because their revision is not known yet. */
function withoutContents({ method, kind, from, channel, role }: Method): Method {
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
