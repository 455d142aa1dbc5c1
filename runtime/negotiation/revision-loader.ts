import { ofLifecycle } from "../engine/index.js";
import { type Receiver, type Revision, isObject } from "../wire/index.js";

/**
 * Receiver of a server that loads the revision of a session when a client opens one. Messages after
 * the opening one wait, so that all of them arrive in order; once a session is open, messages pass
 * through.
 */
export function loadingReceiver(receiver: Receiver, revisions: readonly Revision[]): Receiver {
  const sessions = ofLifecycle(revisions, "initialize");
  const opening = new Set(sessions.flatMap(openingMethods));
  let loading: Promise<unknown> | undefined;
  const load = (revision: Revision): void => {
    loading = revision
      .load?.()
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
    message(value, origin) {
      const method = (value as { readonly method?: string } | null)?.method;
      if (loading === undefined) {
        if (method === undefined || !opening.has(method)) return receiver.message(value, origin);
        load(wantedBy(value, sessions));
      }
      inOrder(() => receiver.message(value, origin));
    },
    malformed: (problem) => inOrder(() => receiver.malformed(problem)),
    failed: (id, error) => inOrder(() => receiver.failed(id, error)),
    ended: () => inOrder(() => receiver.ended()),
    closed: (error) => inOrder(() => receiver.closed(error)),
  };
}

function openingMethods({ methods }: Revision): string[] {
  return [...methods.values()].flatMap(({ role, method }) =>
    role === "initialize" ? [method] : [],
  );
}

/**
 * Revision that a message opens a session with: the one that it names, otherwise the preferred one.
 */
function wantedBy(value: unknown, sessions: readonly Revision[]): Revision {
  const params = isObject(value) ? value["params"] : undefined;
  const id = isObject(params) ? params["protocolVersion"] : undefined;
  return sessions.find((one) => one.id === id) ?? sessions[0]!;
}
