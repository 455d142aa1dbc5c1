import type { HttpSession } from "./http-session.js";
import { BUSY, type Problem } from "./problem.js";
import { Pulse } from "./pulse.js";
import type { SessionLimits } from "./session-limits.js";

/** The sessions of a handler. Those that nobody uses end, and so do the longest unused ones when there are too many. */
export class Sessions {
  readonly #limits: SessionLimits;
  /** In the order of their last use. */
  readonly #byId = new Map<string, HttpSession>();
  readonly #perPrincipal = new Map<string, number>();
  readonly #sweep: Pulse;

  constructor(limits: SessionLimits) {
    this.#limits = limits;
    const interval = Math.min(Math.max(limits.sessionTtl / 4, 100), 60_000);
    this.#sweep = new Pulse(interval, () => this.#endUnused());
  }

  get size(): number {
    return this.#byId.size;
  }

  /** The session of that name, if it is the sender's; what is not is as good as unknown. */
  find(id: string, principal: string | undefined): HttpSession | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.principal !== principal) return undefined;
    if (this.#isUnused(session, performance.now())) {
      session.end();
      return undefined;
    }
    this.used(session);
    return session;
  }

  /** A session is in use, or was until now. */
  used(session: HttpSession): void {
    const id = session.sessionId!;
    if (!this.#byId.delete(id)) return;
    this.#byId.set(id, session);
    session.lastUsed = performance.now();
  }

  add(session: HttpSession): void {
    const { principal } = session;
    this.#byId.set(session.sessionId!, session);
    if (principal !== undefined) {
      this.#perPrincipal.set(principal, (this.#perPrincipal.get(principal) ?? 0) + 1);
    }
    this.#sweep.start();
  }

  delete({ sessionId, principal }: HttpSession): void {
    if (!this.#byId.delete(sessionId!) || principal === undefined) return;
    const left = this.#perPrincipal.get(principal)! - 1;
    if (left > 0) this.#perPrincipal.set(principal, left);
    else this.#perPrincipal.delete(principal);
  }

  /** Makes room for one more, or says why there is none. */
  makeRoom(principal: string | undefined): Problem | undefined {
    const { maxSessions, maxSessionsPerPrincipal } = this.#limits;
    if (principal !== undefined) {
      const own = this.#perPrincipal.get(principal) ?? 0;
      const isOwn = (session: HttpSession): boolean => session.principal === principal;
      if (own >= maxSessionsPerPrincipal && !this.#endIdle(isOwn)) return BUSY;
    }
    return this.#byId.size >= maxSessions && !this.#endIdle(() => true) ? BUSY : undefined;
  }

  /** Ends all of them. */
  end(): void {
    this.#sweep.stop();
    for (const session of this.#byId.values()) session.end();
  }

  #isUnused(session: HttpSession, now: number): boolean {
    return now - session.lastUsed > this.#limits.sessionTtl && !session.isBusy;
  }

  /** Ends the session that was idle for longest. */
  #endIdle(matches: (session: HttpSession) => boolean): boolean {
    for (const session of this.#byId.values()) {
      if (!matches(session) || session.isBusy) continue;
      session.end();
      return true;
    }
    return false;
  }

  #endUnused(): boolean {
    const now = performance.now();
    for (const session of this.#byId.values()) {
      if (this.#isUnused(session, now)) session.end();
    }
    return this.#byId.size > 0;
  }
}
