import type { Session } from "../../api/index.js";

/** Maximum per session; beyond it, the oldest are forgotten. */
const LIMIT = 1000;

/** URL elicitations that have been started and not completed, by session. */
export class OpenElicitations {
  readonly #bySession = new WeakMap<Session, Set<string>>();

  add(session: Session, id: string): void {
    let ids = this.#bySession.get(session);
    if (ids === undefined) {
      ids = new Set();
      this.#bySession.set(session, ids);
    }
    ids.delete(id);
    ids.add(id);
    if (ids.size > LIMIT) ids.delete(ids.values().next().value!);
  }

  /** Removes an elicitation. @returns True when there was one with this id. */
  delete(session: Session, id: string): boolean {
    return this.#bySession.get(session)?.delete(id) ?? false;
  }
}
