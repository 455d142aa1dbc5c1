import {
  type Frame,
  type Malformed,
  type Receiver,
  type Revision,
  type Transport,
  type TransportHooks,
  UsedTransportError,
} from "../../../wire/index.js";
import { type HttpEndpoint, type HttpHandler, webHandler } from "../handler.js";
import {
  type HandlerCounts,
  type HandlerHealth,
  handlerLife,
  type HandlerLife,
  type HandlerState,
  NO_COUNTS,
  reporter,
} from "../handler-state.js";
import {
  type ByteBudget,
  newDrain,
  type LiveStream,
  type LiveStreams,
  liveStreams,
  MUCH,
  type UnreadOutput,
  unreadOutput,
} from "../limits.js";
import type { Settings, SseHandlerOptions } from "../option-types.js";
import { settingsOf } from "../options.js";
import { type AccessControl, accessControl } from "../requests/access.js";
import { acceptedTypes, readMessage, requestIds, whyUnreadable } from "../requests/body.js";
import {
  EVENT_FIELDS,
  type Exchange,
  JSON_FIELDS,
  revisionOfRefusal,
  type StreamSink,
} from "../requests/exchange.js";
import { failureOf, type Problem, PROBLEMS } from "../requests/problem.js";
import { type Fork, servedRevisions, type ServerInstance } from "../requests/revisions.js";
import { assertIsPath } from "../router.js";
import type { MessageRelay, RelayedMessage, RelayReceiver } from "../sessions/session-sharing.js";
import { type AnswerLimit, answerText, KEEP_ALIVE } from "../streams/server-sent-events.js";

/**
 * Serves MCP over HTTP+SSE, for clients that are older than Streamable HTTP. It needs two paths: one that the client
 * opens by GET, and `messagePath`, which the client then receives as the place for its messages.
 *
 * @throws TypeError for unknown options and invalid values, for an entry of `allowedHosts` or `allowedOrigins` that no
 *   request could match, for an invalid `messagePath`, and for a server without a revision that has a handshake
 * @deprecated HTTP+SSE is deprecated since 2025-03-26: use Streamable HTTP.
 */
export function createSseHandler(
  server: ServerInstance,
  options: SseHandlerOptions = {},
): HttpHandler {
  const settings = settingsOf(options, "createSseHandler");
  if (options.messagePath !== undefined) assertIsPath(options.messagePath, "messagePath");
  return webHandler(new SseEndpoint(server, settings));
}

/** The two endpoints of HTTP+SSE: GET opens the stream, POST brings messages for it (MCP: HTTP with SSE). */
class SseEndpoint implements HttpEndpoint, RelayReceiver {
  readonly output: AnswerLimit & { readonly unread: UnreadOutput };
  readonly wellKnownPaths: readonly string[];
  readonly #server: ServerInstance;
  readonly #revisions: readonly Revision[];
  readonly #settings: Settings<SseHandlerOptions>;
  /** Relay to the streams of other instances; undefined if there are none. */
  readonly #relay: MessageRelay | undefined;
  /** Bytes of the bodies that are being read. */
  readonly #reading: ByteBudget;
  readonly #access: AccessControl;
  readonly #live: LiveStreams;
  readonly #report: (error: Error) => void;
  readonly #sessions = new Map<string, SseSession>();
  readonly #drain = newDrain();
  readonly #life: HandlerLife;

  constructor(server: ServerInstance, settings: Settings<SseHandlerOptions>) {
    const { sessions: revisions } = servedRevisions(server);
    if (revisions.length === 0) {
      const ids = server.revisions.map(({ id }) => id).join(", ");
      throw new TypeError(`This handler serves revisions with a handshake, but ${ids} has none`);
    }
    const relay = typeof settings.sessions === "object" ? settings.sessions : undefined;
    relay?.joinRelay(this);
    this.#relay = relay;
    this.#life = handlerLife(relay && { sessions: () => relay.check() });
    this.#server = server;
    this.#revisions = revisions;
    this.#settings = settings;
    this.#report = reporter(settings.onerror);
    this.#reading = { most: MAX_READING, bytes: 0 };
    this.#access = accessControl(settings, ["GET", "POST"], revisions, this.#report);
    this.wellKnownPaths = this.#access.wellKnownPaths;
    this.#live = liveStreams(settings.keepAlive);
    const unread = unreadOutput(settings, this.#report);
    this.output = { maxAnswerBytes: settings.maxAnswerBytes, unread, report: this.#report };
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  get counts(): HandlerCounts {
    return {
      ...NO_COUNTS,
      sessions: this.sessions,
      readingBytes: this.#reading.bytes,
      streams: this.#live.size,
      unreadBytes: this.output.unread.bytes,
      refusals: this.#life.refusals.all,
    };
  }

  get state(): HandlerState {
    return this.#life.state;
  }

  health(timeout?: number): Promise<HandlerHealth> {
    return this.#life.health(timeout);
  }

  leave(): void {
    this.#life.leave();
  }

  async handle(exchange: Exchange): Promise<void> {
    this.#life.enter(exchange);
    try {
      const admitted = this.#access.admit(exchange);
      if (admitted !== true && !(await admitted)) return;
      const { state } = this.#life;
      if (state !== "open" && state !== "leaving") return this.#refuse(exchange, PROBLEMS.closing);
      if (exchange.method === "GET") await this.#open(exchange);
      else await this.#post(exchange);
    } catch (error) {
      this.#refuse(exchange, failureOf(error, this.#report));
    }
  }

  async close(drain = 2000): Promise<void> {
    this.#life.state = "draining";
    for (const session of this.#sessions.values()) session.finish();
    if (this.#sessions.size > 0 && drain > 0) await this.#drain.wait(drain);
    this.#life.state = "closed";
    for (const session of this.#sessions.values()) session.end();
    await this.#relay?.part(this);
  }

  /** Receives a message that came to another instance, from the owner of the session. */
  take(relayed: RelayedMessage): void {
    const session = this.#sessions.get(relayed.session);
    if (session?.principal === relayed.auth?.principal) session?.take(relayed);
  }

  closed(session: SseSession): void {
    this.#live.delete(session);
    if (this.#sessions.delete(session.key) && this.#sessions.size === 0) this.#drain.finish();
  }

  async #open(exchange: Exchange): Promise<void> {
    const { accept } = exchange.head.fields;
    if (accept !== undefined && !acceptedTypes(accept).events)
      return this.#refuse(exchange, PROBLEMS.notAcceptable);
    const principal = exchange.auth?.principal;
    if (this.#isFull(principal)) return this.#refuse(exchange, PROBLEMS.manySessions);

    const key = (await this.#relay?.newKey()) ?? crypto.randomUUID();
    const server = this.#server.fork();
    const sink = exchange.openStream(EVENT_FIELDS);
    const session = new SseSession(this, server, sink, key, principal);
    this.#sessions.set(key, session);
    this.#live.add(session);
    try {
      await server.connect(session);
    } catch (error) {
      session.close();
      throw error;
    }
    const path = this.#settings.messagePath ?? "/messages";
    sink.write(`event: endpoint\ndata: ${path}?sessionId=${key}\n\n`);
  }

  async #post(exchange: Exchange): Promise<void> {
    const { fields, query } = exchange.head;
    const refused = whyUnreadable(fields);
    if (refused) return this.#refuse(exchange, refused);
    const key = new URLSearchParams(query).get("sessionId") ?? "";
    const session = this.#sessions.get(key);
    if (session === undefined && this.#relay) return this.#forward(exchange, key, this.#relay);
    if (session === undefined || session.principal !== exchange.auth?.principal) {
      return this.#refuse(exchange, PROBLEMS.noSession);
    }
    const { maxBodyBytes, maxInitializeBytes } = this.#settings;
    const maxBytes = session.isAgreed ? maxBodyBytes : Math.min(maxBodyBytes, maxInitializeBytes);
    const reading = await readMessage(exchange, maxBytes, this.#reading, this.#settings);
    if (reading.problem) this.#refuse(exchange, reading.problem);
    else if (!this.#sessions.has(key)) this.#refuse(exchange, PROBLEMS.noSession);
    else if (reading.malformedness) session.refuse(exchange, reading.malformedness);
    else session.receive(exchange, reading.value);
  }

  /** Forwards a message to the instance that has the stream. */
  async #forward(exchange: Exchange, key: string, relay: MessageRelay): Promise<void> {
    const { maxBodyBytes } = this.#settings;
    const reading = await readMessage(exchange, maxBodyBytes, this.#reading, this.#settings);
    const { problem: refused, malformedness } = reading;
    if (refused) return this.#refuse(exchange, refused);
    if (malformedness) return exchange.refuseUnreadable(malformedness, this.#revisions[0]);
    const { auth } = exchange;
    const isTaken = await relay.relay({ session: key, message: reading.value, auth });
    if (isTaken) exchange.respond(202, TEXT_FIELDS, "Accepted");
    else this.#refuse(exchange, PROBLEMS.noSession);
  }

  #refuse(exchange: Exchange, refused: Problem): void {
    exchange.refuse(refused, revisionOfRefusal(exchange, this.#revisions));
  }

  /** A session lasts as long as its stream, so no session is idle and can be ended. */
  #isFull(principal: string | undefined): boolean {
    const { maxSessions, maxSessionsPerPrincipal } = this.#settings;
    if (this.#sessions.size >= maxSessions) return true;
    if (principal === undefined || this.#sessions.size < maxSessionsPerPrincipal) return false;
    const own = [...this.#sessions.values()].filter((session) => session.principal === principal);
    return own.length >= maxSessionsPerPrincipal;
  }
}

/** Bytes of all bodies that are being read. */
const MAX_READING = 256 * 1024 * 1024;

const TEXT_FIELDS = { "Content-Type": "text/plain" };

/** The connection to one client of HTTP+SSE: a stream from the server, a POST for each message to it. */
class SseSession implements Transport, TransportHooks, LiveStream {
  readonly principal: string | undefined;
  /** Key in the query of the URL that the client posts to; the protocol does not define it. */
  readonly key: string;
  /** True once the client has initialized. */
  isAgreed = false;
  readonly #endpoint: SseEndpoint;
  readonly #server: Fork;
  readonly #sink: StreamSink;
  #receiver: Receiver | undefined;
  /** POST that is being delivered, while its contents may turn out to be invalid. */
  #current: Exchange | undefined;

  constructor(
    endpoint: SseEndpoint,
    server: Fork,
    sink: StreamSink,
    key: string,
    principal: string | undefined,
  ) {
    this.#endpoint = endpoint;
    this.#server = server;
    this.#sink = sink;
    this.key = key;
    this.principal = principal;
    sink.whenClosed(() => this.#receiver?.closed());
  }

  start(receiver: Receiver): void {
    if (this.#receiver) throw new UsedTransportError();
    this.#receiver = receiver;
  }

  get hooks(): this {
    return this;
  }

  agreed(): void {
    this.isAgreed = true;
  }

  /** Receives a message that came to another instance. */
  take({ message, auth }: RelayedMessage): void {
    this.#receiver?.message(message, { auth, header: () => undefined });
  }

  /** Delivers the messages of a POST; requests are answered on the stream. */
  receive(exchange: Exchange, value: unknown): void {
    this.#current = requestIds(value).length === 0 ? exchange : undefined;
    const header = (name: string): string | undefined => exchange.publicHeader(name);
    this.#receiver?.message(value, { auth: exchange.auth, header });
    this.#current = undefined;
    if (!exchange.isAnswered) exchange.respond(202, TEXT_FIELDS, "Accepted");
  }

  /** Answers a POST that contains no valid message. */
  refuse(exchange: Exchange, malformed: Malformed): void {
    this.#current = exchange;
    this.#receiver?.malformed(malformed);
    this.#current = undefined;
    if (!exchange.isAnswered) exchange.respond(400);
  }

  send(frame: Frame): Promise<void> | undefined {
    const { output } = this.#endpoint;
    const text = answerText(frame, output);
    if (this.#current && "error" in frame) {
      this.#current.respond(400, JSON_FIELDS, text);
      return undefined;
    }
    const sink = this.#sink;
    if (!output.unread.admits(sink)) return undefined;
    sink.write(`event: message\ndata: ${text}\n\n`);
    if (sink.waiting <= MUCH) return undefined;
    output.unread.watch(sink);
    return sink.drained();
  }

  keepAlive(): void {
    if (this.#sink.waiting === 0) this.#sink.write(KEEP_ALIVE);
  }

  /** Accepts no more messages, and ends the session when all requests are answered. */
  finish(): void {
    this.#receiver?.ended();
  }

  end(): void {
    void this.#server.close();
  }

  /** Releases the session's resources, whichever side ended it. */
  close(): void {
    this.#sink.end();
    this.#endpoint.closed(this);
  }
}
