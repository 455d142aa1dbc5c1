import type { Reply, StatelessRequests } from "../../../runtime/engine/index.js";
import { copyOf } from "./copy.js";
import type { Tap } from "./tap.js";

/** Wraps stateless requests so that a tap records their messages as they are sent and received. */
export function tappedRequests(inner: StatelessRequests, tap: Tap): StatelessRequests {
  const replies = new WeakMap<Reply, Reply>();
  return {
    get isClosed() {
      return inner.isClosed;
    },
    handle(request, version, reply, origin) {
      tap.received(copyOf(request));
      const tapped = tappedReply(reply, tap);
      replies.set(reply, tapped);
      inner.handle(request, version, tapped, origin);
    },
    react(notification, version, origin) {
      tap.received(copyOf(notification));
      inner.react(notification, version, origin);
    },
    cancel: (reply) => inner.cancel(replies.get(reply)!),
    close: () => inner.close(),
  };
}

function tappedReply(reply: Reply, tap: Tap): Reply {
  return {
    hasOwnStream: reply.hasOwnStream,
    connection: reply.connection,
    respond(answer) {
      tap.sent(copyOf(answer));
      reply.respond(answer);
    },
    send(message, relatedTo) {
      tap.sent(copyOf(message));
      return reply.send(message, relatedTo);
    },
    cancelled: (id) => reply.cancelled(id),
    dropped: () => reply.dropped?.(),
  };
}
