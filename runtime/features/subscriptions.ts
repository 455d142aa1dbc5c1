import { UriIndex } from "../ground/index.js";

/** Party that can subscribe. */
export interface Subscriber {
  /** Resolves when it will want nothing any more, so that it is forgotten. */
  readonly closed?: Promise<unknown>;
}

/** Bounds of what subscriptions keep. */
export interface SubscriptionBounds {
  /** URIs that one subscriber may have. */
  readonly limit: number;
  /** Characters that the URIs of one subscriber may have together. */
  readonly maxCharacters: number;
  /** Characters that all URIs may have together. */
  readonly maxTotalCharacters: number;
}

/** Subscribers by URI. */
export class Subscriptions<One extends Subscriber> {
  readonly #bounds: SubscriptionBounds;
  readonly #watch: ((uri: string) => (() => void) | void) | undefined;
  readonly #index = new UriIndex<One>();
  readonly #urisBy = new Map<One, Uris>();
  /** Characters of all URIs. */
  #characters = 0;
  /** Functions to call when the last subscriber of a URI is gone. */
  readonly #unwatch = new Map<string, () => void>();

  /**
   * @param watch - called with a URI when it gets its first subscriber; what it returns is called when the last
   *   one is gone
   */
  constructor(bounds: SubscriptionBounds, watch?: (uri: string) => (() => void) | void) {
    this.#bounds = bounds;
    this.#watch = watch;
  }

  /**
   * Adds a subscription, unless there is one.
   * @returns the bound that there is no room in; undefined when it is added
   */
  add(one: One, uri: string): string | undefined {
    const known = this.#urisBy.get(one);
    if (known?.all.has(uri)) return undefined;
    const refused = this.#boundReached(known, uri);
    if (refused !== undefined) return refused;
    const uris = known ?? this.#urisOf(one);
    if (!this.#index.has(uri)) {
      const unwatch = this.#watch?.(uri);
      if (unwatch) this.#unwatch.set(uri, unwatch);
    }
    this.#index.add(one, uri);
    uris.all.add(uri);
    uris.characters += uri.length;
    this.#characters += uri.length;
    return undefined;
  }

  delete(one: One, uri: string): void {
    const uris = this.#urisBy.get(one);
    if (!uris?.all.delete(uri)) return;
    uris.characters -= uri.length;
    this.#leave(one, uri);
  }

  /** All URIs that have a subscriber. */
  get uris(): readonly string[] {
    return [...new Set([...this.#urisBy.values()].flatMap(({ all }) => [...all]))];
  }

  /** All that have subscribed to a URI or to a parent of it, each once. */
  subscribersOf(uri: string): ReadonlySet<One> {
    return this.#index.of(uri);
  }

  /** Takes out all subscriptions of one. */
  forget(one: One): void {
    const uris = this.#urisBy.get(one)?.all ?? [];
    this.#urisBy.delete(one);
    for (const uri of uris) this.#leave(one, uri);
  }

  #boundReached(uris: Uris | undefined, { length }: string): string | undefined {
    const { limit, maxCharacters, maxTotalCharacters } = this.#bounds;
    if (uris && uris.all.size >= limit) return `${limit} are possible`;
    if ((uris?.characters ?? 0) + length > maxCharacters) {
      return `their URIs may have ${maxCharacters} characters together`;
    }
    if (this.#characters + length > maxTotalCharacters) return "the server has no room for more";
    return undefined;
  }

  #urisOf(one: One): Uris {
    const uris: Uris = { all: new Set(), characters: 0 };
    this.#urisBy.set(one, uris);
    void one.closed?.then(() => this.forget(one));
    return uris;
  }

  #leave(one: One, uri: string): void {
    this.#characters -= uri.length;
    if (!this.#index.delete(one, uri)) return;
    const unwatch = this.#unwatch.get(uri);
    this.#unwatch.delete(uri);
    unwatch?.();
  }
}

/** URIs of one subscriber. */
interface Uris {
  readonly all: Set<string>;
  characters: number;
}
