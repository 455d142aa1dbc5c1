import { LONGEST_DELAY, quiet } from "../../ground/index.js";
import { RequestTimeoutError, quote } from "../../wire/index.js";
import { abortable } from "./abortable.js";
import { callListener } from "./listeners.js";
import type { Watch } from "./watch.js";

export type ResourceListener = (uri: string) => void;

export interface SubscribeOptions {
  /** Time to wait for the server to agree, in milliseconds. Default: 60 000. */
  readonly timeout?: number | undefined;
  /** Gives up waiting. */
  readonly signal?: AbortSignal | undefined;
}

/** The resources that are followed, and the listeners of each. */
export class ResourceWatch {
  readonly #watch: Watch;
  readonly #report: (error: Error) => void;
  readonly #followed = new Map<string, FollowedResource>();

  constructor(watch: Watch, report: (error: Error) => void) {
    this.#watch = watch;
    this.#report = report;
  }

  /** True when a resource is followed. */
  get isFollowing(): boolean {
    return this.#followed.size > 0;
  }

  /** @throws what hinders the server from telling, or the caller from waiting */
  async subscribe(
    uri: string,
    listener: ResourceListener | undefined,
    { signal, timeout = 60_000 }: SubscribeOptions = {},
  ): Promise<void> {
    signal?.throwIfAborted();
    let followed = this.#followed.get(uri);
    if (followed === undefined) {
      followed = { listeners: new Set(), open: quiet(this.#watch.subscribe(uri)), waiting: 0 };
      this.#followed.set(uri, followed);
    }
    if (listener) followed.listeners.add(listener);
    followed.waiting += 1;
    const late = new AbortController();
    const signals = [late.signal, ...(signal ? [signal] : [])];
    const lateness = new RequestTimeoutError(
      `subscribe(${quote(uri)})`,
      timeout,
      undefined,
      "timeout",
    );
    const timer =
      timeout <= LONGEST_DELAY ? setTimeout(() => late.abort(lateness), timeout) : undefined;
    try {
      await abortable(followed.open, AbortSignal.any(signals));
      followed.waiting = -Infinity;
    } catch (error) {
      followed.waiting -= 1;
      if (listener) followed.listeners.delete(listener);
      const isGivenUp = late.signal.aborted || signal?.aborted === true;
      const isCurrent = this.#followed.get(uri) === followed;
      if (isCurrent && (!isGivenUp || followed.waiting === 0)) this.#followed.delete(uri);
      if (isCurrent && isGivenUp && followed.waiting === 0) {
        this.#watch.unsubscribe(uri).catch(this.#report);
      }
      throw error;
    } finally {
      clearTimeout(timer);
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
  /** Callers that wait for it to open; below zero when it is open. */
  waiting: number;
}

function isWithin(uri: string, parent: string): boolean {
  return uri === parent || uri.startsWith(parent.endsWith("/") ? parent : `${parent}/`);
}
