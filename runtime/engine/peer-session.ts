import { LifecycleError, type Revision } from "../wire/index.js";
import type { Agreement } from "./lifecycle.js";
import type { PeerDescription, RequestOptions, Session } from "../api/index.js";
import type { Peer } from "./peer.js";

/** A connection as handlers and features see it. */
export class PeerSession implements Session {
  readonly #peer: Peer;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  get id(): string | undefined {
    return this.#peer.sessionId;
  }

  get revision(): Revision {
    return this.#agreement.revision;
  }

  get peer(): PeerDescription {
    return this.#agreement.peer;
  }

  get closed(): Promise<Error | undefined> {
    return this.#peer.finished;
  }

  request(method: string, params?: unknown, options?: RequestOptions): Promise<unknown> {
    return this.#peer.request(method, params, options);
  }

  notify(method: string, params?: unknown): Promise<void> {
    return this.#peer.notify(method, params);
  }

  get #agreement(): Agreement {
    const { agreement } = this.#peer;
    if (agreement === undefined) throw new LifecycleError("No revision has been agreed on yet");
    return agreement;
  }
}
