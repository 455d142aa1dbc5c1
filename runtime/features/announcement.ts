import type { FeatureHost } from "../api/index.js";

/** Sends a notification to all sessions. Changes in the same synchronous run result in a single notification. */
export interface Announcement {
  attach(host: FeatureHost): void;
  announce(): void;
}

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
