import type { Revision } from "../../../wire/index.js";
import type { EndpointParts } from "../endpoint-parts.js";
import {
  type AnswerForm,
  acceptedTypes,
  isRequest,
  type Reading,
  readMessage,
  requestIds,
  whyInvalid,
} from "../requests/body.js";
import { type Exchange, revisionOfRefusal } from "../requests/exchange.js";
import { headerMismatch, type Problem, PROBLEMS } from "../requests/problem.js";
import { MemoryEventStore } from "../streams/event-store.js";
import { HttpSession } from "./http-session.js";
import { resume } from "./resume.js";
import type { LocalSession, RestoredSession } from "./session-sharing.js";
import { type SearchResult, Sessions } from "./sessions.js";
import { assumedRevision, lacksVersion, versionProblem } from "./version-header.js";

/** Handles the contents of a POST, if they turn out to be stateless. */
type HandleStateless = (
  exchange: Exchange,
  reading: Reading,
  form: AnswerForm,
) => void | Promise<void>;

/**
 * Answers requests in sessions, and requests without a session from clients of session revisions.
 */
export class SessionEndpoint {
  readonly #parts: EndpointParts;
  readonly #handleStateless: HandleStateless;
  readonly #sessions: Sessions;

  constructor(parts: EndpointParts, handleStateless: HandleStateless) {
    const { eventStore = new MemoryEventStore() } = parts.settings;
    const streams = parts.sharing
      ? parts.streams
      : { ...parts.streams, store: eventStore ?? undefined };
    this.#parts = parts;
    this.#handleStateless = handleStateless;
    this.#sessions = new Sessions({ ...parts, streams });
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Number of messages that wait for streams, of all sessions. */
  get queued(): number {
    return this.#sessions.queued;
  }

  /** Restores a session that another instance opened. */
  restore(session: RestoredSession): Promise<LocalSession | Problem> {
    return this.#sessions.restore(session);
  }

  /** Ends all sessions, or leaves them to other instances. */
  close(): void {
    this.#sessions.close();
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
      const isShort = reading.problem === PROBLEMS.tooLarge && maxBytes < maxBodyBytes;
      const refusal = isShort ? PROBLEMS.openingTooLarge : reading.problem;
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
    const { sharing, streams } = this.#sessions;
    if (lastEventId) await resume(session, exchange, streams, lastEventId, sharing);
    else if (exchange.isGone) this.#refuse(exchange, PROBLEMS.gone);
    else if (sharing) await sharing.listen(session, exchange);
    else session.listen(exchange);
  }

  async delete(exchange: Exchange): Promise<void> {
    const session = await this.#sessionOf(exchange);
    if (session === undefined) return;
    await this.#sessions.end(session);
    exchange.respond(200);
  }

  /** Never refuses responses and notifications: requests in progress may depend on them. */
  #whyNotNow(
    session: HttpSession | undefined,
    exchange: Exchange,
    { size, value }: Reading,
  ): Problem | undefined {
    const { life, posts } = this.#parts;
    const refused = life.accepts(exchange) ? posts.whyFull(session, size) : PROBLEMS.closing;
    return refused && session && requestIds(value).length === 0 ? undefined : refused;
  }

  /** Session that a request belongs to; if there is none, the request has been answered. */
  #sessionOf(exchange: Exchange): HttpSession | undefined | Promise<HttpSession | undefined> {
    const id = exchange.head.fields["mcp-session-id"];
    if (id === undefined) return this.#checked(exchange, PROBLEMS.noSessionId);
    const found = this.#sessions.find(id, exchange.auth?.principal);
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
    reading: Reading,
    form: AnswerForm,
  ): void | Promise<void> {
    if (session.isClosed) return this.#refuse(exchange, PROBLEMS.noSession, session.revision);
    if (reading.malformedness) return session.refuse(exchange, reading.malformedness);
    const { value, size } = reading;
    const { sharing } = this.#sessions;
    if (sharing === undefined) return session.receive(exchange, reading, form);
    return sharing.forward(session, value).then((own) => {
      if (own === undefined) exchange.respond(202);
      else if (session.isClosed) this.#refuse(exchange, PROBLEMS.noSession, session.revision);
      else session.receive(exchange, { value: own, size }, form);
    });
  }

  /** Handles a message without a session: it opens one, or needs none. */
  async #begin(exchange: Exchange, reading: Reading, form: AnswerForm): Promise<void> {
    const { value, size } = reading;
    const { hasSessions, kinds, revisions } = this.#parts;
    const malformed = reading.malformedness ?? whyInvalid(value);
    if (malformed) return exchange.refuseUnreadable(malformed, this.#revisionOf(exchange));
    if (isRequest(value) && kinds.openings.has(value.method)) {
      const full = hasSessions
        ? this.#sessions.makeRoom(exchange.auth?.principal, size)
        : undefined;
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

  /** Refusal of a request that names no revision, if no session revision has clients that do not name it. */
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

  /** @param assume - id of the revision of a request without a session */
  async #serve(
    exchange: Exchange,
    reading: Reading,
    form: AnswerForm,
    assume?: string,
  ): Promise<void> {
    const hasId = assume === undefined && this.#parts.hasSessions;
    const id = hasId ? await this.#sessions.newId() : undefined;
    const { server, session } = this.#sessions.create(exchange, reading, id);
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
