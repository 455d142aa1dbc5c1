import type { Revision } from "../wire/index.js";

/** Names of the events for lists that can change: `toolsChanged` for `notifications/tools/list_changed`. */
export type ListEvents<Notifications> = {
  [Method in keyof Notifications]: Method extends `notifications/${infer List}/list_changed`
    ? `${List}Changed`
    : never;
}[keyof Notifications];

/** Names of the newest revision, which its types promise whatever revisions a server speaks. */
export interface NewestNames {
  /** Lists of which servers tell that they have changed: `tools`. */
  readonly lists: readonly string[];
  /** Families of the requests that servers send: `sampling` of `sampling/createMessage`. */
  readonly families: readonly string[];
}

/** Notification by which a server tells that a list has changed. */
export function listChanged(list: string): string {
  return `notifications/${list}/list_changed`;
}

const LIST_CHANGED = /^notifications\/(.+)\/list_changed$/;

/** Notifications by which servers of some revisions tell that a list has changed, by event. */
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
