import type { Revision } from "../../wire/index.js";
import { answerForm } from "./answer-form.js";
import type { StreamSettings } from "./event-stream.js";
import type { Exchange } from "./exchange.js";
import type { ServerInstance } from "./server-instance.js";
import { Gate } from "./gate.js";
import type { HttpEndpoint } from "./handler.js";
import type { HandlerCounts } from "./handler-counts.js";
import type { HandlerHealth, HandlerState } from "./handler-health.js";
import { HandlerLife } from "./handler-life.js";
import { HttpSession } from "./http-session.js";
import { LiveStreams } from "./live-streams.js";
import { accepted } from "./media-types.js";
import { MemoryEventStore } from "./memory-event-store.js";
import { isRequest, requestIdOf, requestIds } from "./message-ids.js";
import { DEFAULTS, type HttpHandlerOptions } from "./options.js";
import type { AnswerForm } from "./post.js";
import { PostsInFlight } from "./posts-in-flight.js";
import {
  NO_SUCH_SESSION,
  NOT_ACCEPTABLE,
  type Problem,
  refuse,
  refuseUnreadable,
  SESSION_ID_MISSING,
  SHUTTING_DOWN,
} from "./problem.js";
import { ByteBudget } from "./byte-budget.js";
import {
  GONE,
  OPENING_TOO_LARGE,
  type Reading,
  readMessage,
  TOO_LARGE,
  whyInvalid,
  whyUnreadable,
} from "./read-message.js";
import { UnreadOutput } from "./unread-output.js";
import { reporter } from "./reporter.js";
import { resume } from "./resume.js";
import { servedRevisions } from "./served-revisions.js";
import { type SearchResult, SessionDesk, sharingOf } from "./session-desk.js";
import { failureOf } from "./session-sharing.js";
import { StatelessEndpoint } from "./stateless-endpoint.js";
import { openingMethods, RequestKinds } from "./request-kinds.js";
import {
  assumedRevision,
  lacksHeader,
  revisionOfRefusal,
  versionProblem,
} from "./version-header.js";

/** The one endpoint of Streamable HTTP (MCP: transports). */
export class StreamableEndpoint implements HttpEndpoint {
  readonly #server: ServerInstance;
  /** Revisions of sessions. */
  readonly #revisions: readonly Revision[];
  readonly #streams: StreamSettings;
  /** Endpoint of stateless requests; undefined where no revision is stateless. */
  readonly #stateless: StatelessEndpoint | undefined;
  readonly #kinds: RequestKinds;
  readonly #options: HttpHandlerOptions;
  readonly #gate: Gate;
  readonly #maxBodyBytes: number;
  readonly #maxInitializeBytes: number;
  readonly #report: (error: Error) => void;
  readonly #desk: SessionDesk;
  readonly #underWay: PostsInFlight;
  readonly #budget: ByteBudget;
  /** Methods that open a session. */
  readonly #openings: ReadonlySet<string>;
  readonly #kept: ByteBudget;
  readonly #life: HandlerLife;

  constructor(server: ServerInstance, options: HttpHandlerOptions) {
    const { sessions: revisions, stateless } = servedRevisions(server);
    const sharing = sharingOf(revisions, options);
    const { eventStore = new MemoryEventStore() } = options;
    this.#life = new HandlerLife(sharing && { sessions: () => sharing.check() });
    this.#server = server;
    this.#revisions = revisions;
    this.#kinds = RequestKinds.of(server.revisions);
    this.#options = options;
    this.#report = reporter(options.onerror);
    this.#maxBodyBytes = options.maxBodyBytes ?? DEFAULTS.maxBodyBytes;
    this.#maxInitializeBytes = options.maxInitializeBytes ?? DEFAULTS.maxInitializeBytes;
    const kept = new ByteBudget(options.maxBytesKept ?? DEFAULTS.maxBytesKept);
    this.#kept = kept;
    const underWay = new PostsInFlight(options);
    this.#underWay = underWay;
    this.#budget = new ByteBudget(options.maxBytesUnderWay ?? DEFAULTS.maxBytesUnderWay);
    this.#openings = openingMethods(revisions);
    const streams: StreamSettings = {
      store: sharing?.events ?? eventStore ?? undefined,
      maxAnswerBytes: options.maxAnswerBytes ?? DEFAULTS.maxAnswerBytes,
      unread: new UnreadOutput(options, this.#report),
      retry: options.retry ?? DEFAULTS.retry,
      live: new LiveStreams(options.keepAlive ?? DEFAULTS.keepAlive),
      report: this.#report,
    };
    this.#streams = streams;
    const shared = { options, streams, underWay, kept };
    this.#desk = new SessionDesk(server, { ...shared, revisions });
    const methods = this.#desk.isOpen ? ["GET", "POST", "DELETE"] : ["POST"];
    this.#gate = new Gate(options, methods, server.revisions, this.#report);
    this.#stateless =
      stateless.length > 0
        ? new StatelessEndpoint(server, { ...shared, revisions: stateless })
        : undefined;
  }

  get sessions(): number {
    return this.#desk.size;
  }

  get counts(): HandlerCounts {
    const { live, unread } = this.#streams;
    return {
      sessions: this.sessions,
      requests: this.#underWay.size,
      requestBytes: this.#underWay.bytes,
      readingBytes: this.#budget.bytes,
      streams: live.size,
      subscriptions: this.#stateless?.subscriptions ?? 0,
      keptBytes: this.#kept.bytes,
      queued: this.#desk.queued,
      unreadBytes: unread.bytes,
      refusals: this.#life.refusals.all,
    };
  }

  get state(): HandlerState {
    return this.#life.state;
  }

  health(timeout?: number): Promise<HandlerHealth> {
    return this.#life.health(timeout);
  }

  get wellKnownPaths(): readonly string[] {
    return this.#gate.wellKnownPaths;
  }

  async handle(exchange: Exchange): Promise<void> {
    this.#life.enter(exchange);
    this.#underWay.arrived();
    try {
      const admitted = this.#gate.admit(exchange);
      if (admitted !== true && !(await admitted)) return;
      if (!this.#life.takes(exchange) && !this.#drains(exchange))
        return this.#refuse(exchange, SHUTTING_DOWN);
      if (exchange.method === "POST") await this.#post(exchange);
      else if (exchange.method === "GET") await this.#get(exchange);
      else await this.#delete(exchange);
    } catch (error) {
      this.#refuse(exchange, failureOf(error, this.#report));
    } finally {
      this.#underWay.handedOver();
    }
  }

  leave(): void {
    this.#life.leave();
  }

  async close(drain = 2000): Promise<void> {
    this.#life.state = "draining";
    await this.#underWay.finish(drain);
    this.#life.state = "closed";
    this.#stateless?.end();
    await this.#desk.close();
  }

  /** True for a request that may bring or fetch an answer. */
  #drains({ method }: Exchange): boolean {
    return this.state === "draining" && method !== "DELETE";
  }

  async #post(exchange: Exchange): Promise<void> {
    const form = answerForm(exchange, this.#options);
    const refused = whyUnreadable(exchange) ?? (form ? undefined : NOT_ACCEPTABLE);
    if (refused) return this.#refuse(exchange, refused);
    const isStateless = this.#isStatelessHead(exchange);
    const { isOpen } = this.#desk;
    const isKnown = !isStateless && isOpen && exchange.header("mcp-session-id") !== undefined;
    const finding = isKnown ? this.#sessionOf(exchange) : undefined;
    const session = finding instanceof Promise ? await finding : finding;
    if (isKnown && !session) return;

    const maxBytes =
      session || isStateless || !isOpen
        ? this.#maxBodyBytes
        : Math.min(this.#maxBodyBytes, this.#maxInitializeBytes);
    const reading = await readMessage(exchange, maxBytes, this.#budget, this.#options);
    if (reading.problem) {
      const isShort = reading.problem === TOO_LARGE && maxBytes < this.#maxBodyBytes;
      const refusal = isShort ? OPENING_TOO_LARGE : reading.problem;
      return this.#refuse(exchange, refusal, session?.revision);
    }
    const stateless = this.#stateless;
    if (stateless && (isStateless || this.#kinds.isStatelessMessage(reading.value))) {
      if (!this.#life.takes(exchange)) return this.#refuse(exchange, SHUTTING_DOWN);
      return stateless.take(exchange, reading, form!);
    }
    const refusal = this.#whyNotNow(session, exchange, reading);
    if (refusal) return this.#refuse(exchange, refusal, session?.revision);
    if (session) return this.#deliver(session, exchange, reading, form!);
    await this.#begin(exchange, reading, form!);
  }

  /** True for a request that its header shows to be stateless; another one may show it by its message. */
  #isStatelessHead(exchange: Exchange): boolean {
    if (this.#stateless === undefined) return false;
    return this.#revisions.length === 0 || this.#kinds.isStatelessHead(exchange);
  }

  /** Never refuses responses and notifications: requests under way may depend on them. */
  #whyNotNow(
    session: HttpSession | undefined,
    exchange: Exchange,
    { size, value }: Reading,
  ): Problem | undefined {
    const isTaken = this.#life.takes(exchange);
    const refused = isTaken ? this.#underWay.whyFull(session, size) : SHUTTING_DOWN;
    return refused && session && requestIds(value).length === 0 ? undefined : refused;
  }

  async #get(exchange: Exchange): Promise<void> {
    const accept = exchange.header("accept");
    const takesAny = accept === undefined && this.#options.lenientAccept === true;
    if (!takesAny && !accepted(accept).events) return this.#refuse(exchange, NOT_ACCEPTABLE);
    const session = await this.#sessionOf(exchange);
    if (session === undefined) return;
    const lastEventId = exchange.header("last-event-id");
    const { sharing } = this.#desk;
    if (lastEventId) await resume(session, exchange, this.#streams, lastEventId, sharing);
    else if (exchange.isGone) this.#refuse(exchange, GONE);
    else if (sharing) await sharing.listen(session, exchange);
    else session.listen(exchange);
  }

  async #delete(exchange: Exchange): Promise<void> {
    const session = await this.#sessionOf(exchange);
    if (session === undefined) return;
    await this.#desk.end(session);
    exchange.respond(200);
  }

  /** The session that a request belongs to; when there is none, the request has been answered. */
  #sessionOf(exchange: Exchange): HttpSession | undefined | Promise<HttpSession | undefined> {
    const id = exchange.header("mcp-session-id");
    if (id === undefined) return this.#checked(exchange, SESSION_ID_MISSING);
    const found = this.#desk.find(id, exchange.auth?.principal);
    return found instanceof Promise
      ? found.then((one) => this.#checked(exchange, one))
      : this.#checked(exchange, found);
  }

  #checked(exchange: Exchange, found: SearchResult): HttpSession | undefined {
    const session = found instanceof HttpSession ? found : undefined;
    const refused = found instanceof HttpSession ? versionProblem(exchange, found.revision) : found;
    if (refused === undefined) return session;
    this.#refuse(exchange, refused, session?.revision);
    return undefined;
  }

  #deliver(
    session: HttpSession,
    exchange: Exchange,
    reading: Reading,
    form: AnswerForm,
  ): void | Promise<void> {
    if (session.isClosed) return this.#refuse(exchange, NO_SUCH_SESSION, session.revision);
    if (reading.malformedness) return session.refuse(exchange, reading.malformedness);
    const { value, size } = reading;
    const { sharing } = this.#desk;
    if (sharing === undefined) return session.receive(exchange, reading, form);
    return sharing.passOn(session, value).then((own) => {
      if (own === undefined) exchange.respond(202);
      else if (session.isClosed) this.#refuse(exchange, NO_SUCH_SESSION, session.revision);
      else session.receive(exchange, { value: own, size }, form);
    });
  }

  /** Takes a message that belongs to no session: it opens one, or does without. */
  async #begin(exchange: Exchange, reading: Reading, form: AnswerForm): Promise<void> {
    const { value } = reading;
    const malformed = reading.malformedness ?? whyInvalid(value);
    if (malformed) {
      return refuseUnreadable(
        exchange,
        malformed,
        revisionOfRefusal(exchange, this.#server.revisions),
      );
    }
    if (isRequest(value) && this.#openings.has(value.method)) {
      const full = this.#desk.makeRoom(exchange.auth?.principal, reading.size);
      if (full) return this.#refuse(exchange, full);
      return this.#serve(exchange, reading, form);
    }
    const unnamed = this.#stateless && this.#whyUnnamed(exchange);
    if (unnamed) return refuse(exchange, unnamed, undefined, requestIdOf(value));
    if (this.#desk.isOpen) return this.#refuse(exchange, SESSION_ID_MISSING);
    const revision = assumedRevision(exchange, this.#revisions);
    if ("status" in revision) return this.#refuse(exchange, revision);
    return this.#serve(exchange, reading, form, revision.id);
  }

  /** Why a request that names no revision is refused: none of these revisions has clients that do not name it. */
  #whyUnnamed(exchange: Exchange): Problem | undefined {
    if (!lacksHeader(exchange, this.#revisions)) return undefined;
    const ids = this.#server.revisions.map(({ id }) => id).join(", ");
    return this.#stateless?.headerMismatch(
      `MCP-Protocol-Version is missing: send one of ${ids}, or initialize first`,
    );
  }

  /** @param assume - id of the revision of a request that stands for itself; it gets no session */
  async #serve(
    exchange: Exchange,
    reading: Reading,
    form: AnswerForm,
    assume?: string,
  ): Promise<void> {
    const hasId = assume === undefined && this.#desk.isOpen;
    const { server, session } = this.#desk.make(exchange, reading, hasId);
    try {
      await server.connect(session, assume === undefined ? {} : { assume });
      if (this.#life.takes(exchange)) return session.receive(exchange, reading, form);
      session.end();
      this.#refuse(exchange, SHUTTING_DOWN);
    } catch (error) {
      session.end();
      throw error;
    }
  }

  #refuse(exchange: Exchange, refused: Problem, revision?: Revision): void {
    const known = revision ?? revisionOfRefusal(exchange, this.#server.revisions);
    refuse(exchange, refused, known);
  }
}
