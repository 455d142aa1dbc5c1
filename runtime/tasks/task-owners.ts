import type { HandlerContext, Session } from "../api/index.js";
import { SessionMovedError } from "../wire/index.js";

/** Owner of the tasks that everybody may have who knows their ids. */
export const ANYONE = "";

/** Owner of the tasks of an authenticated sender; of everybody's, where the sender is not known. */
export function ownerByAuth({ auth }: Pick<HandlerContext, "auth">): string {
  return auth ? `principal ${auth.principal}` : ANYONE;
}

/** Tells whose a task is: that of a principal, else of a session (MCP: tasks, access control). */
export class TaskOwners {
  readonly #bindToSession: boolean;
  readonly #ended: (owner: string) => void;
  readonly #sessions = new WeakMap<Session, string>();

  /** @param ended - called with an owner that was a session, when that is over */
  constructor(bindToSession: boolean, ended: (owner: string) => void) {
    this.#bindToSession = bindToSession;
    this.#ended = ended;
  }

  ownerOf({ auth, session }: Pick<HandlerContext, "auth" | "session">): string {
    return auth || !this.#bindToSession ? ownerByAuth({ auth }) : this.#sessionOwner(session);
  }

  #sessionOwner(session: Session): string {
    let owner = this.#sessions.get(session);
    if (owner === undefined) {
      const made = `session ${session.id ?? crypto.randomUUID()}`;
      this.#sessions.set(session, made);
      void session.closed.then((error) => {
        if (!(error instanceof SessionMovedError)) this.#ended(made);
      });
      owner = made;
    }
    return owner;
  }
}
