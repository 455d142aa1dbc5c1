import { LONGEST_DELAY, quiet } from "../../ground/index.js";
import { RequestTimeoutError, quote } from "../../wire/index.js";
import { abortable } from "./live-connection.js";
import { callListener } from "./events.js";

/** Follows changes at a server, in the way of its revision. */
export interface Watch {
  /**
   * Starts to follow the changes of a list; resolves when the server has accepted the subscription.
   * Reports failures, and tries again if that may succeed.
   * @param member - of a subscription's filter
   * @throws the error with which the first attempt failed; the rejection need not be handled
   */
  follow(member: string): Promise<void>;
  /**
   * Present while the server has not accepted yet: requests should wait for it, so that no change
   * notifications are missed.
   */
  readonly opening?: Promise<void> | undefined;
  unfollow(member: string): void;
  /** Subscribes to changes of a resource; resolves when the server has accepted. */
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  /** Subscribes again, because the server has lost its subscriptions. */
  renew(): Promise<void>;
  close(): void;
}

/** Operations of the client that a watch needs. */
export interface WatchHost {
  request(method: string, params: unknown, options?: object): Promise<unknown>;
  /** Called when change notifications may have been missed. */
  stale(): void;
  report(error: Error): void;
}

/**
 * Watch for a session: the server announces changes of lists by itself, and those of a resource
 * after a request.
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

export type ResourceListener = (uri: string) => void;

export interface SubscribeOptions {
  /** Time to wait for the server to accept, in milliseconds. Default: 60 000. */
  readonly timeout?: number | undefined;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
}

/** Followed resources, with the listeners of each. */
export class ResourceWatch {
  readonly #watch: Watch;
  readonly #report: (error: Error) => void;
  readonly #followed = new Map<string, FollowedResource>();

  constructor(watch: Watch, report: (error: Error) => void) {
    this.#watch = watch;
    this.#report = report;
  }

  /** True if any resource is followed. */
  get isFollowing(): boolean {
    return this.#followed.size > 0;
  }

  /** @throws the error that prevents the subscription, or the reason of the signal */
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

  /** Removes one listener, or all listeners of a resource. */
  async unsubscribe(uri: string, listener: ResourceListener | undefined): Promise<void> {
    const followed = this.#followed.get(uri);
    if (followed === undefined) return;
    if (listener) followed.listeners.delete(listener);
    if (listener && followed.listeners.size > 0) return;
    this.#followed.delete(uri);
    await this.#watch.unsubscribe(uri);
  }

  /** Notifies listeners that a resource, or one below it, has changed. */
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
  /** Number of callers that wait for it to open; negative once it is open. */
  waiting: number;
}

function isWithin(uri: string, parent: string): boolean {
  return uri === parent || uri.startsWith(parent.endsWith("/") ? parent : `${parent}/`);
}
