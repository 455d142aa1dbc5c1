import type { Revision } from "../../wire/index.js";
import type { ByteBudget } from "./byte-budget.js";
import type { StreamSettings } from "./event-stream.js";
import type { Exchange, HeaderFields } from "./exchange.js";
import { HttpSession, type SessionHost } from "./http-session.js";
import { DEFAULTS, type HttpHandlerOptions } from "./options.js";
import type { Post } from "./post.js";
import type { PostsInFlight } from "./posts-in-flight.js";
import { NO_SUCH_SESSION, type Problem } from "./problem.js";
import type { Fork, ServerInstance } from "./server-instance.js";
import { sessionLimits } from "./session-limits.js";
import type { RemadeSession, SessionSharing, SharingHost } from "./session-sharing.js";
import { Sessions } from "./sessions.js";

/** Things that the sessions of an endpoint share with its other parts. */
export interface SessionDeskOptions {
  /** Revisions of sessions; where there are none, nobody gets a session. */
  readonly revisions: readonly Revision[];
  readonly options: HttpHandlerOptions;
  readonly streams: StreamSettings;
  readonly underWay: PostsInFlight;
  /** Bytes of the messages that opened sessions and subscriptions. */
  readonly kept: ByteBudget;
}

/** The sharing that the options ask for, where there are revisions of sessions. */
export function sharingOf(
  revisions: readonly Revision[],
  { sessions }: HttpHandlerOptions,
): SessionSharing | undefined {
  return revisions.length > 0 && typeof sessions === "object" ? sessions : undefined;
}

/** Makes, finds and ends the sessions of an endpoint: its own, or those that it shares with other instances. */
export class SessionDesk implements SessionHost, SharingHost {
  readonly streams: StreamSettings;
  readonly maxQueued: number;
  readonly sharing: SessionSharing | undefined;
  readonly sessionRevisions: readonly Revision[];
  readonly #server: ServerInstance;
  readonly #options: HttpHandlerOptions;
  readonly #underWay: PostsInFlight;
  /** Sessions that clients can come back to; undefined where no client gets one. */
  readonly #sessions: Sessions | undefined;

  constructor(server: ServerInstance, shared: SessionDeskOptions) {
    const { revisions, options, streams, underWay, kept } = shared;
    const isOpen = revisions.length > 0 && options.sessions !== false;
    this.#server = server;
    this.sessionRevisions = revisions;
    this.#options = options;
    this.streams = streams;
    this.maxQueued = options.maxQueued ?? DEFAULTS.maxQueued;
    this.#underWay = underWay;
    this.#sessions = isOpen ? new Sessions(sessionLimits(options), kept) : undefined;
    this.sharing = sharingOf(revisions, options);
    this.sharing?.join(this);
  }

  /** True where clients get sessions. */
  get isOpen(): boolean {
    return this.#sessions !== undefined;
  }

  get size(): number {
    return this.#sessions?.size ?? 0;
  }

  get queued(): number {
    return this.#sessions?.queued ?? 0;
  }

  /** Makes room for one session more, or says why there is none. */
  makeRoom(principal: string | undefined, size: number): Problem | undefined {
    return this.#sessions?.makeRoom(principal, size);
  }

  /**
   * Makes a session, which clients can come back to as soon as it is opened, and its server.
   * @param opening - message that it is made for
   */
  make(exchange: Exchange, opening: { value: unknown; size: number }, hasId: boolean): Made {
    const server = this.#server.fork();
    const id = hasId ? (this.#options.newSessionId?.() ?? crypto.randomUUID()) : undefined;
    const session = new HttpSession(this, server, id, exchange.auth?.principal);
    session.size = opening.size;
    session.address = exchange.address;
    if (this.sharing) session.opening = (opening.value as { params?: unknown }).params;
    return { server, session };
  }

  /** The session of that name, if it is the sender's. */
  find(id: string, principal: string | undefined): SearchResult | Promise<SearchResult> {
    if (this.sharing) return this.sharing.find(id, principal).then((found) => this.#used(found));
    return this.#sessions?.find(id, principal) ?? NO_SUCH_SESSION;
  }

  /** Ends a session as its client wishes. */
  async end(session: HttpSession): Promise<void> {
    if (this.sharing) {
      await this.sharing.end(session);
      this.#options.onsessionclose?.(session.sessionId!);
    }
    session.end();
  }

  /** Ends all of them, or leaves them to other instances. */
  async close(): Promise<void> {
    this.#sessions?.end();
    await this.sharing?.part(this);
  }

  used(session: HttpSession): void {
    this.#sessions?.used(session);
  }

  waits(post: Post): void {
    this.#underWay.add(post);
  }

  settled(post: Post): void {
    this.#underWay.delete(post);
  }

  opened(session: HttpSession): HeaderFields | Promise<HeaderFields> {
    const keeping = this.sharing?.open(session);
    return keeping ? keeping.then(() => this.#added(session)) : this.#added(session);
  }

  local(id: string): HttpSession | undefined {
    return this.#sessions?.get(id);
  }

  async remake(remade: RemadeSession): Promise<HttpSession | Problem> {
    const { id, revision, principal, opening, size } = remade;
    const full = this.makeRoom(principal, size);
    if (full) return full;
    const server = this.#server.fork();
    const session = new HttpSession(this, server, id, principal);
    session.size = size;
    session.goOn();
    await server.connect(session, { assume: revision.id, opening });
    this.#sessions!.add(session);
    return session;
  }

  closed(session: HttpSession): void {
    if (session.sessionId === undefined) return;
    const wasOpen = this.#sessions?.delete(session);
    if (this.sharing) return this.sharing.left(session);
    if (wasOpen) this.#options.onsessionclose?.(session.sessionId);
    const dropping = this.streams.store?.drop(session.sessionId);
    if (dropping) dropping.catch(this.streams.report);
  }

  #added(session: HttpSession): HeaderFields {
    this.#sessions?.add(session);
    this.#options.onsessionopen?.(session.sessionId!);
    return { "Mcp-Session-Id": session.sessionId! };
  }

  #used(found: HttpSession | Problem = NO_SUCH_SESSION): SearchResult {
    if (found instanceof HttpSession) this.used(found);
    return found;
  }
}

/** Session, or why there is none. */
export type SearchResult = HttpSession | Problem;

interface Made {
  readonly server: Fork;
  readonly session: HttpSession;
}
