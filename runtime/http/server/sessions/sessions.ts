import { tally } from "../../../ground/index.js";
import type { EndpointParts } from "../endpoint-parts.js";
import { type IntervalTimer, intervalTimer } from "../limits.js";
import type { BodyReading } from "../requests/body.js";
import type { Exchange } from "../requests/exchange.js";
import type { PostsInFlight } from "../requests/posts-in-flight.js";
import { type HeaderFields, type Problem, PROBLEMS } from "../requests/problem.js";
import type { Fork } from "../requests/server-instance.js";
import type { StreamSettings } from "../streams/stream-settings.js";
import { HttpSession, type SessionHost } from "./http-session.js";
import type { RestoredSession, Sender, SessionSharing } from "./session-sharing.js";

/**
 * The time, in milliseconds, for which a session keeps its position in the list, so that requests in quick succession
 * do not move it.
 */
const POSITION_KEPT = 1000;

export class Sessions implements SessionHost {
  readonly streams: StreamSettings;
  readonly maxQueued: number;
  readonly posts: PostsInFlight;
  readonly sharing: SessionSharing | undefined;
  readonly #parts: EndpointParts;
  /** The sessions in the order of `placed`. Each was last used at that time or later. */
  readonly #byId = new Map<string, HttpSession>();
  readonly #perPrincipal = tally<string>();
  /** The number of sessions per source: the principal or, without one, the network address. */
  readonly #perSource = tally<string>();
  readonly #sweep: IntervalTimer;

  constructor(parts: EndpointParts, streams: StreamSettings) {
    const { sessionTtl, maxQueued } = parts.settings;
    this.streams = streams;
    this.maxQueued = maxQueued;
    this.#parts = parts;
    const interval = Math.min(Math.max(sessionTtl / 4, 100), 60_000);
    this.#sweep = intervalTimer(interval, () => this.#endUnused());
    this.posts = parts.posts;
    this.sharing = parts.sharing;
  }

  get size(): number {
    return this.#byId.size;
  }

  get queued(): number {
    let queued = 0;
    for (const session of this.#byId.values()) queued += session.queued;
    return queued;
  }

  newId(): string | Promise<string> {
    const { newSessionId } = this.#parts.settings;
    return newSessionId?.() ?? this.sharing?.newSessionId() ?? crypto.randomUUID();
  }

  create(
    exchange: Exchange,
    { value, size }: BodyReading,
    id: string | undefined,
  ): { readonly server: Fork; readonly session: HttpSession } {
    const server = this.#parts.server.fork();
    const session = new HttpSession(this, server, id, exchange.auth?.principal);
    session.size = size;
    session.address = exchange.head.address;
    if (this.sharing) session.opening = (value as { params?: unknown }).params;
    return { server, session };
  }

  async restore(restored: RestoredSession): Promise<HttpSession | Problem> {
    const { id, revision, principal, address, opening, size } = restored;
    const full = this.makeRoom(principal, size);
    if (full) return full;
    const server = this.#parts.server.fork();
    const session = new HttpSession(this, server, id, principal);
    session.size = size;
    session.address = address;
    session.restored();
    await server.connect(session, { assume: revision.id, opening });
    this.#add(session);
    return session;
  }

  /**
   * Finds the sender's session. A session counts as unknown if it belongs to another sender, or has been unused for too
   * long.
   */
  find(id: string, sender: Sender): SearchResult | Promise<SearchResult> {
    if (this.sharing)
      return this.sharing.find(id, sender).then((found = PROBLEMS.noSession) => {
        if (!(found instanceof HttpSession)) return found as Problem;
        this.used(found);
        return found;
      });
    const session = this.#byId.get(id);
    if (session === undefined || session.principal !== sender.principal) return PROBLEMS.noSession;
    const now = performance.now();
    if (this.#isUnused(session, now)) {
      session.leave();
      return PROBLEMS.noSession;
    }
    this.used(session, now);
    return session;
  }

  async end(session: HttpSession): Promise<void> {
    if (this.sharing) {
      await this.sharing.end(session);
      this.#parts.settings.onsessionclose?.(session.sessionId!);
    }
    session.end();
  }

  close(): void {
    this.#sweep.stop();
    for (const session of this.#byId.values()) session.leave();
  }

  makeRoom(principal: string | undefined, size: number): Problem | undefined {
    const { kept, settings } = this.#parts;
    if (principal !== undefined) {
      const own = this.#perPrincipal.of(principal);
      const isOwn = (session: HttpSession): boolean => session.principal === principal;
      if (own >= settings.maxSessionsPerPrincipal && !this.#endIdle(isOwn))
        return PROBLEMS.manySessions;
    }
    while (kept.bytes + size > kept.most) if (!this.#evict()) return PROBLEMS.manySessions;
    return this.#byId.size >= settings.maxSessions && !this.#evict()
      ? PROBLEMS.manySessions
      : undefined;
  }

  used(session: HttpSession, now: number = performance.now()): void {
    session.lastUsed = now;
    if (now - session.placed < POSITION_KEPT || !this.#byId.delete(session.sessionId!)) return;
    session.placed = now;
    this.#byId.set(session.sessionId!, session);
  }

  opened(session: HttpSession): HeaderFields | Promise<HeaderFields> {
    const add = (): HeaderFields => {
      // The server may have been closed while the store created the session.
      if (session.isClosed) return {};
      this.#add(session);
      this.#parts.settings.onsessionopen?.(session.sessionId!);
      return { "Mcp-Session-Id": session.sessionId! };
    };
    return this.sharing ? this.sharing.open(session).then(add) : add();
  }

  closed(session: HttpSession): void {
    const { sessionId } = session;
    if (sessionId === undefined) return;
    const wasOpen = this.#remove(session);
    if (this.sharing) return this.sharing.left(session);
    if (wasOpen) this.#parts.settings.onsessionclose?.(sessionId);
    const { report, store } = this.streams;
    try {
      store?.drop(sessionId)?.catch(report);
    } catch (error) {
      report(error as Error);
    }
  }

  #add(session: HttpSession): void {
    const { principal } = session;
    session.placed = session.lastUsed = performance.now();
    this.#byId.set(session.sessionId!, session);
    this.#parts.kept.bytes += session.size;
    this.#perSource.add(sourceOf(session), 1);
    if (principal !== undefined) this.#perPrincipal.add(principal, 1);
    this.#sweep.start();
    this.#shrink(principal);
  }

  /** Ends idle sessions above the limits, because several may have passed {@link makeRoom} while a store was slow. */
  #shrink(principal: string | undefined): void {
    const { kept, settings } = this.#parts;
    const isOver = (): boolean => this.#byId.size > settings.maxSessions || kept.bytes > kept.most;
    while (isOver() && this.#evict());
    if (principal === undefined) return;
    const isOwn = (session: HttpSession): boolean => session.principal === principal;
    const most = settings.maxSessionsPerPrincipal;
    while (this.#perPrincipal.of(principal) > most && this.#endIdle(isOwn));
  }

  #remove(session: HttpSession): boolean {
    const { sessionId, principal, size } = session;
    if (!this.#byId.delete(sessionId!)) return false;
    this.#parts.kept.bytes -= size;
    this.#perSource.add(sourceOf(session), -1);
    if (principal !== undefined) this.#perPrincipal.add(principal, -1);
    return true;
  }

  /**
   * Ends an idle session of the source with the most sessions, so that no source can evict the sessions of others. If
   * all its sessions are busy, ends any idle session.
   */
  #evict(): boolean {
    const source = this.#perSource.greatest();
    return this.#endIdle((session) => sourceOf(session) === source) || this.#endIdle(() => true);
  }

  #isUnused(session: HttpSession, now: number): boolean {
    return now - session.lastUsed > this.#parts.settings.sessionTtl && !session.isBusy;
  }

  #endIdle(matches: (session: HttpSession) => boolean): boolean {
    let idlest: HttpSession | undefined;
    for (const session of this.#byId.values()) {
      if (idlest && session.placed > idlest.lastUsed) break;
      if (idlest && session.lastUsed >= idlest.lastUsed) continue;
      if (matches(session) && !session.isBusy) idlest = session;
    }
    idlest?.leave();
    return idlest !== undefined;
  }

  #endUnused(): boolean {
    const now = performance.now();
    for (const session of this.#byId.values()) {
      if (this.#isUnused(session, now)) session.leave();
    }
    return this.#byId.size > 0;
  }
}

export type SearchResult = HttpSession | Problem;

/** Returns a session's principal or network address. All sessions that have neither count as one source. */
function sourceOf({ principal, address }: HttpSession): string {
  return principal === undefined ? `address ${address ?? ""}` : `principal ${principal}`;
}
