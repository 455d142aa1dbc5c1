import type { AnyHandler, Feature } from "../../api/index.js";
import type { Revision } from "../../wire/index.js";
import { listEvents } from "../list-events.js";

/** Notification behind an event. */
export interface Source {
  readonly method: string;
  /** Arguments of the listeners. */
  readonly news: (params: unknown) => readonly unknown[];
  /** True when listening means to follow a list, which a server has to offer. */
  readonly isList: boolean;
}

export type Sources = ReadonlyMap<string, Source>;

/** Notifications that servers of some revisions send, by event. */
export function sourcesOf(revisions: readonly Revision[]): Sources {
  const lists = [...listEvents(revisions)].map(
    ([event, method]) => [event, { method, news: () => [], isList: true }] as const,
  );
  return new Map<string, Source>([
    ...lists,
    [
      "resourceUpdated",
      {
        method: "notifications/resources/updated",
        news: (params) => [(params as { readonly uri: string }).uri],
        isList: false,
      },
    ],
    ["log", { method: "notifications/message", news: (params) => [params], isList: false }],
  ]);
}

/**
 * Hands notifications of servers to listeners.
 *
 * @param others - methods that somebody else handles as well, after the listeners
 */
export function news(
  sources: Sources,
  tell: (event: string, news: readonly unknown[]) => void,
  others: object,
): Feature {
  const handlers: Record<string, AnyHandler> = {};
  const beside = new Map<string, (params: unknown) => void>();
  for (const [event, { method, news: of }] of sources) {
    const hear = (params: unknown): void => tell(event, of(params));
    if (Object.hasOwn(others, method)) beside.set(method, hear);
    else handlers[method] = hear;
  }
  return { handlers, notified: (method, params) => beside.get(method)?.(params) };
}
