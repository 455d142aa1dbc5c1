import { isObject } from "./errors.js";

/** Store for registrations and tokens. Values are secrets: protect them from other users of the machine. */
export interface AuthStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, value: string): void | Promise<void>;
  delete(key: string): void | Promise<void>;
  /**
   * Runs work while no other process that shares the store runs work for the same key. Needed if refresh tokens can
   * be used only once. Default: the work runs immediately.
   */
  exclusive?<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Reads a JSON record in which the members with these names are strings. A damaged record counts as missing: a new
 * login replaces it.
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

/** Creates a store in memory; its content is lost when the process ends. */
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
