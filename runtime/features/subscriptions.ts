import { UriIndex } from "../ground/index.js";

/** Party that can subscribe. */
export interface Subscriber {
  /** Resolves when it will want nothing any more, so that it is forgotten. */
  readonly closed?: Promise<unknown>;
}

/** Subscribers by URI. */
export class Subscriptions<One extends Subscriber> {
  readonly #limit: number;
  readonly #watch: ((uri: string) => (() => void) | void) | undefined;
  readonly #index = new UriIndex<One>();
  readonly #urisBy = new Map<One, Set<string>>();
  /** Functions to call when the last subscriber of a URI is gone. */
  readonly #unwatch = new Map<string, () => void>();

  /**
   * @param limit - URIs that one subscriber may have
   * @param watch - called with a URI when it gets its first subscriber; what it returns is called when the last
   *   one is gone
   */
  constructor(limit: number, watch?: (uri: string) => (() => void) | void) {
    this.#limit = limit;
    this.#watch = watch;
  }

  /** Adds a subscription, unless there is one. False when the subscriber has too many. */
  add(one: One, uri: string): boolean {
    const uris = this.#urisOf(one);
    if (uris.has(uri)) return true;
    if (uris.size >= this.#limit) return false;
    if (!this.#index.has(uri)) {
      const unwatch = this.#watch?.(uri);
      if (unwatch) this.#unwatch.set(uri, unwatch);
    }
    this.#index.add(one, uri);
    uris.add(uri);
    return true;
  }

  delete(one: One, uri: string): void {
    if (this.#urisBy.get(one)?.delete(uri)) this.#leave(one, uri);
  }

  /** All that have subscribed to a URI or to a parent of it, each once. */
  subscribersOf(uri: string): ReadonlySet<One> {
    return this.#index.of(uri);
  }

  /** Takes out all subscriptions of one. */
  forget(one: One): void {
    const uris = this.#urisBy.get(one) ?? [];
    this.#urisBy.delete(one);
    for (const uri of uris) this.#leave(one, uri);
  }

  #urisOf(one: One): Set<string> {
    let uris = this.#urisBy.get(one);
    if (uris === undefined) {
      uris = new Set();
      this.#urisBy.set(one, uris);
      void one.closed?.then(() => this.forget(one));
    }
    return uris;
  }

  #leave(one: One, uri: string): void {
    if (!this.#index.delete(one, uri)) return;
    const unwatch = this.#unwatch.get(uri);
    this.#unwatch.delete(uri);
    unwatch?.();
  }
}
