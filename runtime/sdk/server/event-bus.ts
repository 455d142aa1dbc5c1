import type { Definition } from "./connection.js";
import { type ListName, LISTS } from "../shared/internal/index.js";

/** A change that subscribers are notified of. */
export type ServerEvent = ListEvent<ListName> | { kind: "resource_updated"; uri: string };

type ListEvent<List> = List extends string ? { kind: `${List}_list_changed` } : never;

/** A bus that distributes change notifications among a server's instances. */
export interface ServerEventBus {
  publish(event: ServerEvent): void;
  /** Adds a listener and returns a function that removes it. */
  subscribe(listener: (event: ServerEvent) => void): () => void;
}

type ListNotifier = { [List in ListName as `${List}Changed`]: () => void };

/** Methods that notify subscribers of changes. */
export interface ServerNotifier extends ListNotifier {
  resourceUpdated(uri: string): void;
}

/** A bus that works within one process. */
export class InMemoryServerEventBus implements ServerEventBus {
  private readonly _listeners = new Set<(event: ServerEvent) => void>();
  private readonly _report: ((error: Error) => void) | undefined;

  /** @param onerror - called with errors that listeners throw */
  constructor(onerror?: (error: Error) => void) {
    this._report = onerror;
  }

  get listenerCount(): number {
    return this._listeners.size;
  }

  publish(event: ServerEvent): void {
    for (const listener of this._listeners) {
      try {
        listener(event);
      } catch (error) {
        this._report?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const own = (event: ServerEvent): void => listener(event);
    this._listeners.add(own);
    return () => this._listeners.delete(own);
  }
}

export function notifierOf(bus: ServerEventBus): ServerNotifier {
  const changed = LISTS.map(
    (list) => [`${list}Changed`, () => bus.publish({ kind: `${list}_list_changed` })] as const,
  );
  return {
    ...(Object.fromEntries(changed) as ListNotifier),
    resourceUpdated: (uri) => bus.publish({ kind: "resource_updated", uri }),
  };
}

export function relay(event: ServerEvent, definition: Definition): void {
  if (event.kind === "resource_updated") return definition.resourceUpdated(event.uri);
  const changed = LISTS.find((list) => event.kind === `${list}_list_changed`);
  if (changed) definition.notify[`${changed}Changed`]();
}
