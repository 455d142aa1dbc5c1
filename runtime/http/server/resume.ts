import { parseEventId } from "./event-format.js";
import { EventStream, type StreamSettings } from "./event-stream.js";
import type { Exchange } from "./exchange.js";
import type { HttpSession } from "./http-session.js";
import { EVENT_FIELDS } from "./post.js";
import { NO_SUCH_SESSION, type Problem, problem, refuse } from "./problem.js";
import type { SessionSharing } from "./session-sharing.js";

export const UNKNOWN: Problem = problem(
  400,
  "Last-Event-ID is not an event of this session that can be gone on from",
);

/**
 * Answers a GET that resumes a stream where it broke off: with the missed events, then with new ones. When there is
 * neither, it is refused, or a client that waits for an answer would come back for ever.
 */
export async function resume(
  session: HttpSession,
  exchange: Exchange,
  settings: StreamSettings,
  lastEventId: string,
  sharing?: SessionSharing,
): Promise<void> {
  const { store } = settings;
  const id = parseEventId(lastEventId);
  const isBeginning = id?.index === 0 && sharing === undefined;
  if (id === undefined || store === undefined || isBeginning)
    return refuse(exchange, UNKNOWN, session.revision);
  const live = session.stream(id.stream);
  if (live) return resumeLive(session, exchange, live, id.index);
  if (sharing) return sharing.resume(session, exchange, id);
  const events = await store.after(session.sessionId!, id.stream, id.index);
  if (session.isClosed) return refuse(exchange, NO_SUCH_SESSION, session.revision);
  if (!events?.length) return refuse(exchange, UNKNOWN, session.revision);
  const stream = new EventStream(settings, session.sessionId, id.stream);
  const primes = false;
  stream.resume(exchange.openStream(EVENT_FIELDS), id.index, events, primes);
  stream.end();
}

async function resumeLive(
  session: HttpSession,
  exchange: Exchange,
  stream: EventStream,
  index: number,
): Promise<void> {
  try {
    const events = await stream.missed(index);
    if (session.isClosed) return refuse(exchange, NO_SUCH_SESSION, session.revision);
    const hasNothingToSend = exchange.isGone || (stream.isOver && !events?.length);
    if (events === undefined || hasNothingToSend)
      return refuse(exchange, UNKNOWN, session.revision);
    stream.resume(exchange.openStream(EVENT_FIELDS), index, events, session.primes);
  } finally {
    stream.caughtUp();
  }
  // Only now: `caughtUp` first sends the events held meanwhile, and ends a stream that is over.
  session.deliverWaiting(stream);
}
