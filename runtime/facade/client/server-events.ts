import type { AnyHandler, Feature } from "../../api/index.js";
import type { ClientEvents, LogMessage } from "./client-events.js";

/** Events that a server causes by a notification. */
type NotifiedEvent = Exclude<keyof ClientEvents, "stale" | "close">;

interface Source<Event extends NotifiedEvent> {
  /** The notification. */
  readonly method: string;
  /** Builds the argument of the listeners. */
  readonly news: (params: unknown) => ClientEvents[Event];
  /** Capability of a server that sends this, and the member of a subscription that asks for it. */
  readonly capability?: readonly [string, string];
  readonly member?: string;
}

export const EVENT_SOURCES: { readonly [Event in NotifiedEvent]: Source<Event> } = {
  toolsChanged: {
    method: "notifications/tools/list_changed",
    news: () => [],
    capability: ["tools", "listChanged"],
    member: "toolsListChanged",
  },
  promptsChanged: {
    method: "notifications/prompts/list_changed",
    news: () => [],
    capability: ["prompts", "listChanged"],
    member: "promptsListChanged",
  },
  resourcesChanged: {
    method: "notifications/resources/list_changed",
    news: () => [],
    capability: ["resources", "listChanged"],
    member: "resourcesListChanged",
  },
  resourceUpdated: {
    method: "notifications/resources/updated",
    news: (params) => [(params as { uri: string }).uri],
  },
  log: { method: "notifications/message", news: (params) => [params as LogMessage] },
};

/**
 * Hands what servers tell to listeners.
 *
 * @param others - methods that somebody else handles as well, after the listeners
 */
export function news(
  tell: (event: NotifiedEvent, news: ClientEvents[NotifiedEvent]) => void,
  others: object,
): Feature {
  const handlers: Record<string, AnyHandler> = {};
  const beside = new Map<string, (params: unknown) => void>();
  for (const [event, source] of Object.entries(EVENT_SOURCES) as [
    NotifiedEvent,
    Source<NotifiedEvent>,
  ][]) {
    const { method, news: of } = source;
    const hear = (params: unknown): void => tell(event, of(params));
    if (Object.hasOwn(others, method)) beside.set(method, hear);
    else handlers[method] = hear;
  }
  return { handlers, notified: (method, params) => beside.get(method)?.(params) };
}
