import { callListener } from "./listeners.js";
import type { Watch } from "./watch.js";

export type ResourceListener = (uri: string) => void;

/** The resources that are followed, and the listeners of each. */
export class ResourceWatch {
  readonly #watch: Watch;
  readonly #report: (error: Error) => void;
  readonly #followed = new Map<string, FollowedResource>();

  constructor(watch: Watch, report: (error: Error) => void) {
    this.#watch = watch;
    this.#report = report;
  }

  /** @throws what hinders the server from telling */
  async subscribe(uri: string, listener: ResourceListener | undefined): Promise<void> {
    let followed = this.#followed.get(uri);
    if (followed === undefined) {
      followed = { listeners: new Set(), open: this.#watch.subscribe(uri) };
      this.#followed.set(uri, followed);
    }
    if (listener) followed.listeners.add(listener);
    try {
      await followed.open;
    } catch (error) {
      if (this.#followed.get(uri) === followed) this.#followed.delete(uri);
      throw error;
    }
  }

  /** Ends it for one listener, or for all. */
  async unsubscribe(uri: string, listener: ResourceListener | undefined): Promise<void> {
    const followed = this.#followed.get(uri);
    if (followed === undefined) return;
    if (listener) followed.listeners.delete(listener);
    if (listener && followed.listeners.size > 0) return;
    this.#followed.delete(uri);
    await this.#watch.unsubscribe(uri);
  }

  /** A resource, or what is below it, has changed. */
  updated(uri: string): void {
    for (const [followed, { listeners }] of this.#followed) {
      if (!isWithin(uri, followed)) continue;
      for (const listener of listeners) {
        callListener("resourceUpdated", () => listener(uri), this.#report);
      }
    }
  }
}

interface FollowedResource {
  readonly listeners: Set<ResourceListener>;
  readonly open: Promise<void>;
}

function isWithin(uri: string, parent: string): boolean {
  return uri === parent || uri.startsWith(parent.endsWith("/") ? parent : `${parent}/`);
}
