import type { HandlerContext, Sending } from "../../api/index.js";

/** The context of a handler that is called for a message of this side: no message of the server has asked for it. */
export function contextOf({ session, options, method, params }: Sending): HandlerContext {
  const { signal = new AbortController().signal } = options;
  return {
    method: "elicitation/create",
    id: undefined,
    session,
    call: { method, params, context: options.context },
    auth: undefined,
    header: () => undefined,
    signal,
    params,
    meta: undefined,
    progress: () => {},
    request: session.request.bind(session) as HandlerContext["request"],
    notify: session.notify.bind(session) as HandlerContext["notify"],
    once: async (_key, work) => work(),
    answers: {},
    state: undefined,
    requireScopes: () => {},
    releaseStream: () => {},
  };
}
