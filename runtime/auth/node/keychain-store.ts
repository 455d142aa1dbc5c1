import type { AuthStore } from "../client/index.js";
import { defaultFolder, fileStore } from "./file-store.js";

export interface KeychainStoreOptions {
  /** The name under which the system lists the entries. Default: `mcp-codegen`. */
  readonly service?: string;
  /** The folder for locks between processes, which contains no secrets. Default: the folder that `fileStore` uses. */
  readonly folder?: string;
}

/** The subset of the optional `@napi-rs/keyring` package that is used here. */
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
 * Stores registrations and tokens in the system keychain. Requires the `@napi-rs/keyring` package and an unlocked
 * keychain, which containers and servers often lack. Several processes may share the keychain.
 *
 * @throws Error if the package is not installed or does not support this system
 */
export async function keychainStore({
  service = "mcp-codegen",
  folder = defaultFolder(),
}: KeychainStoreOptions = {}): Promise<AuthStore> {
  return new KeychainStore(await loaded(), service, folder);
}

class KeychainStore implements AuthStore {
  readonly #keyring: Keyring;
  readonly #service: string;
  readonly #locks: AuthStore;

  constructor(keyring: Keyring, service: string, folder: string) {
    this.#keyring = keyring;
    this.#service = service;
    this.#locks = fileStore({ folder });
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.#use(key, "read", (entry) => entry.getPassword())) ?? undefined;
  }

  async set(key: string, value: string): Promise<void> {
    await this.#use(key, "write", (entry) => entry.setPassword(value), value);
  }

  /** Deletes an entry after checking that it exists, because version 1 of the package rejects otherwise. */
  async delete(key: string): Promise<void> {
    await this.#use(key, "delete", async (entry) => {
      if (typeof (await entry.getPassword()) === "string") await entry.deletePassword();
    });
  }

  exclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#locks.exclusive!(`${this.#service} ${key}`, work);
  }

  /**
   * Uses the keychain. Errors have no cause, and no secret in the message, because the keychain's own error may
   * contain the value.
   */
  #use<T>(
    key: string,
    verb: string,
    act: (entry: KeyringEntry) => Promise<T>,
    value = "",
  ): Promise<T> {
    const acting = (async () => act(new this.#keyring.AsyncEntry(this.#service, key)))();
    return acting.catch((error: unknown) => {
      const reason = withoutSecrets(error instanceof Error ? error.message : String(error), value);
      const what = `The keychain could not ${verb} an entry of "${this.#service}" (${reason})`;
      throw new Error(`${what}: unlock it, or use fileStore()`);
    });
  }
}

/** Removes a value's strings, and strings that look like a token, from foreign text. */
function withoutSecrets(text: string, value: string): string {
  const strings = value.match(/[^"\\]{4,}/g) ?? [];
  const rest = strings.reduce((left, secret) => left.replaceAll(secret, "[secret]"), text);
  return rest.replace(/[\w+=~.-]{16,}/g, "[secret]").slice(0, 200);
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
