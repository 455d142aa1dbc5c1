import type { Revision } from "../../wire/index.js";
import { type HttpEndpoint, type HttpHandler, webHandler } from "./handler.js";
import {
  type HandlerCounts,
  type HandlerHealth,
  HandlerLife,
  type HandlerState,
  reporter,
} from "./handler-state.js";
import { ByteBudget, UnreadOutput } from "./limits.js";
import { type HttpHandlerOptions, type Settings, settingsOf } from "./options.js";
import { AccessControl } from "./requests/access.js";
import {
  type AnswerForm,
  acceptedTypes,
  answerForm,
  GONE,
  isRequest,
  OPENING_TOO_LARGE,
  type Reading,
  readMessage,
  requestIds,
  TOO_LARGE,
  whyInvalid,
} from "./requests/body.js";
import { type Exchange, MIRROR_FIELDS, repetition } from "./requests/exchange.js";
import { PostsInFlight } from "./requests/post.js";
import {
  NO_SUCH_SESSION,
  NOT_ACCEPTABLE,
  type Problem,
  SESSION_ID_MISSING,
  SHUTTING_DOWN,
} from "./requests/problem.js";
import {
  assumedRevision,
  lacksVersion,
  type RequestKinds,
  requestKinds,
  revisionOfRefusal,
  servedRevisions,
  type ServerInstance,
  versionProblem,
} from "./requests/revisions.js";
import { HttpSession } from "./sessions/http-session.js";
import { resume } from "./sessions/resume.js";
import { failureOf } from "./sessions/session-sharing.js";
import { type SearchResult, Sessions } from "./sessions/sessions.js";
import { StatelessEndpoint } from "./stateless/stateless-endpoint.js";
import { MemoryEventStore } from "./streams/event-store.js";
import { LiveStreams } from "./streams/server-sent-events.js";

/**
 * Creates a handler that serves MCP over Streamable HTTP: sessions and stateless requests at one URL, whatever the
 * path. The handler is a function of a `Request`; for `node:http`, see `toNodeListener` and `listen` of `@mcp-codegen/runtime/http/node`.
 *
 * @example
 * ```ts
 * import { listen } from "@mcp-codegen/runtime/http/node";
 *
 * const handler = createHttpHandler(server, { allowedHosts: ["mcp.example.com"] });
 * await listen(handler, { port: 3000 }); // or, elsewhere: export default { fetch: handler }
 * ```
 *
 * @throws TypeError for unknown options and invalid values, for an entry of `allowedHosts` or `allowedOrigins` that no
 *   request could match, and for a value that is not a server
 */
export function createHttpHandler(
  server: ServerInstance,
  options: HttpHandlerOptions = {},
): HttpHandler {
  return webHandler(new StreamableEndpoint(server, settingsOf(options, "createHttpHandler")));
}

/** The one endpoint of Streamable HTTP (MCP: transports). */
class StreamableEndpoint implements HttpEndpoint {
  readonly wellKnownPaths: readonly string[];
  readonly #settings: Settings<HttpHandlerOptions>;
  /** Served revisions, and those of sessions. */
  readonly #revisions: readonly Revision[];
  readonly #sessionRevisions: readonly Revision[];
  readonly #kinds: RequestKinds;
  readonly #access: AccessControl;
  readonly #report: (error: Error) => void;
  readonly #sessions: Sessions;
  /** Endpoint of stateless requests; undefined if no revision is stateless. */
  readonly #stateless: StatelessEndpoint | undefined;
  readonly #posts: PostsInFlight;
  /** Bytes of the bodies that are being read. */
  readonly #reading: ByteBudget;
  readonly #kept: ByteBudget;
  readonly #live: LiveStreams;
  readonly #unread: UnreadOutput;
  readonly #life: HandlerLife;

  constructor(server: ServerInstance, settings: Settings<HttpHandlerOptions>) {
    const revisions = servedRevisions(server);
    this.#settings = settings;
    this.#revisions = server.revisions;
    this.#sessionRevisions = revisions.sessions;
    this.#kinds = requestKinds(server.revisions);
    this.#report = reporter(settings.onerror);
    this.#kept = new ByteBudget(settings.maxBytesKept);
    this.#posts = new PostsInFlight(settings);
    this.#reading = new ByteBudget(settings.maxBytesUnderWay);
    this.#unread = new UnreadOutput(settings, this.#report);
    this.#live = new LiveStreams(settings.keepAlive);
    const isShared = revisions.sessions.length > 0 && typeof settings.sessions === "object";
    const sharing = isShared ? settings.sessions : undefined;
    const { eventStore = new MemoryEventStore() } = settings;
    const streams = {
      store: sharing?.events ?? eventStore ?? undefined,
      maxAnswerBytes: settings.maxAnswerBytes,
      unread: this.#unread,
      retry: settings.retry,
      live: this.#live,
      report: this.#report,
    };
    const parts = { server, settings, streams, posts: this.#posts, kept: this.#kept };
    this.#sessions = new Sessions(parts, revisions.sessions);
    if (revisions.stateless.length > 0)
      this.#stateless = new StatelessEndpoint(parts, revisions.stateless);
    const methods = this.#sessions.isOpen ? ["GET", "POST", "DELETE"] : ["POST"];
    this.#access = new AccessControl(settings, methods, server.revisions, this.#report);
    this.wellKnownPaths = this.#access.wellKnownPaths;
    this.#life = new HandlerLife(sharing && { sessions: () => sharing.check() });
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  get counts(): HandlerCounts {
    return {
      sessions: this.sessions,
      requests: this.#posts.size,
      requestBytes: this.#posts.bytes,
      readingBytes: this.#reading.bytes,
      streams: this.#live.size,
      subscriptions: this.#stateless?.subscriptions ?? 0,
      keptBytes: this.#kept.bytes,
      queued: this.#sessions.queued,
      unreadBytes: this.#unread.bytes,
      refusals: this.#life.refusals.all,
    };
  }

  get state(): HandlerState {
    return this.#life.state;
  }

  health(timeout?: number): Promise<HandlerHealth> {
    return this.#life.health(timeout);
  }

  async handle(exchange: Exchange): Promise<void> {
    this.#life.enter(exchange);
    this.#posts.arrived();
    try {
      const admitted = this.#access.admit(exchange);
      if (admitted !== true && !(await admitted)) return;
      const { method, fields } = exchange.head;
      const isStateless = method === "POST" && this.#kinds.isStatelessHead(fields);
      // The fields of a stateless request are compared with its body.
      const repeated = isStateless ? undefined : exchange.repeatedField(MIRROR_FIELDS);
      if (repeated !== undefined) return this.#refuse(exchange, repetition(repeated));
      if (!this.#life.accepts(exchange) && (this.state !== "draining" || method === "DELETE"))
        return this.#refuse(exchange, SHUTTING_DOWN);
      // While the handler drains, a request in progress may wait for the content of a POST or a
      // GET.
      if (method === "POST") await this.#post(exchange, isStateless);
      else if (method === "GET") await this.#get(exchange);
      else await this.#delete(exchange);
    } catch (error) {
      this.#refuse(exchange, failureOf(error, this.#report));
    } finally {
      this.#posts.dispatched();
    }
  }

  leave(): void {
    this.#life.leave();
  }

  async close(drain = 2000): Promise<void> {
    this.#life.state = "draining";
    await this.#posts.finish(drain);
    this.#life.state = "closed";
    this.#stateless?.leave();
    await this.#sessions.close();
  }

  async #post(exchange: Exchange, isStateless: boolean): Promise<void> {
    const { fields } = exchange.head;
    const settings = this.#settings;
    const form = answerForm(fields, settings);
    if (typeof form === "object") return this.#refuse(exchange, form);
    const { isOpen } = this.#sessions;
    const isKnown = !isStateless && isOpen && fields["mcp-session-id"] !== undefined;
    const finding = isKnown ? this.#sessionOf(exchange) : undefined;
    const session = finding instanceof Promise ? await finding : finding;
    if (isKnown && !session) return;

    const isOpening = !session && !isStateless && isOpen;
    const { maxBodyBytes, maxInitializeBytes } = settings;
    const maxBytes = isOpening ? Math.min(maxBodyBytes, maxInitializeBytes) : maxBodyBytes;
    const reading = await readMessage(exchange, maxBytes, this.#reading, settings);
    if (reading.problem) {
      const isShort = reading.problem === TOO_LARGE && maxBytes < maxBodyBytes;
      const refusal = isShort ? OPENING_TOO_LARGE : reading.problem;
      return this.#refuse(exchange, refusal, session?.revision);
    }
    const stateless = this.#stateless;
    if (stateless && (isStateless || this.#kinds.isStatelessMessage(reading.value))) {
      const loading = stateless.load();
      if (loading) await loading;
      if (!this.#life.accepts(exchange)) return this.#refuse(exchange, SHUTTING_DOWN);
      return stateless.handle(exchange, reading, form);
    }
    const refusal = this.#whyNotNow(session, exchange, reading);
    if (refusal) return this.#refuse(exchange, refusal, session?.revision);
    if (session) return this.#deliver(session, exchange, reading, form);
    await this.#begin(exchange, reading, form);
  }

  /** Never refuses responses and notifications: requests in progress may depend on them. */
  #whyNotNow(
    session: HttpSession | undefined,
    exchange: Exchange,
    { size, value }: Reading,
  ): Problem | undefined {
    const isAccepted = this.#life.accepts(exchange);
    const refused = isAccepted ? this.#posts.whyFull(session, size) : SHUTTING_DOWN;
    return refused && session && requestIds(value).length === 0 ? undefined : refused;
  }

  async #get(exchange: Exchange): Promise<void> {
    const { accept, "last-event-id": lastEventId } = exchange.head.fields;
    const acceptsAny = accept === undefined && this.#settings.lenientAccept === true;
    if (!acceptsAny && !acceptedTypes(accept).events) return this.#refuse(exchange, NOT_ACCEPTABLE);
    const session = await this.#sessionOf(exchange);
    if (session === undefined) return;
    const { sharing, streams } = this.#sessions;
    if (lastEventId) await resume(session, exchange, streams, lastEventId, sharing);
    else if (exchange.isGone) this.#refuse(exchange, GONE);
    else if (sharing) await sharing.listen(session, exchange);
    else session.listen(exchange);
  }

  async #delete(exchange: Exchange): Promise<void> {
    const session = await this.#sessionOf(exchange);
    if (session === undefined) return;
    await this.#sessions.end(session);
    exchange.respond(200);
  }

  /** Session that a request belongs to; if there is none, the request has been answered. */
  #sessionOf(exchange: Exchange): HttpSession | undefined | Promise<HttpSession | undefined> {
    const id = exchange.head.fields["mcp-session-id"];
    if (id === undefined) return this.#checked(exchange, SESSION_ID_MISSING);
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
    if (session.isClosed) return this.#refuse(exchange, NO_SUCH_SESSION, session.revision);
    if (reading.malformedness) return session.refuse(exchange, reading.malformedness);
    const { value, size } = reading;
    const { sharing } = this.#sessions;
    if (sharing === undefined) return session.receive(exchange, reading, form);
    return sharing.forward(session, value).then((own) => {
      if (own === undefined) exchange.respond(202);
      else if (session.isClosed) this.#refuse(exchange, NO_SUCH_SESSION, session.revision);
      else session.receive(exchange, { value: own, size }, form);
    });
  }

  /** Handles a message without a session: it opens one, or needs none. */
  async #begin(exchange: Exchange, reading: Reading, form: AnswerForm): Promise<void> {
    const { value, size } = reading;
    const malformed = reading.malformedness ?? whyInvalid(value);
    if (malformed) {
      const revision = revisionOfRefusal(exchange, this.#revisions);
      return exchange.refuseUnreadable(malformed, revision);
    }
    if (isRequest(value) && this.#kinds.openings.has(value.method)) {
      const full = this.#sessions.isOpen
        ? this.#sessions.makeRoom(exchange.auth?.principal, size)
        : undefined;
      if (full) return this.#refuse(exchange, full);
      return this.#serve(exchange, reading, form);
    }
    const unnamed = this.#stateless && this.#whyUnnamed(exchange, this.#stateless);
    if (unnamed) return exchange.refuse(unnamed, undefined, isRequest(value) ? value.id : null);
    if (this.#sessions.isOpen) return this.#refuse(exchange, SESSION_ID_MISSING);
    const revision = assumedRevision(exchange, this.#sessionRevisions);
    if ("status" in revision) return this.#refuse(exchange, revision);
    return this.#serve(exchange, reading, form, revision.id);
  }

  /** Refusal of a request that names no revision, if none of these revisions has clients that do not name it. */
  #whyUnnamed(exchange: Exchange, stateless: StatelessEndpoint): Problem | undefined {
    if (!lacksVersion(exchange, this.#sessionRevisions)) return undefined;
    const ids = this.#revisions.map(({ id }) => id).join(", ");
    return stateless.headerMismatch(
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
    const hasId = assume === undefined && this.#sessions.isOpen;
    const id = hasId ? await this.#sessions.newId() : undefined;
    const { server, session } = this.#sessions.create(exchange, reading, id);
    try {
      await server.connect(session, assume === undefined ? {} : { assume });
      if (this.#life.accepts(exchange)) return session.receive(exchange, reading, form);
      session.end();
      this.#refuse(exchange, SHUTTING_DOWN);
    } catch (error) {
      session.end();
      throw error;
    }
  }

  #refuse(exchange: Exchange, refused: Problem, revision?: Revision): void {
    exchange.refuse(refused, revision ?? revisionOfRefusal(exchange, this.#revisions));
  }
}
