import type { FeatureHost } from "../api/index.js";

/** A notification to all sessions that something has changed; changes of one turn result in one. */
export interface Announcement {
  /** @throws TypeError if the feature is already part of a client or server */
  attach(host: FeatureHost): void;
  /** Sends the notification at the end of the current turn, if the feature is part of a client or server. */
  announce(): void;
}

/** @param method - undefined if there is no such notification */
export function announcement(method: string | undefined): Announcement {
  let host: FeatureHost | undefined;
  let isDue = false;
  return {
    attach(to) {
      if (host) throw new TypeError("This feature already belongs to a client or server");
      host = to;
    },
    announce() {
      if (isDue || host === undefined || method === undefined) return;
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        host?.broadcast(method);
      });
    },
  };
}
