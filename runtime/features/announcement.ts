import type { FeatureHost } from "../api/index.js";

/**
 * Sender of a notification to all sessions that something has changed. Several changes in one turn of the event loop
 * result in one notification.
 */
export interface Announcement {
  /**
   * Connects the announcement with the client or server that sends it.
   * @throws TypeError if the feature is already part of a client or server
   */
  attach(host: FeatureHost): void;
  /** Sends the notification at the end of the current turn, if the feature is part of a client or server. */
  announce(): void;
}

/**
 * Creates an announcement.
 * @param method - method of the notification; undefined if there is no such notification
 */
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
