import type { Revision } from "../wire/index.js";

export type ListEvents<Notifications> = {
  [Method in keyof Notifications]: Method extends `notifications/${infer List}/list_changed`
    ? `${List}Changed`
    : never;
}[keyof Notifications];

/** Names from the newest revision. They are part of the types no matter which revisions a server supports. */
export interface NewestNames {
  /** Lists whose changes servers announce, such as `tools`. */
  readonly lists: readonly string[];
  /**
   * The families of requests that servers send. Each is named after the first segment of its methods: `sampling` for
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
