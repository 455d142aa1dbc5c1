/** The kind of conversation that a server supports: sessions opened by a handshake, or stateless requests. */
export type Era = "session" | "stateless";

/** Caches the eras of servers, so that they need not be probed each time. */
export interface EraCache {
  /**
   * Returns a server's era; undefined if it is unknown.
   *
   * @param server - the server's key: the origin and path of its URL, or its command, arguments and working folder as
   *   JSON
   */
  get(server: string): Era | undefined | Promise<Era | undefined>;
  /**
   * Stores a server's era.
   *
   * @param era - the era, or undefined if the stored one turned out to be wrong
   */
  set(server: string, era: Era | undefined): void | Promise<void>;
}

export interface MemoryEraCacheOptions {
  /** The time for which a server's era is remembered, in milliseconds. Default: one hour. */
  readonly maxAge?: number | undefined;
  /** The maximum number of servers. The oldest are removed first. Default: 1000. */
  readonly maxEntries?: number | undefined;
}

/** Caches eras in this process's memory. */
export class MemoryEraCache implements EraCache {
  readonly #maxAge: number;
  readonly #maxEntries: number;
  readonly #known = new Map<string, { readonly era: Era; readonly until: number }>();

  constructor({ maxAge = 3_600_000, maxEntries = 1000 }: MemoryEraCacheOptions = {}) {
    this.#maxAge = maxAge;
    this.#maxEntries = maxEntries;
  }

  get(server: string): Era | undefined {
    const known = this.#known.get(server);
    return known && performance.now() < known.until ? known.era : undefined;
  }

  set(server: string, era: Era | undefined): void {
    this.#known.delete(server);
    if (era === undefined) return;
    this.#known.set(server, { era, until: performance.now() + this.#maxAge });
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size > this.#maxEntries) this.#known.delete(oldest);
  }
}
