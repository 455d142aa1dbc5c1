import {
  type Frame,
  type Malformed,
  type Receiver,
  type Transport,
  type TransportHooks,
  UsedTransportError,
} from "../../../wire/index.js";
import { endpointParts } from "../endpoint-parts.js";
import { type HttpEndpoint, type HttpHandler, webHandler } from "../handler.js";
import { NO_COUNTS } from "../handler-state.js";
import { newDrain, type StreamSink } from "../limits.js";
import type { HttpHandlerOptions, Settings, SseHandlerOptions } from "../option-types.js";
import { settingsOf } from "../options.js";
import { accessControl } from "../requests/access.js";
import {
  acceptedTypes,
  isRequest,
  readMessage,
  requestIds,
  whyUnreadable,
} from "../requests/body.js";
import {
  EVENT_FIELDS,
  type Exchange,
  JSON_FIELDS,
  revisionOfRefusal,
} from "../requests/exchange.js";
import { bodyProblem, failureOf, type Problem, PROBLEMS } from "../requests/problem.js";
import type { Fork, ServerInstance } from "../requests/server-instance.js";
import { assertIsPath } from "../router.js";
import type { MessageRelay, RelayedMessage, RelayReceiver } from "../sessions/session-sharing.js";
import { answerText } from "../streams/server-sent-events.js";
import { MUCH, type StreamSettings, streamsOf } from "../streams/stream-settings.js";

/**
 * Serves MCP over HTTP+SSE, for clients that are older than Streamable HTTP. It needs two paths: one that the client
 * opens by GET, and `messagePath`, to which the client is then directed to send its messages.
 *
 * @throws TypeError for unknown options and invalid values, for an entry of `allowedHosts` or `allowedOrigins` that
 * no request could match, for an invalid `messagePath`, and for a server without a revision that has a handshake
 * @deprecated MCP has deprecated HTTP+SSE: use Streamable HTTP.
 */
export function createSseHandler(
  server: ServerInstance,
  options: SseHandlerOptions = {},
): HttpHandler {
  const settings = settingsOf(options, "createSseHandler");
  if (options.messagePath !== undefined) assertIsPath(options.messagePath, "messagePath");
  return webHandler(sseEndpoint(server, settings as SseSettings));
}

type SseSettings = Settings<HttpHandlerOptions & SseHandlerOptions>;

/** Creates the two endpoints of HTTP+SSE: GET opens the stream, POST delivers messages for it (MCP: HTTP with SSE). */
function sseEndpoint(server: ServerInstance, settings: SseSettings): HttpEndpoint {
  const parts = endpointParts(server, settings);
  const { kinds, life, reading: budget, report, sharing: relay } = parts;
  const streams = streamsOf(parts);
  const revisions = parts.revisions.sessions;
  if (revisions.length === 0) {
    const ids = server.revisions.map(({ id }) => id).join(", ");
    throw new TypeError(`This handler serves revisions with a handshake, but ${ids} has none`);
  }
  const access = accessControl(settings, ["GET", "POST"], revisions, report);
  const sessions = new Map<string, SseSession>();
  const drain = newDrain();
  const receiver: RelayReceiver = {
    take(relayed) {
      const session = sessions.get(relayed.session);
      if (session?.principal === relayed.auth?.principal) session?.take(relayed);
    },
  };
  relay?.joinRelay(receiver);

  const refuse = (exchange: Exchange, refused: Problem): void =>
    exchange.refuse(refused, revisionOfRefusal(exchange, revisions));
  /**
   * True if there is no room for a session. A session lasts as long as its stream, so there are never idle ones to end.
   */
  const isFull = (principal: string | undefined): boolean => {
    const { maxSessions, maxSessionsPerPrincipal: most } = settings;
    if (sessions.size >= maxSessions) return true;
    if (principal === undefined || sessions.size < most) return false;
    return [...sessions.values()].filter((one) => one.principal === principal).length >= most;
  };
  const isServing = (): boolean => life.state === "open" || life.state === "leaving";
  const open = async (exchange: Exchange): Promise<void> => {
    const { accept } = exchange.head.fields;
    if (accept !== undefined && !acceptedTypes(accept).events)
      return refuse(exchange, PROBLEMS.notAcceptable);
    const principal = exchange.auth?.principal;
    const key = (await relay?.newKey()) ?? crypto.randomUUID();
    if (!isServing()) return refuse(exchange, PROBLEMS.closing);
    if (isFull(principal)) return refuse(exchange, PROBLEMS.manySessions);

    const fork = server.fork();
    const sink = exchange.openStream(EVENT_FIELDS);
    const session = new SseSession(fork, sink, streams, principal, () => {
      streams.live.delete(sink);
      if (sessions.delete(key) && sessions.size === 0) drain.finish();
    });
    sessions.set(key, session);
    streams.live.add(sink);
    try {
      await fork.connect(session);
    } catch (error) {
      session.close();
      throw error;
    }
    // The protocol does not define the query: here, it names the session.
    const path = settings.messagePath ?? "/messages";
    sink.write(`event: endpoint\ndata: ${path}?sessionId=${key}\n\n`);
  };
  const forward = async (exchange: Exchange, key: string, to: MessageRelay): Promise<void> => {
    const reading = await readMessage(exchange, settings.maxBodyBytes, budget, settings);
    const { problem: refused, malformedness, value: message, size } = reading;
    if (refused) return refuse(exchange, refused);
    if (malformedness) return exchange.refuseUnreadable(malformedness, revisions[0]);
    const isOpening = isRequest(message) && kinds.openings.has(message.method);
    if (isOpening && size > settings.maxInitializeBytes)
      return refuse(exchange, PROBLEMS.openingTooLarge);
    const isTaken = await to.relay({ session: key, message, auth: exchange.auth });
    if (isTaken) accepted(exchange);
    else refuse(exchange, PROBLEMS.noSession);
  };
  const post = async (exchange: Exchange): Promise<void> => {
    const refused = whyUnreadable(exchange.head.fields);
    if (refused) return refuse(exchange, refused);
    const key = new URLSearchParams(exchange.head.query).get("sessionId") ?? "";
    const session = sessions.get(key);
    if (session === undefined && relay) return forward(exchange, key, relay);
    if (session === undefined || session.principal !== exchange.auth?.principal)
      return refuse(exchange, PROBLEMS.noSession);
    const { maxBodyBytes, maxInitializeBytes } = settings;
    const maxBytes = session.isAgreed ? maxBodyBytes : Math.min(maxBodyBytes, maxInitializeBytes);
    const reading = await readMessage(exchange, maxBytes, budget, settings);
    if (reading.problem) refuse(exchange, bodyProblem(reading.problem, maxBytes, maxBodyBytes));
    else if (!sessions.has(key)) refuse(exchange, PROBLEMS.noSession);
    else if (reading.malformedness) session.refuse(exchange, reading.malformedness);
    else session.receive(exchange, reading.value);
  };

  return {
    wellKnownPaths: access.wellKnownPaths,
    get sessions() {
      return sessions.size;
    },
    get counts() {
      return {
        ...NO_COUNTS,
        sessions: sessions.size,
        readingBytes: budget.bytes,
        streams: streams.live.size,
        unreadBytes: streams.unread.bytes,
        refusals: life.refusals.all,
      };
    },
    get state() {
      return life.state;
    },
    health: life.health,
    leave: life.leave,
    async handle(exchange) {
      life.enter(exchange);
      try {
        const admitted = access.admit(exchange);
        if (admitted !== true && !(await admitted)) return;
        if (!isServing()) refuse(exchange, PROBLEMS.closing);
        else await (exchange.head.method === "GET" ? open(exchange) : post(exchange));
      } catch (error) {
        refuse(exchange, failureOf(error, report));
      }
    },
    async close(time = 2000) {
      life.state = "draining";
      for (const session of sessions.values()) session.finish();
      if (sessions.size > 0 && time > 0) await drain.wait(time);
      life.state = "closed";
      for (const session of sessions.values()) session.end();
      await relay?.part(receiver);
    },
  };
}

function accepted(exchange: Exchange): void {
  exchange.respond(202, { "Content-Type": "text/plain" }, "Accepted");
}

class SseSession implements Transport, TransportHooks {
  readonly hooks: TransportHooks = this;
  readonly principal: string | undefined;
  /** True once the client has initialized. */
  isAgreed = false;
  readonly #server: Fork;
  readonly #sink: StreamSink;
  readonly #streams: StreamSettings;
  readonly #onclose: () => void;
  #receiver: Receiver | undefined;
  /** The POST that is being delivered, as long as its contents may turn out to be invalid. */
  #current: Exchange | undefined;

  /** @param onclose - called when the session has ended, possibly more than once */
  constructor(
    server: Fork,
    sink: StreamSink,
    streams: StreamSettings,
    principal: string | undefined,
    onclose: () => void,
  ) {
    this.#server = server;
    this.#sink = sink;
    this.#streams = streams;
    this.principal = principal;
    this.#onclose = onclose;
    sink.whenClosed(() => this.#receiver?.closed());
  }

  start(receiver: Receiver): void {
    if (this.#receiver) throw new UsedTransportError();
    this.#receiver = receiver;
  }

  agreed(): void {
    this.isAgreed = true;
  }

  take({ message, auth }: RelayedMessage): void {
    this.#receiver?.message(message, { auth, header: () => undefined });
  }

  /** Delivers the messages in a POST. The answers are sent on the stream. */
  receive(exchange: Exchange, value: unknown): void {
    this.#current = requestIds(value).length === 0 ? exchange : undefined;
    const header = (name: string): string | undefined => exchange.publicHeader(name);
    this.#receiver?.message(value, { auth: exchange.auth, header });
    this.#current = undefined;
    if (!exchange.isAnswered) accepted(exchange);
  }

  refuse(exchange: Exchange, malformed: Malformed): void {
    this.#current = exchange;
    this.#receiver?.malformed(malformed);
    this.#current = undefined;
    if (!exchange.isAnswered) exchange.respond(400);
  }

  send(frame: Frame): Promise<void> | undefined {
    const text = answerText(frame, this.#streams);
    if (this.#current && "error" in frame) {
      this.#current.respond(400, JSON_FIELDS, text);
      return undefined;
    }
    const sink = this.#sink;
    const isWritten = this.#streams.unread.write(sink, `event: message\ndata: ${text}\n\n`);
    return isWritten && sink.waiting > MUCH ? sink.drained() : undefined;
  }

  /** Stops accepting messages, and ends the session when all requests have been answered. */
  finish(): void {
    this.#receiver?.ended();
  }

  end(): void {
    void this.#server.close();
  }

  close(): void {
    this.#sink.end();
    this.#onclose();
  }
}
