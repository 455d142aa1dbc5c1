import { joinedTopics, rowOf } from "../engine/index.js";
import type { Method, Revision } from "../wire/index.js";

export interface Topics {
  /** The parameters' member that contains the filter. */
  readonly container: string;
  /** Maps a notification's method to the filter member that requests the notification. */
  readonly members: ReadonlyMap<string, string>;
  /** Maps a filter member's name to the id of the extension to which it belongs. */
  readonly extensions: ReadonlyMap<string, string>;
  readonly acknowledged: Method;
}

/**
 * Returns the topics that a revision's clients can subscribe to. Notifications and members of the subscription filter
 * belong together if they need the same capability.
 */
export function topicsOf(revision: Revision): Topics | undefined {
  const { conditions, joined } = rowOf(revision, "listen") ?? {};
  const acknowledged = rowOf(revision, "acknowledged");
  if (conditions?.[0] === undefined || acknowledged === undefined) return undefined;
  const [container = ""] = conditions[0].member.split(".");
  const names = new Map(
    conditions.map(({ member, capability }) => [capability, member.slice(container.length + 1)]),
  );
  const members = new Map<string, string>();
  for (const { kind, method, capability } of revision.methods.values()) {
    const name = capability === undefined ? undefined : names.get(capability);
    if (kind === "notification" && name !== undefined) members.set(method, name);
  }
  const extensions = new Map<string, string>();
  for (const [name, { notification }] of Object.entries(joinedTopics(revision))) {
    members.set(notification, name);
    extensions.set(name, joined!.extension);
  }
  return { container, members, extensions, acknowledged };
}

/** Returns a map from a notification's method to the parameter that contains its subject. */
export function topicKeys(revision: Revision): ReadonlyMap<string, string> {
  const topics = Object.values(joinedTopics(revision));
  return new Map(topics.flatMap(({ notification, key }) => (key ? [[notification, key]] : [])));
}
