import { Tally } from "../../ground/index.js";
import type { ByteBudget } from "./byte-budget.js";
import type { HttpSession } from "./http-session.js";
import { BUSY, type Problem } from "./problem.js";
import { IntervalTimer } from "./interval-timer.js";
import type { SessionLimits } from "./session-limits.js";

/** Milliseconds for which a session keeps its place, so that one in use need not move with each request. */
const PLACE_KEPT = 1000;

/** The sessions of a handler. Those that nobody uses end, and so do the longest unused ones when there are too many. */
export class Sessions {
  readonly #limits: SessionLimits;
  readonly #kept: ByteBudget;
  /** Sessions in the order of `placed`; each was last used at that time or later. */
  readonly #byId = new Map<string, HttpSession>();
  readonly #perPrincipal = new Tally<string>();
  /** Sessions by where they come from: their principal, or their network address. */
  readonly #perSource = new Tally<string>();
  readonly #sweep: IntervalTimer;

  /** @param kept - bytes of the messages that opened sessions and subscriptions */
  constructor(limits: SessionLimits, kept: ByteBudget) {
    this.#limits = limits;
    this.#kept = kept;
    const interval = Math.min(Math.max(limits.sessionTtl / 4, 100), 60_000);
    this.#sweep = new IntervalTimer(interval, () => this.#endUnused());
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Messages that wait for streams, of all sessions. */
  get queued(): number {
    let queued = 0;
    for (const session of this.#byId.values()) queued += session.queued;
    return queued;
  }

  /** The session of that name, if it is the sender's; what is not is as good as unknown. */
  find(id: string, principal: string | undefined): HttpSession | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.principal !== principal) return undefined;
    const now = performance.now();
    if (this.#isUnused(session, now)) {
      session.leave();
      return undefined;
    }
    this.used(session, now);
    return session;
  }

  /** A session is in use, or was until now. */
  used(session: HttpSession, now: number = performance.now()): void {
    session.lastUsed = now;
    if (now - session.placed < PLACE_KEPT || !this.#byId.delete(session.sessionId!)) return;
    session.placed = now;
    this.#byId.set(session.sessionId!, session);
  }

  add(session: HttpSession): void {
    const { principal } = session;
    session.placed = session.lastUsed = performance.now();
    this.#byId.set(session.sessionId!, session);
    this.#kept.charge(session.size);
    this.#perSource.add(sourceOf(session), 1);
    if (principal !== undefined) this.#perPrincipal.add(principal, 1);
    this.#sweep.start();
  }

  /** @returns false when it was not there, as it had not been opened */
  delete(session: HttpSession): boolean {
    const { sessionId, principal, size } = session;
    if (!this.#byId.delete(sessionId!)) return false;
    this.#kept.give(size);
    this.#perSource.add(sourceOf(session), -1);
    if (principal !== undefined) this.#perPrincipal.add(principal, -1);
    return true;
  }

  /** Makes room for one more, opened by a message of so many bytes, or says why there is none. */
  makeRoom(principal: string | undefined, size: number): Problem | undefined {
    const { maxSessions, maxSessionsPerPrincipal } = this.#limits;
    if (principal !== undefined) {
      const own = this.#perPrincipal.of(principal);
      const isOwn = (session: HttpSession): boolean => session.principal === principal;
      if (own >= maxSessionsPerPrincipal && !this.#endIdle(isOwn)) return BUSY;
    }
    while (!this.#kept.hasRoom(size)) if (!this.#endOne()) return BUSY;
    return this.#byId.size >= maxSessions && !this.#endOne() ? BUSY : undefined;
  }

  /** Ends an idle session of the source that has most, so that nobody who opens many ends those of all others. */
  #endOne(): boolean {
    const source = this.#perSource.greatest();
    return this.#endIdle((session) => sourceOf(session) === source) || this.#endIdle(() => true);
  }

  /** The session of that name, whoever asks. */
  get(id: string): HttpSession | undefined {
    return this.#byId.get(id);
  }

  /** Ends all of them. */
  end(): void {
    this.#sweep.stop();
    for (const session of this.#byId.values()) session.leave();
  }

  #isUnused(session: HttpSession, now: number): boolean {
    return now - session.lastUsed > this.#limits.sessionTtl && !session.isBusy;
  }

  /** Ends the session that was idle for longest. */
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

/** Principal or network address that a session comes from; all that have neither count as one. */
function sourceOf({ principal, address }: HttpSession): string {
  return principal === undefined ? `address ${address ?? ""}` : `principal ${principal}`;
}
