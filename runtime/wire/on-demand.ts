import { completedBy } from "./extended-revision.js";
import { METHOD_DEFAULTS } from "./method-table.js";
import type { Method, Revision } from "./revision.js";
import type { Receiver } from "./transport.js";
import { isObject } from "./validate.js";

/** Row of a method table without its validators; members with the usual value are left out. */
export type RowSummary = Partial<Method> & Pick<Method, "method" | "kind" | "from">;

/** Everything that is known of a revision before its validators and its projection are loaded. */
export interface RevisionSummary extends Pick<
  Revision,
  "id" | "traits" | "conventions" | "lifecycle" | "errorCodes" | "families"
> {
  readonly rows: readonly RowSummary[];
}

/**
 * Revision that is agreed on by its summary, and loaded when a peer wants it.
 *
 * @param load - imports the module that has the whole revision
 */
export function onDemand(
  { rows, ...summary }: RevisionSummary,
  load: () => Promise<{ readonly revision: Revision }>,
): Revision {
  const methods = rows.map((row) => ({ ...METHOD_DEFAULTS, paramsOptional: true, ...row }));
  const revision: Revision = {
    ...summary,
    methods: new Map(methods.map((row) => [row.method, row])),
  };
  return completedBy(Object.assign(revision, { hold }), async () => (await load()).revision);
}

/**
 * Receiver of a server that loads the revision of a session when a client opens one. Messages behind the opening one
 * wait, so that all of them arrive in order.
 */
function hold(receiver: Receiver, revisions: readonly Revision[]): Receiver {
  const sessions = revisions.filter(({ traits }) => traits.lifecycle === "initialize");
  let loading: Promise<unknown> | undefined;
  const load = (value: unknown): void => {
    const wanted = wantedBy(value, sessions);
    if (loading || !wanted?.load) return;
    loading = wanted
      .load()
      .catch((error: Error) => receiver.failed(undefined, error))
      .finally(() => {
        loading = undefined;
      });
  };
  const inOrder = (deliver: () => void): void => {
    if (loading) void loading.then(() => inOrder(deliver));
    else deliver();
  };
  return {
    message: (value, origin) => {
      load(value);
      inOrder(() => receiver.message(value, origin));
    },
    malformed: (problem) => inOrder(() => receiver.malformed(problem)),
    failed: (id, error) => inOrder(() => receiver.failed(id, error)),
    ended: () => inOrder(() => receiver.ended()),
    closed: (error) => inOrder(() => receiver.closed(error)),
  };
}

/** Revision that a message opens a session with: the one that it names, or else the preferred one. */
function wantedBy(value: unknown, sessions: readonly Revision[]): Revision | undefined {
  if (!isObject(value)) return undefined;
  const { method, params } = value;
  const opens = sessions.some((one) => one.methods.get(method as string)?.role === "initialize");
  if (!opens) return undefined;
  const id = isObject(params) ? params["protocolVersion"] : undefined;
  return sessions.find((one) => one.id === id) ?? sessions[0];
}
