/**
 * Place for registrations and tokens. Values are secrets: keep them from other users of the machine. Keys name the
 * issuer that a value belongs to.
 */
export interface AuthStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
  delete(key: string): void | Promise<void>;
  /**
   * Does work while no other process that shares the store does work for the same key. Needed where a refresh token may
   * be used once only. Default: the work is done at once.
   */
  exclusive?<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** A store that forgets with the process. */
export function memoryStore(): AuthStore {
  return new MemoryStore();
}

class MemoryStore implements AuthStore {
  readonly #values = new Map<string, string>();

  get(key: string): string | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: string): void {
    this.#values.set(key, value);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}
