import type { Revision } from "../../wire/index.js";
import { Drain } from "./drain.js";
import type { Exchange } from "./exchange.js";
import type { ServerInstance } from "./server-instance.js";
import { Gate } from "./gate.js";
import type { HttpEndpoint } from "./handler.js";
import { type HandlerCounts, NO_COUNTS } from "./handler-counts.js";
import type { HandlerHealth, HandlerState } from "./handler-health.js";
import { HandlerLife } from "./handler-life.js";
import { LiveStreams } from "./live-streams.js";
import { accepted } from "./media-types.js";
import { DEFAULTS, type SseHandlerOptions } from "./options.js";
import { EVENT_FIELDS } from "./post.js";
import {
  BUSY,
  NO_SUCH_SESSION,
  NOT_ACCEPTABLE,
  type Problem,
  refuse,
  refuseUnreadable,
  SHUTTING_DOWN,
} from "./problem.js";
import { ByteBudget } from "./byte-budget.js";
import { readMessage, whyUnreadable } from "./read-message.js";
import { UnreadOutput } from "./unread-output.js";
import { reporter } from "./reporter.js";
import { assertHasSessions, servedRevisions } from "./served-revisions.js";
import {
  failureOf,
  type MessageRelay,
  type RelayedMessage,
  type RelayReceiver,
} from "./session-sharing.js";
import { sessionLimits } from "./session-limits.js";
import { revisionOfRefusal } from "./version-header.js";
import { SseSession, type SseSessionHost } from "./sse-session.js";

/** The two endpoints of HTTP+SSE: GET opens the stream, POST brings messages for it (MCP: HTTP with SSE). */
export class SseEndpoint implements HttpEndpoint, SseSessionHost, RelayReceiver {
  readonly output: SseSessionHost["output"];
  readonly #server: ServerInstance;
  readonly #revisions: readonly Revision[];
  readonly #options: SseHandlerOptions;
  /** Way to the streams of other instances; undefined where there are none. */
  readonly #relay: MessageRelay | undefined;
  readonly #budget: ByteBudget = new ByteBudget(DEFAULTS.maxBytesUnderWay);
  readonly #gate: Gate;
  readonly #live: LiveStreams;
  readonly #report: (error: Error) => void;
  readonly #sessions = new Map<string, SseSession>();
  readonly #perPrincipal = new Map<string, number>();
  readonly #drain = new Drain();
  readonly #life: HandlerLife;

  constructor(server: ServerInstance, options: SseHandlerOptions) {
    assertHasSessions(server);
    const { sessions } = options;
    this.#relay = typeof sessions === "object" ? sessions : undefined;
    this.#relay?.joinRelay(this);
    const relay = this.#relay;
    this.#life = new HandlerLife(relay && { sessions: () => relay.check() });
    this.#server = server;
    this.#revisions = servedRevisions(server).sessions;
    this.#options = options;
    this.#report = reporter(options.onerror);
    this.#gate = new Gate(options, ["GET", "POST"], this.#revisions, this.#report);
    this.#live = new LiveStreams(options.keepAlive ?? DEFAULTS.keepAlive);
    this.output = {
      maxAnswerBytes: options.maxAnswerBytes ?? DEFAULTS.maxAnswerBytes,
      unread: new UnreadOutput(options, this.#report),
      report: this.#report,
    };
  }

  get sessions(): number {
    return this.#sessions.size;
  }

  get counts(): HandlerCounts {
    return {
      ...NO_COUNTS,
      sessions: this.sessions,
      readingBytes: this.#budget.bytes,
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
      const admitted = this.#gate.admit(exchange);
      if (admitted !== true && !(await admitted)) return;
      if (!this.#life.isServing) return this.#refuse(exchange, SHUTTING_DOWN);
      if (exchange.method === "GET") await this.#open(exchange);
      else await this.#post(exchange);
    } catch (error) {
      this.#refuse(exchange, failureOf(error, this.#report));
    }
  }

  get wellKnownPaths(): readonly string[] {
    return this.#gate.wellKnownPaths;
  }

  async close(drain = 2000): Promise<void> {
    this.#life.state = "draining";
    for (const session of this.#sessions.values()) session.finish();
    if (this.#sessions.size > 0 && drain > 0) await this.#drain.wait(drain);
    this.#life.state = "closed";
    for (const session of this.#sessions.values()) session.end();
    await this.#relay?.part(this);
  }

  /** Takes a message that came to another instance, from the owner of the session. */
  take(relayed: RelayedMessage): void {
    const session = this.#sessions.get(relayed.session);
    if (session?.principal === relayed.auth?.principal) session?.take(relayed);
  }

  closed(session: SseSession): void {
    this.#live.delete(session);
    const { key, principal } = session;
    if (!this.#sessions.delete(key)) return;
    if (this.#sessions.size === 0) this.#drain.finish();
    if (principal === undefined) return;
    const left = this.#perPrincipal.get(principal)! - 1;
    if (left > 0) this.#perPrincipal.set(principal, left);
    else this.#perPrincipal.delete(principal);
  }

  async #open(exchange: Exchange): Promise<void> {
    const accept = exchange.header("accept");
    if (accept !== undefined && !accepted(accept).events)
      return this.#refuse(exchange, NOT_ACCEPTABLE);
    const principal = exchange.auth?.principal;
    if (this.#isFull(principal)) return this.#refuse(exchange, BUSY);

    const key = (await this.#relay?.newKey()) ?? crypto.randomUUID();
    const server = this.#server.fork();
    const sink = exchange.openStream(EVENT_FIELDS);
    const session = new SseSession(this, server, sink, key, principal);
    this.#sessions.set(key, session);
    if (principal !== undefined) {
      this.#perPrincipal.set(principal, (this.#perPrincipal.get(principal) ?? 0) + 1);
    }
    this.#live.add(session);
    try {
      await server.connect(session);
    } catch (error) {
      session.close();
      throw error;
    }
    session.invite(`${this.#options.messagePath ?? "/messages"}?sessionId=${key}`);
  }

  async #post(exchange: Exchange): Promise<void> {
    const refused = whyUnreadable(exchange);
    if (refused) return this.#refuse(exchange, refused);
    const key = new URLSearchParams(exchange.query).get("sessionId") ?? "";
    const session = this.#sessions.get(key);
    if (session === undefined && this.#relay) return this.#passOn(exchange, key, this.#relay);
    if (session === undefined || session.principal !== exchange.auth?.principal) {
      return this.#refuse(exchange, NO_SUCH_SESSION);
    }
    const limits = this.#options;
    const most = limits.maxBodyBytes ?? DEFAULTS.maxBodyBytes;
    const mostBefore = limits.maxInitializeBytes ?? DEFAULTS.maxInitializeBytes;
    const maxBytes = session.isAgreed ? most : Math.min(most, mostBefore);
    const reading = await readMessage(exchange, maxBytes, this.#budget, this.#options);
    if (reading.problem) this.#refuse(exchange, reading.problem);
    else if (!this.#sessions.has(key)) this.#refuse(exchange, NO_SUCH_SESSION);
    else if (reading.malformedness) session.refuse(exchange, reading.malformedness);
    else session.receive(exchange, reading.value);
  }

  /** Passes a message on to the instance that has the stream. */
  async #passOn(exchange: Exchange, key: string, relay: MessageRelay): Promise<void> {
    const { maxBodyBytes = DEFAULTS.maxBodyBytes } = this.#options;
    const reading = await readMessage(exchange, maxBodyBytes, this.#budget, this.#options);
    const { problem: refused, malformedness } = reading;
    if (refused) return this.#refuse(exchange, refused);
    if (malformedness) return refuseUnreadable(exchange, malformedness, this.#revisions[0]);
    const { auth } = exchange;
    const isTaken = await relay.relay({ session: key, message: reading.value, auth });
    if (isTaken) exchange.respond(202, { "Content-Type": "text/plain" }, "Accepted");
    else this.#refuse(exchange, NO_SUCH_SESSION);
  }

  #refuse(exchange: Exchange, refused: Problem): void {
    refuse(exchange, refused, revisionOfRefusal(exchange, this.#revisions));
  }

  /** A session is as long as its stream, so there are no idle ones to end. */
  #isFull(principal: string | undefined): boolean {
    const { maxSessions, maxSessionsPerPrincipal } = sessionLimits(this.#options);
    if (this.#sessions.size >= maxSessions) return true;
    if (principal === undefined) return false;
    return (this.#perPrincipal.get(principal) ?? 0) >= maxSessionsPerPrincipal;
  }
}
