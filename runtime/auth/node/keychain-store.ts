import type { AuthStore } from "../client/index.js";

export interface KeychainStoreOptions {
  /** Name under which the system lists the entries. Default: `mcp-codegen`. */
  readonly service?: string;
}

/** Part of `@napi-rs/keyring` that is used here; it is there only for those who install it. */
interface Keyring {
  readonly AsyncEntry: new (service: string, account: string) => KeyringEntry;
}

interface KeyringEntry {
  getPassword(): Promise<string | null | undefined>;
  setPassword(password: string): Promise<void>;
  deletePassword(): Promise<unknown>;
}

const KEYRING: string = "@napi-rs/keyring";

/**
 * Keeps registrations and tokens in the keychain of the system. Needs the package `@napi-rs/keyring`, and a keychain that
 * is unlocked: containers and servers often have none.
 * @throws Error when the package is not there
 */
export async function keychainStore({
  service = "mcp-codegen",
}: KeychainStoreOptions = {}): Promise<AuthStore> {
  const { AsyncEntry } = await loaded();
  const entry = (key: string) => new AsyncEntry(service, key);
  return {
    get: async (key) => (await entry(key).getPassword()) ?? undefined,
    set: (key, value) => entry(key).setPassword(value),
    delete: async (key) => {
      await entry(key).deletePassword();
    },
  };
}

async function loaded(): Promise<Keyring> {
  try {
    return (await import(KEYRING)) as Keyring;
  } catch (cause) {
    const text =
      "keychainStore() needs the package @napi-rs/keyring: install it, or use fileStore()";
    throw new Error(text, { cause });
  }
}
