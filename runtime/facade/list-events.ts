import type { Revision } from "../wire/index.js";

export type ListEvents<Notifications> = {
  [Method in keyof Notifications]: Method extends `notifications/${infer List}/list_changed`
    ? `${List}Changed`
    : never;
}[keyof Notifications];

/** Names from the newest revision. The types contain them whichever revisions a server supports. */
export interface NewestNames {
  /** Lists whose changes servers announce, such as `tools`. */
  readonly lists: readonly string[];
  /**
   * Families of the requests that servers send, each named by the first segment of its methods: `sampling` of
   * `sampling/createMessage`.
   */
  readonly families: readonly string[];
}

const LIST_CHANGED = /^notifications\/(.+)\/list_changed$/;

/** Maps events such as `toolsChanged` to the notifications that announce them. */
export function listEvents(revisions: readonly Revision[]): ReadonlyMap<string, string> {
  const events = new Map<string, string>();
  for (const { methods } of revisions) {
    for (const { method, kind, from } of methods.values()) {
      const list = kind === "notification" && from !== "client" && LIST_CHANGED.exec(method)?.[1];
      if (list) events.set(`${list}Changed`, method);
    }
  }
  return events;
}
