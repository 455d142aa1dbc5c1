import type { FeatureHost } from "../api/index.js";

/** A notification that goes to all sessions when something has changed; changes of one moment make one. */
export class Announcement {
  readonly #method: string;
  #host: FeatureHost | undefined;
  #isDue = false;

  constructor(method: string) {
    this.#method = method;
  }

  /** @throws TypeError when the feature is part of a client or server already */
  attach(host: FeatureHost): void {
    if (this.#host) throw new TypeError("This feature is part of a client or server already");
    this.#host = host;
  }

  /** Says so at the end of the current turn. Before anything is connected, there is nobody to tell. */
  readonly make = (): void => {
    if (this.#isDue || this.#host === undefined) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#host?.broadcast(this.#method);
    });
  };
}
