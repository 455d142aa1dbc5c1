import type { AnySendMiddleware } from "../../api/index.js";

/** Description that a server sends of itself when a session opens. */
export interface ServerDescription {
  readonly instructions?: unknown;
}

/** Client of any revision whose connection is open. */
export interface OpenClient {
  readonly server: { readonly capabilities?: unknown; readonly instructions?: unknown };
  on(event: never, listener: () => void): { readonly ready: Promise<void> };
}

/** Part of one client, such as the guard of a contract. */
export interface PluggedIn {
  /** Steps around what the client sends, outside of those of `sending`. */
  readonly sending?: readonly AnySendMiddleware[] | undefined;
  /** Called once the connection is open. `connect` waits for it; if it rejects, the connection closes and `connect` rejects. */
  opened?(client: OpenClient): Promise<void>;
  /**
   * Called when lists that were fetched before may be out of date.
   * @param server - the description of a server that may not be the one before, if the client does not have it yet
   * @returns a promise that messages to that server wait for
   */
  outdated?(server?: ServerDescription): Promise<void> | undefined;
}

/** Creates a plugin's part of each client. */
export type ClientPlugin = (host: { report(error: Error): void }) => PluggedIn;
