import { isObject } from "./errors.js";

/** A store for registrations and tokens. Its values are secrets, so protect them from other users of the machine. */
export interface AuthStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
  delete(key: string): void | Promise<void>;
  /**
   * Runs work while no other process that shares the store runs work for the same key. Needed if refresh tokens can be
   * used only once. Default: runs the work immediately.
   */
  exclusive?<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Reads a JSON record whose members with these names are strings. A damaged record counts as missing, and a new login
 * replaces it.
 */
export async function storedRecord<Value>(
  store: AuthStore,
  key: string,
  names: readonly (keyof Value & string)[],
): Promise<Value | undefined> {
  const text = await store.get(key);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const isWhole = isObject(value) && names.every((name) => typeof value[name] === "string");
    return isWhole ? (value as Value) : undefined;
  } catch {
    return undefined;
  }
}

/** Creates an in-memory store. Its content is lost when the process ends. */
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
