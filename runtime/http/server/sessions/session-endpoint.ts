import { quote, type Revision } from "../../../wire/index.js";
import type { EndpointParts } from "../endpoint-parts.js";
import {
  type AnswerForm,
  acceptedTypes,
  isRequest,
  type BodyReading,
  readMessage,
  requestIds,
  whyInvalid,
} from "../requests/body.js";
import { EVENT_FIELDS, type Exchange, revisionOfRefusal } from "../requests/exchange.js";
import {
  bodyProblem,
  headerMismatch,
  problem,
  type Problem,
  PROBLEMS,
} from "../requests/problem.js";
import { MemoryEventStore } from "../streams/event-store.js";
import { EventStream } from "../streams/event-stream.js";
import { parseEventId } from "../streams/server-sent-events.js";
import { streamsOf } from "../streams/stream-settings.js";
import { HttpSession } from "./http-session.js";
import { type SearchResult, Sessions } from "./sessions.js";

type HandleStateless = (
  exchange: Exchange,
  reading: BodyReading,
  form: AnswerForm,
) => void | Promise<void>;

export class SessionEndpoint {
  readonly #parts: EndpointParts;
  readonly #handleStateless: HandleStateless;
  readonly sessions: Sessions;

  constructor(parts: EndpointParts, handleStateless: HandleStateless) {
    const { eventStore = new MemoryEventStore() } = parts.settings;
    const streams = streamsOf(parts);
    this.#parts = parts;
    this.#handleStateless = handleStateless;
    this.sessions = new Sessions(
      parts,
      parts.sharing ? streams : { ...streams, store: eventStore ?? undefined },
    );
  }

  async post(exchange: Exchange, form: AnswerForm): Promise<void> {
    const { hasSessions, kinds, reading: budget, settings } = this.#parts;
    const isKnown = hasSessions && exchange.head.fields["mcp-session-id"] !== undefined;
    const finding = isKnown ? this.#sessionOf(exchange) : undefined;
    const session = finding instanceof Promise ? await finding : finding;
    if (isKnown && !session) return;

    const isOpening = !session && hasSessions;
    const { maxBodyBytes, maxInitializeBytes } = settings;
    const maxBytes = isOpening ? Math.min(maxBodyBytes, maxInitializeBytes) : maxBodyBytes;
    const reading = await readMessage(exchange, maxBytes, budget, settings);
    if (reading.problem) {
      const refusal = bodyProblem(reading.problem, maxBytes, maxBodyBytes);
      return this.#refuse(exchange, refusal, session?.revision);
    }
    if (this.#parts.revisions.stateless.length > 0 && kinds.isStatelessMessage(reading.value))
      return this.#handleStateless(exchange, reading, form);
    const refusal = this.#whyNotNow(session, exchange, reading);
    if (refusal) return this.#refuse(exchange, refusal, session?.revision);
    if (session) return this.#deliver(session, exchange, reading, form);
    await this.#begin(exchange, reading, form);
  }

  async get(exchange: Exchange): Promise<void> {
    const { accept, "last-event-id": lastEventId } = exchange.head.fields;
    const acceptsAny = accept === undefined && this.#parts.settings.lenientAccept === true;
    if (!acceptsAny && !acceptedTypes(accept).events)
      return this.#refuse(exchange, PROBLEMS.notAcceptable);
    const session = await this.#sessionOf(exchange);
    if (session === undefined) return;
    const { sharing } = this.sessions;
    if (lastEventId) await this.#resume(session, exchange, lastEventId);
    else if (exchange.isGone) this.#refuse(exchange, PROBLEMS.gone);
    else if (session.isClosed) this.#refuse(exchange, PROBLEMS.noSession, session.revision);
    else if (sharing) await sharing.listen(session, exchange);
    else session.listen(exchange);
  }

  /**
   * Answers a GET that resumes a broken stream: sends the missed events, and then new ones. If there will be neither,
   * the GET is refused, because a client that waits for an answer would otherwise reconnect forever.
   */
  async #resume(session: HttpSession, exchange: Exchange, lastEventId: string): Promise<void> {
    const { sharing, streams } = this.sessions;
    const { store } = streams;
    const id = parseEventId(lastEventId);
    const isBeginning = id?.index === 0 && sharing === undefined;
    if (id === undefined || store === undefined || isBeginning)
      return exchange.refuse(PROBLEMS.unknownEvent, session.revision);
    const live = session.stream(id.stream);
    if (live) return resumeLive(session, exchange, live, id.index);
    if (sharing) return sharing.resume(session, exchange, id);
    const events = await store.after(session.sessionId!, id.stream, id.index);
    const refused = session.isClosed ? PROBLEMS.noSession : PROBLEMS.unknownEvent;
    if (session.isClosed || !events?.length) return exchange.refuse(refused, session.revision);
    const stream = new EventStream(streams, session.sessionId, id.stream);
    const primes = false;
    stream.resume(exchange.openStream(EVENT_FIELDS), id.index, events, primes);
    stream.end();
  }

  async delete(exchange: Exchange): Promise<void> {
    const session = await this.#sessionOf(exchange);
    if (session === undefined) return;
    await this.sessions.end(session);
    exchange.respond(200);
  }

  /**
   * Returns the reason why a POST is refused for now. Within a session, responses and notifications are never refused,
   * because requests in progress may depend on them.
   */
  #whyNotNow(
    session: HttpSession | undefined,
    exchange: Exchange,
    { size, value }: BodyReading,
  ): Problem | undefined {
    const { life, posts } = this.#parts;
    const refused = life.accepts(exchange) ? posts.whyFull(session, size) : PROBLEMS.closing;
    return refused && session && requestIds(value).length === 0 ? undefined : refused;
  }

  /**
   * Returns the session that a request belongs to. If the result is undefined, the request has already been answered.
   */
  #sessionOf(exchange: Exchange): HttpSession | undefined | Promise<HttpSession | undefined> {
    const id = exchange.head.fields["mcp-session-id"];
    if (id === undefined) return this.#checked(exchange, PROBLEMS.noSessionId);
    const { auth, head } = exchange;
    const sender = { principal: auth?.principal, address: head.address };
    const found = this.sessions.find(id, sender);
    return found instanceof Promise
      ? found.then((one) => this.#checked(exchange, one))
      : this.#checked(exchange, found);
  }

  #checked(exchange: Exchange, found: SearchResult): HttpSession | undefined {
    if (!(found instanceof HttpSession)) return void this.#refuse(exchange, found);
    const refused = versionProblem(exchange, found.revision);
    if (refused === undefined) return found;
    return void this.#refuse(exchange, refused, found.revision);
  }

  #deliver(
    session: HttpSession,
    exchange: Exchange,
    reading: BodyReading,
    form: AnswerForm,
  ): void | Promise<void> {
    if (session.isClosed) return this.#refuse(exchange, PROBLEMS.noSession, session.revision);
    if (reading.malformedness) return session.refuse(exchange, reading.malformedness);
    const { value, size } = reading;
    const { sharing } = this.sessions;
    if (sharing === undefined) return session.receive(exchange, reading, form);
    return sharing.forward(session, value).then((own) => {
      if (own === undefined) exchange.respond(202);
      else if (session.isClosed) this.#refuse(exchange, PROBLEMS.noSession, session.revision);
      else session.receive(exchange, { value: own, size }, form);
    });
  }

  async #begin(exchange: Exchange, reading: BodyReading, form: AnswerForm): Promise<void> {
    const { value, size } = reading;
    const { hasSessions, kinds, revisions } = this.#parts;
    const malformed = reading.malformedness ?? whyInvalid(value);
    if (malformed) return exchange.refuseUnreadable(malformed, this.#revisionOf(exchange));
    if (isRequest(value) && kinds.openings.has(value.method)) {
      const full = hasSessions ? this.sessions.makeRoom(exchange.auth?.principal, size) : undefined;
      if (full) return this.#refuse(exchange, full);
      return this.#serve(exchange, reading, form);
    }
    const unnamed = this.#whyUnnamed(exchange);
    if (unnamed) return exchange.refuse(unnamed, undefined, isRequest(value) ? value.id : null);
    if (hasSessions) return this.#refuse(exchange, PROBLEMS.noSessionId);
    const revision = assumedRevision(exchange, revisions.sessions);
    if ("status" in revision) return this.#refuse(exchange, revision);
    return this.#serve(exchange, reading, form, revision.id);
  }

  /**
   * Returns the refusal for a request that names no revision, if stateless revisions are served and clients of every
   * session revision must name theirs.
   */
  #whyUnnamed(exchange: Exchange): Problem | undefined {
    const { revisions, server } = this.#parts;
    const [preferred] = revisions.stateless;
    if (preferred === undefined || !lacksVersion(exchange, revisions.sessions)) return undefined;
    const ids = server.revisions.map(({ id }) => id).join(", ");
    return headerMismatch(
      preferred,
      `MCP-Protocol-Version is missing: send one of ${ids}, or initialize first`,
    );
  }

  /** @param assume - the id of the revision to assume for a request without a session */
  async #serve(
    exchange: Exchange,
    reading: BodyReading,
    form: AnswerForm,
    assume?: string,
  ): Promise<void> {
    const hasId = assume === undefined && this.#parts.hasSessions;
    const id = hasId ? await this.sessions.newId() : undefined;
    const { server, session } = this.sessions.create(exchange, reading, id);
    try {
      await server.connect(session, assume === undefined ? {} : { assume });
      if (this.#parts.life.accepts(exchange)) return session.receive(exchange, reading, form);
      session.end();
      this.#refuse(exchange, PROBLEMS.closing);
    } catch (error) {
      session.end();
      throw error;
    }
  }

  #revisionOf(exchange: Exchange): Revision | undefined {
    return revisionOfRefusal(exchange, this.#parts.server.revisions);
  }

  #refuse(exchange: Exchange, refused: Problem, revision?: Revision): void {
    exchange.refuse(refused, revision ?? this.#revisionOf(exchange));
  }
}

async function resumeLive(
  session: HttpSession,
  exchange: Exchange,
  stream: EventStream,
  index: number,
): Promise<void> {
  try {
    const events = await stream.missed(index);
    const hasNothing = events === undefined || exchange.isGone || stream.isOverAfter(index);
    const refused = session.isClosed ? PROBLEMS.noSession : PROBLEMS.unknownEvent;
    if (session.isClosed || hasNothing) return exchange.refuse(refused, session.revision);
    stream.resume(exchange.openStream(EVENT_FIELDS), index, events, session.primes);
  } finally {
    stream.caughtUp();
  }
  // This must follow `caughtUp`, which first sends the events held in the meantime, and ends a stream that is over.
  session.deliverWaiting(stream);
}

/**
 * Returns the problem if a request's `MCP-Protocol-Version` differs from the session's. A missing field is not a
 * problem.
 */
function versionProblem(exchange: Exchange, agreed: Revision | undefined): Problem | undefined {
  if (!agreed?.conventions.versionHeader) return undefined;
  const named = exchange.head.fields["mcp-protocol-version"];
  if (named === undefined || named === agreed.id) return undefined;
  return problem(
    400,
    `MCP-Protocol-Version is ${quote(named)}, but this session negotiated ${agreed.id}`,
  );
}

function lacksVersion(exchange: Exchange, revisions: readonly Revision[]): boolean {
  return (
    exchange.head.fields["mcp-protocol-version"] === undefined &&
    withoutHeader(revisions) === undefined
  );
}

/**
 * Returns the revision of a request without a session. If the header is missing, the client is older than the header.
 */
function assumedRevision(exchange: Exchange, revisions: readonly Revision[]): Revision | Problem {
  const named = exchange.head.fields["mcp-protocol-version"];
  const found =
    named === undefined ? withoutHeader(revisions) : revisions.find(({ id }) => id === named);
  if (found) return found;
  const known = revisions.map(({ id }) => id).join(", ");
  const what = named === undefined ? "is missing" : `${quote(named)} is not supported`;
  return problem(400, `MCP-Protocol-Version ${what}: send one of ${known}`);
}

function withoutHeader(revisions: readonly Revision[]): Revision | undefined {
  const older = revisions.filter(({ conventions }) => !conventions.versionHeader);
  return older.find(({ conventions }) => conventions.http === "streamable") ?? older[0];
}
