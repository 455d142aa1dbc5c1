import { EVENT_FIELDS, type Exchange } from "../requests/exchange.js";
import { PROBLEMS } from "../requests/problem.js";
import { EventStream, type StreamSettings } from "../streams/event-stream.js";
import { parseEventId } from "../streams/server-sent-events.js";
import type { HttpSession } from "./http-session.js";
import type { SessionSharing } from "./session-sharing.js";

/**
 * Answers a GET that resumes a broken stream: sends the missed events, then new ones. If there will be neither, the GET
 * is refused; otherwise a client that waits for an answer would reconnect for ever.
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
    return exchange.refuse(PROBLEMS.unknownEvent, session.revision);
  const live = session.stream(id.stream);
  if (live) return resumeLive(session, exchange, live, id.index);
  if (sharing) return sharing.resume(session, exchange, id);
  const events = await store.after(session.sessionId!, id.stream, id.index);
  if (session.isClosed) return exchange.refuse(PROBLEMS.noSession, session.revision);
  if (!events?.length) return exchange.refuse(PROBLEMS.unknownEvent, session.revision);
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
    if (session.isClosed) return exchange.refuse(PROBLEMS.noSession, session.revision);
    const hasNothingToSend = exchange.isGone || stream.isOverAfter(index);
    if (events === undefined || hasNothingToSend)
      return exchange.refuse(PROBLEMS.unknownEvent, session.revision);
    stream.resume(exchange.openStream(EVENT_FIELDS), index, events, session.primes);
  } finally {
    stream.caughtUp();
  }
  // Only now: `caughtUp` first sends the events held meanwhile, and ends a stream that is over.
  session.deliverWaiting(stream);
}
