import type { Session } from "../session.js";

/**
 * Which sessions want to hear of which URIs. A session is forgotten when it closes. Made for finding the subscribers
 * of one URI among any number of sessions.
 */
export class Subscriptions {
  readonly #limit: number;
  readonly #watch: ((uri: string) => (() => void) | void) | undefined;
  readonly #byUri = new Map<string, Subscribers>();
  readonly #bySession = new Map<Session, Set<string>>();
  /** Length of the longest URI that was ever subscribed to. */
  #longest = 0;

  /**
   * @param limit - URIs that one session may subscribe to
   * @param watch - called with a URI when it gets its first subscriber; what it returns is called when the last
   *   one is gone
   */
  constructor(limit: number, watch?: (uri: string) => (() => void) | void) {
    this.#limit = limit;
    this.#watch = watch;
  }

  /** Adds a subscription, unless there is one. False when the session has too many. */
  add(session: Session, uri: string): boolean {
    const uris = this.#urisOf(session);
    if (uris.has(uri)) return true;
    if (uris.size >= this.#limit) return false;
    let subscribers = this.#byUri.get(uri);
    if (subscribers === undefined) {
      const unwatch = this.#watch?.(uri);
      subscribers = { sessions: new Set(), unwatch: unwatch ?? undefined };
      this.#byUri.set(uri, subscribers);
    }
    subscribers.sessions.add(session);
    uris.add(uri);
    this.#longest = Math.max(this.#longest, uri.length);
    return true;
  }

  delete(session: Session, uri: string): void {
    if (this.#bySession.get(session)?.delete(uri)) this.#leave(session, uri);
  }

  /** All that have subscribed to a URI or to a parent of it, each once. */
  subscribersOf(uri: string): ReadonlySet<Session> {
    const sessions = new Set<Session>();
    if (this.#byUri.size === 0) return sessions;
    for (const one of selfAndParents(uri, this.#longest)) {
      for (const session of this.#byUri.get(one)?.sessions ?? []) sessions.add(session);
    }
    return sessions;
  }

  #urisOf(session: Session): Set<string> {
    let uris = this.#bySession.get(session);
    if (uris === undefined) {
      uris = new Set();
      this.#bySession.set(session, uris);
      void session.closed.then(() => this.#forget(session));
    }
    return uris;
  }

  #forget(session: Session): void {
    const uris = this.#bySession.get(session) ?? [];
    this.#bySession.delete(session);
    for (const uri of uris) this.#leave(session, uri);
  }

  #leave(session: Session, uri: string): void {
    const subscribers = this.#byUri.get(uri);
    subscribers?.sessions.delete(session);
    if (subscribers?.sessions.size !== 0) return;
    this.#byUri.delete(uri);
    subscribers.unwatch?.();
  }
}

interface Subscribers {
  readonly sessions: Set<Session>;
  readonly unwatch: (() => void) | undefined;
}

/**
 * `a:b/c/d` is in `a:b/c/`, `a:b/c`, `a:b/` and `a:b`; likewise a URI with a query or fragment is in the one without.
 */
function* selfAndParents(uri: string, longest: number): Generator<string> {
  if (uri.length <= longest) yield uri;
  for (let end = Math.min(uri.length - 1, longest); end > 0; end--) {
    if (!endsParent(uri, end)) continue;
    if (uri.charAt(end) === "/" && end < Math.min(uri.length - 1, longest)) {
      yield uri.slice(0, end + 1);
    }
    yield uri.slice(0, end);
  }
}

/** Whether a URI is that of a parent of another one. */
export function isIn(uri: string, parent: string): boolean {
  return (
    uri.length > parent.length &&
    uri.startsWith(parent) &&
    (parent.endsWith("/") || endsParent(uri, parent.length))
  );
}

function endsParent(uri: string, end: number): boolean {
  const character = uri.charAt(end);
  return character === "/" || character === "?" || character === "#";
}
