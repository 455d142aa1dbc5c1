/**
 * Kind of conversation that a server supports: sessions that open with a handshake, or stateless
 * requests.
 */
export type Era = "session" | "stateless";

/** Cache of the eras of servers, so that servers need not be probed each time. */
export interface EraCache {
  /**
   * Returns the era of a server; undefined if it is unknown.
   * @param server - key of the server: origin and path of its URL, or its command, arguments and working folder as
   * JSON
   */
  get(server: string): Era | undefined | Promise<Era | undefined>;
  /**
   * Stores the era of a server.
   * @param era - undefined if the stored era turned out to be wrong
   */
  set(server: string, era: Era | undefined): void | Promise<void>;
}

export interface MemoryEraCacheOptions {
  /** Time for which the era of a server is remembered, in milliseconds. Default: one hour. */
  readonly maxAge?: number | undefined;
  /** Maximum number of servers; the oldest are removed first. Default: 1000. */
  readonly maxEntries?: number | undefined;
}

/** Cache of eras in the memory of this process. */
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
