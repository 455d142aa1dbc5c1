import type { Session } from "../../api/index.js";

/** How many a session can have; of more, the oldest are forgotten. */
const LIMIT = 1000;

/** What users were sent to a page for and have not come back from, by session. */
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

  /** Whether there was one with this id. */
  delete(session: Session, id: string): boolean {
    return this.#bySession.get(session)?.delete(id) ?? false;
  }
}
