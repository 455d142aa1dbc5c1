import { LONGEST_DELAY, abortable, quiet } from "../../ground/index.js";
import { isIn } from "../../ground/uri-index/index.js";
import { RequestTimeoutError, quote } from "../../wire/index.js";
import { callListener } from "./events.js";

/** Subscribes to changes at a server, using the mechanism of its revision. */
export interface Watch {
  /**
   * Starts following a list and resolves when the server has accepted the subscription. Tries again if that may
   * succeed.
   *
   * @param member - the subscription filter's member for the list
   * @throws the error that made the first attempt fail; the rejection need not be handled
   */
  follow(member: string): Promise<void>;
  /**
   * Resolves when the server has accepted the subscription; absent afterwards. Requests should wait for it, so that no
   * change notifications are missed.
   */
  readonly opening?: Promise<void> | undefined;
  unfollow(member: string): void;
  subscribe(uri: string): Promise<void>;
  unsubscribe(uri: string): Promise<void>;
  /**
   * Subscribes again after the server has lost its subscriptions, and reports that notifications may have been missed.
   */
  renew(): Promise<void>;
  close(): void;
}

export interface WatchHost {
  readonly request: (method: string, params: unknown, options?: object) => Promise<unknown>;
  /** Called when change notifications may have been missed. */
  readonly stale: () => void;
  readonly report: (error: Error) => void;
}

/**
 * Creates a watch for a session. In a session, the server announces changes to every list, but announces changes to a
 * resource only after a request.
 */
export function sessionWatch({ request, stale, report }: WatchHost): Watch {
  const uris = new Set<string>();
  return {
    follow: async () => {},
    unfollow() {},
    async subscribe(uri) {
      await request("resources/subscribe", { uri });
      uris.add(uri);
    },
    async unsubscribe(uri) {
      uris.delete(uri);
      await request("resources/unsubscribe", { uri });
    },
    async renew() {
      for (const uri of uris) {
        try {
          await request("resources/subscribe", { uri });
        } catch (error) {
          uris.delete(uri);
          report(error as Error);
        }
      }
      stale();
    },
    close() {},
  };
}

export type ResourceListener = (uri: string) => void;

export interface SubscribeOptions {
  /** The time to wait for the server to accept the subscription, in milliseconds. Default: 60,000. */
  readonly timeout?: number | undefined;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
}

export interface ResourceWatch {
  isFollowing(): boolean;
  subscribe(
    uri: string,
    listener: ResourceListener | undefined,
    options?: SubscribeOptions,
  ): Promise<void>;
  /** Removes one listener, or all of a resource's listeners. */
  unsubscribe(uri: string, listener: ResourceListener | undefined): Promise<void>;
  updated(uri: string): void;
}

export function resourceWatch(watch: Watch, report: (error: Error) => void): ResourceWatch {
  const all = new Map<string, FollowedResource>();
  return {
    isFollowing: () => all.size > 0,
    async subscribe(uri, listener, { signal, timeout = 60_000 } = {}) {
      signal?.throwIfAborted();
      let followed = all.get(uri);
      if (followed === undefined) {
        followed = { listeners: new Set(), open: quiet(watch.subscribe(uri)), waiting: 0 };
        all.set(uri, followed);
      }
      if (listener) followed.listeners.add(listener);
      followed.waiting += 1;
      const late = new AbortController();
      const signals = [late.signal, ...(signal ? [signal] : [])];
      const what = `subscribe(${quote(uri)})`;
      const lateness = new RequestTimeoutError(what, timeout, undefined, "timeout");
      const timer =
        timeout <= LONGEST_DELAY ? setTimeout(() => late.abort(lateness), timeout) : undefined;
      try {
        await abortable(followed.open, AbortSignal.any(signals));
        followed.waiting = -Infinity;
      } catch (error) {
        followed.waiting -= 1;
        if (listener) followed.listeners.delete(listener);
        const isGivenUp = late.signal.aborted || signal?.aborted === true;
        const isCurrent = all.get(uri) === followed;
        if (isCurrent && (!isGivenUp || followed.waiting === 0)) all.delete(uri);
        if (isCurrent && isGivenUp && followed.waiting === 0) {
          watch.unsubscribe(uri).catch(report);
        }
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    async unsubscribe(uri, listener) {
      const followed = all.get(uri);
      if (followed === undefined) return;
      if (listener) followed.listeners.delete(listener);
      if (listener && followed.listeners.size > 0) return;
      all.delete(uri);
      await watch.unsubscribe(uri);
    },
    updated(uri) {
      for (const [followed, { listeners }] of all) {
        if (uri !== followed && !isIn(uri, followed)) continue;
        for (const listener of listeners) {
          callListener("resourceUpdated", () => listener(uri), report);
        }
      }
    },
  };
}

interface FollowedResource {
  readonly listeners: Set<ResourceListener>;
  readonly open: Promise<void>;
  /** The number of callers waiting for the subscription to open; negative once it is open. */
  waiting: number;
}
