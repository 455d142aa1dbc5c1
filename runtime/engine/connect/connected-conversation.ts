import type { Progress, Session } from "../../api/index.js";
import { onDemand, quiet } from "../../ground/index.js";
import { LifecycleError, type RequestId } from "../../wire/index.js";
import type { Binding } from "../define/binding.js";
import { requestedInOnce } from "../define/errors.js";
import type { Conversation } from "../receive/request-context.js";
import type { Agreement, Connection } from "./lifecycle.js";

const whenOnce = /* @__PURE__ */ onDemand(() => import("../once/index.js"));

/** Returns a session's conversation, or the one for messages that a stateless client receives. */
export function conversationUnder(connection: Connection, binding: Binding): Conversation {
  const { lifecycle } = connection;
  return {
    side: connection.side,
    binding,
    report: connection.report,
    sessionOf: () => connection.session,
    control(context) {
      const { params, row } = context;
      switch (row.role) {
        case undefined:
          return undefined;
        case "ping":
          return {};
        case "cancelled": {
          const { requestId, reason } = params as { requestId?: unknown; reason?: unknown };
          return context.owner?.cancel(requestId, reason);
        }
        case "progress":
          return connection.sent.progress(
            params as Progress & { readonly progressToken: RequestId },
          );
        default:
          return lifecycle.control(row.role, params, context);
      }
    },
    request(method, params, options, context) {
      if (context.work?.isCalling) return quiet(Promise.reject(requestedInOnce(method)));
      return connection.request(method, params, options, context);
    },
    notify: (method, params, context) => connection.notify(method, params, context),
    once: (key, work, context) =>
      whenOnce(({ Once }) => (context.work ??= new Once()).do(key, work)),
    releaseStream({ id }, retry) {
      if (id === undefined || !binding.revision?.conventions.polling) return;
      connection.hooks?.releaseStream?.(id, retry);
    },
    cancelRequestsOf: (context, reason) => connection.sent.cancelDuring(context, reason),
  };
}

export function sessionOver(connection: Connection): Session {
  const agreed = (): Agreement => {
    const { agreement } = connection;
    if (agreement === undefined) throw new LifecycleError("No revision has been negotiated yet");
    return agreement;
  };
  return {
    get id() {
      return connection.hooks?.sessionId;
    },
    get revision() {
      return agreed().revision;
    },
    get peer() {
      return agreed().peer;
    },
    closed: connection.finished,
    request: (method, params, options) => connection.request(method, params, options),
    notify: (method, params, once) => connection.notify(method, params, undefined, once),
    answer(questions, call, signal) {
      const { lifecycle } = connection;
      if (lifecycle.answer) return lifecycle.answer(questions, call, signal);
      const text = `${agreed().revision.id} supports requests for input only as separate requests`;
      return Promise.reject(new LifecycleError(text));
    },
  };
}
