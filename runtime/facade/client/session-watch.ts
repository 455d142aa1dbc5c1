import type { Watch, WatchHost } from "./watch.js";

/**
 * Watch for a session: the server reports changes of lists unasked, and those of a resource after a
 * request.
 */
export class SessionWatch implements Watch {
  readonly #host: WatchHost;
  readonly #uris = new Set<string>();

  constructor(host: WatchHost) {
    this.#host = host;
  }

  async follow(): Promise<void> {}

  unfollow(): void {}

  async subscribe(uri: string): Promise<void> {
    await this.#host.request("resources/subscribe", { uri });
    this.#uris.add(uri);
  }

  async unsubscribe(uri: string): Promise<void> {
    this.#uris.delete(uri);
    await this.#host.request("resources/unsubscribe", { uri });
  }

  async renew(): Promise<void> {
    for (const uri of this.#uris) {
      try {
        await this.#host.request("resources/subscribe", { uri });
      } catch (error) {
        this.#uris.delete(uri);
        this.#host.report(error as Error);
      }
    }
    this.#host.stale();
  }

  close(): void {}
}
